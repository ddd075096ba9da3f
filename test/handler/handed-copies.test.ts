import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { copyOfError, copyOfOptions } from '../../src/copy-handed-out.ts'
import { createAuth } from '../../src/create-auth.ts'
import { AuthError, InvalidConfig } from '../../src/errors.ts'
import { deriveSettings } from '../../src/config/derive-settings.ts'
import { cacheByFetch } from '../../src/oauth/provider-cache.ts'
import { systemPlatform } from '../../src/clock.ts'

const secret = 'a secret of 32 bytes for the tests'
const broken = { providers: [], trustHost: true, secret, session: { strategy: 'nowhere' } } as never

describe('what other code receives', () => {
  it('CC-12 is another error for each request to a faulty configuration', async () => {
    const auth = createAuth({ ...(broken as object), logger: { error() {} } } as never)
    const read = async () =>
      auth.getSession(new Request('https://app.test/')).catch((error: unknown) => error)
    const [first, second] = [await read(), await read()]
    expect(first).toBeInstanceOf(InvalidConfig)
    expect(second).toBeInstanceOf(InvalidConfig)
    expect(second).not.toBe(first)
    expect(String(second)).toBe(String(first))
  })

  it('CC-12 is another error for each visitor who waits for the same failed request', async () => {
    const open = cacheByFetch<string>({ entries: 1, lifetime: 1000 })
    const cache = open({ preset: {} }, { platform: systemPlatform, version: '0' })
    const load = async () => Promise.reject(new InvalidConfig('closed'))
    const failures = await Promise.all(
      [1, 2, 3].map(async () => cache.read('key', load).catch((error: unknown) => error)),
    )
    failures.push(await cache.read('key', load).catch((error: unknown) => error))
    expect(failures.map(String)).toEqual(failures.map(() => 'InvalidConfig: closed'))
    expect(new Set(failures).size).toBe(4)
  })

  it('CC-12 is a store that nobody can change', () => {
    const { store } = deriveSettings({ providers: [], secret, adapter: memoryAdapter() }, {})
    expect(Object.isFrozen(store)).toBe(true)
  })

  it('CC-12 is a copy of the options of a provider, at every level', () => {
    const key = Symbol('hook')
    const hook = () => undefined
    const options = { party: { origin: ['https://app.test'] }, [key]: hook, hook, at: new Date(0) }
    const copy = copyOfOptions(options)
    expect(copy).toEqual(options)
    expect(copy.party).not.toBe(options.party)
    expect(copy.party.origin).not.toBe(options.party.origin)
    expect(copy[key]).toBe(hook)
  })

  it('CC-12 is a copy of an error with its class, stack and cause', () => {
    const error = new AuthError('closed', { err: new Error('inner') })
    const copy = copyOfError(error)
    expect(copy).toBeInstanceOf(AuthError)
    expect([copy.message, copy.stack, copy.cause?.err, copy.type]).toEqual([
      error.message,
      error.stack,
      error.cause?.err,
      error.type,
    ])
  })
})
