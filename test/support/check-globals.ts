/**
 * Setup of every test file. Files that run in one process share its globals. A file that leaves a global or an
 * environment variable changed fails here. Otherwise, a later file would fail, depending on the order.
 */
import { afterAll, expect } from 'vitest'

const watched: Readonly<Record<string, () => unknown>> = {
  Date: () => globalThis.Date,
  'Date.now': () => Date.now,
  'Math.random': () => Math.random,
  fetch: () => globalThis.fetch,
  Request: () => globalThis.Request,
  Response: () => globalThis.Response,
  setTimeout: () => globalThis.setTimeout,
  clearTimeout: () => globalThis.clearTimeout,
  setImmediate: () => globalThis.setImmediate,
  'AbortSignal.timeout': () => AbortSignal.timeout,
  process: () => globalThis.process,
  'process.getBuiltinModule': () => process.getBuiltinModule,
  crypto: () => globalThis.crypto,
  'crypto.getRandomValues': () => crypto.getRandomValues,
  'crypto.subtle': () => crypto.subtle,
  'crypto.subtle.digest': () => Reflect.get(crypto.subtle, 'digest'),
  'console.error': () => console.error,
  'console.warn': () => console.warn,
  'console.log': () => console.log,
  'the environment': () =>
    Object.keys(process.env)
      .toSorted()
      .map((name) => `${name}=${process.env[name]}`)
      .join('\n'),
}

const before = Object.entries(watched).map(([name, read]) => ({ name, read, value: read() }))

afterAll(() => {
  const changed = before.filter(({ read, value }) => read() !== value).map(({ name }) => name)
  expect(changed, 'globals that this file changed and did not restore').toEqual([])
})
