import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { checks } from '../runtimes/suite/checks.ts'
import { openApplication, post, userNameOf } from '../runtimes/suite/app.ts'
import type { Library } from '../runtimes/suite/library.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const refuse = (): never => {
  throw new Error('A Node.js API is used which is not supported in the Edge Runtime')
}

/** Functions as in stubs of Node's modules: each exists, and throws when it is called. */
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
    // Lookups by other packages while they load are not tested.
    const library = await loadLibrary()
    vi.stubGlobal('process', process)
    const { agent, errors } = openApplication(library)
    await post(agent, '/auth/callback/credentials', { name: 'Grace', pin: '2718' })
    expect(errors).toEqual([])
    expect(await userNameOf(agent)).toBe('Grace')
  })
})

describe('a runtime whose structuredClone creates Dates of another realm, as in an edge VM', () => {
  it.each(['signs in once with a mailed link', 'stores sessions in a database'])(
    'ECO-005 %s',
    async (name) => {
      const [, check] = checks.find(([each]) => each === name) ?? []
      if (!check) throw new Error(`The suite has no check ${name}`)
      vi.stubGlobal('structuredClone', cloneElsewhere)
      await expect(check(await loadLibrary())).resolves.toBeUndefined()
    },
  )
})

const OtherDate = runInNewContext('Date') as DateConstructor

function cloneElsewhere(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cloneElsewhere)
  if (Object.prototype.toString.call(value) === '[object Date]') return new OtherDate(Number(value))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cloneElsewhere(each)]))
}

/** Loads the library again, since it looks up Node's modules once. */
async function loadLibrary(): Promise<Library> {
  vi.resetModules()
  const main = await import('../../src/index.ts')
  const { memoryAdapter } = await import('../../src/adapters/memory.ts')
  const { decode, encode, getToken } = await import('../../src/jwt.ts')
  const { default: Passkey } = await import('../../src/providers/passkey.ts')
  const { Auth } = main
  return { Auth, customFetch: main.customFetch, decode, encode, getToken, memoryAdapter, Passkey }
}
