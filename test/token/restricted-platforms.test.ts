import { afterEach, describe, expect, it, vi } from 'vitest'
import { openApplication, post, whoIs } from '../runtimes/suite/app.ts'
import type { Library } from '../runtimes/suite/library.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const refuse = (): never => {
  throw new Error('A Node.js API is used which is not supported in the Edge Runtime')
}

/** Functions as stubs of Node's modules have them: each exists, and throws when it is called. */
const stub = new Proxy({}, { get: () => refuse })

const platforms: Readonly<Record<string, object>> = {
  'whose process.getBuiltinModule throws, as on the edge runtime of Next.js': {
    env: process.env,
    getBuiltinModule: refuse,
  },
  'whose process throws on every access': new Proxy({}, { get: refuse }),
  'whose node:crypto and node:buffer are stubs that throw': {
    env: process.env,
    getBuiltinModule: () => stub,
  },
}

describe.each(Object.entries(platforms))('a runtime %s', (_, process) => {
  it('ECO-005 signs a user in and reads the session', async () => {
    // What other packages look up while they load is their own affair.
    const library = await loadLibrary()
    vi.stubGlobal('process', process)
    const { agent, errors } = openApplication(library)
    await post(agent, '/auth/callback/credentials', { name: 'Grace', pin: '2718' })
    expect(errors).toEqual([])
    expect(await whoIs(agent)).toBe('Grace')
  })
})

/** Loads the library afresh: it looks for the modules of Node once. */
async function loadLibrary(): Promise<Library> {
  vi.resetModules()
  const main = await import('../../src/index.ts')
  const { memoryAdapter } = await import('../../src/adapters/memory.ts')
  const { decode, encode, getToken } = await import('../../src/jwt.ts')
  const { default: Passkey } = await import('../../src/providers/passkey.ts')
  const { Auth } = main
  return { Auth, customFetch: main.customFetch, decode, encode, getToken, memoryAdapter, Passkey }
}
