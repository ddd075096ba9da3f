import { setPriority } from 'node:os'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { kyselyAdapter } from '../../src/adapters/kysely.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { apart, copyOfError, copyOfOptions } from '../../src/copies/copy-handed-out.ts'
import { serializeCookie } from '../../src/cookies/cookie.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { isSameAddress } from '../../src/text/email-address.ts'
import { readForwarded } from '../../src/integrations/node/forwarded.ts'
import { AuthError, InvalidConfig } from '../../src/errors.ts'
import { deriveSettings, settingsOf } from '../../src/config/derive-settings.ts'
import { HookError } from '../../src/oauth/call-hook.ts'
import { OutboundError, UnusableResponse } from '../../src/oauth/outbound-fetch.ts'
import { cacheByFetch } from '../../src/oauth/provider-cache.ts'
import { systemPlatform } from '../../src/platform/clock.ts'
import { joseEngine } from '../../src/token/choose-engine.ts'
import { makeAuthenticationOptions, makeRegistrationOptions } from '../../src/webauthn/ceremony-options.ts'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '../../src/webauthn/verify.ts'

const secret = 'a secret of 32 bytes for the tests'
const broken = { providers: [], trustHost: true, secret, session: { strategy: 'nowhere' } } as never

describe('what other code receives', () => {
  afterEach(() => void vi.restoreAllMocks())

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

  it('CC-12 is a copy of the error that is kept for later visitors', async () => {
    const open = cacheByFetch<string>({ entries: 1, lifetime: 1000 })
    const cache = open({ preset: {} }, { platform: systemPlatform, version: '0' })
    const load = async () => Promise.reject(new InvalidConfig('closed'))
    const read = async () => cache.read('key', load).catch((error: unknown) => error)
    Object.assign(Object(await read()), { visitor: 'Ada' })
    expect(await read()).not.toHaveProperty('visitor')
  })

  it.each<[string, object, (held: object) => unknown]>([
    ['an object without a prototype', Object.assign(Object.create(null) as object, { a: 1 }), (held) => held],
    ['bytes', Uint8Array.of(1), (held) => held],
    ['a date', new Date(0), (held) => held],
    ['headers, which only the log names', new Headers(), () => '[object Headers]'],
  ])('CC-12 is a copy of %s that an error holds', (_, held, expected) => {
    const copy = copyOfError(Object.assign(new Error('closed'), { held })) as Error & { held: unknown }
    expect(copy.held).not.toBe(held)
    expect(copy.held).toEqual(expected(held))
  })

  it('CC-12 is a separate list of secrets each time that a token is read', async () => {
    const secrets = [secret, 'an older secret of the same tests']
    const given: unknown[] = []
    const decode = ({ secret: list }: { secret: string | string[] }) => {
      given.push([...list])
      if (Array.isArray(list)) list.length = 0
      return { sub: 'ada', exp: Date.now() / 1000 + 60 }
    }
    const auth = createAuth({ providers: [], trustHost: true, secret: secrets, jwt: { decode } } as never)
    const headers = { cookie: '__Secure-authjs.session-token=any' }
    for (let n = 0; n < 2; n++) await auth.getSession(new Request('https://app.test/', { headers }))
    expect(given).toEqual([secrets, secrets])
  })

  it('CC-12 is a store that nobody can change', () => {
    const { store } = deriveSettings({ providers: [], secret, adapter: memoryAdapter() }, {})
    expect(Object.isFrozen(store)).toBe(true)
  })

  it('CC-12 is a table of callbacks that nobody can change', () => {
    const { callbacks, platform } = deriveSettings({ providers: [], secret }, {})
    expect([callbacks, platform].map((each) => Object.isFrozen(each))).toEqual([true, true])
  })

  it('CC-12 is a logger that nobody can change', () => {
    const { logger } = deriveSettings({ providers: [], secret, logger: { error() {} } }, {})
    expect(Object.isFrozen(logger)).toBe(true)
  })

  it('CC-12 is a frozen report, because a promise with its own then receives it', async () => {
    const seen: unknown[] = []
    const rateLimit = () => {
      const promise: Promise<true> = Promise.resolve(true)
      const then = promise.then.bind(promise) as (done: (value: true) => unknown) => Promise<never>
      vi.spyOn(promise, 'then').mockImplementation((done) =>
        then((value) => {
          const report: unknown = done?.(value)
          seen.push(report)
          return report
        }),
      )
      return promise
    }
    const provider = { id: 'form', name: 'Form', type: 'credentials', credentials: {}, authorize: () => null }
    const { handler } = createAuth({
      providers: [provider as never],
      trustHost: true,
      secret,
      callbacks: { rateLimit },
      logger: { error() {} },
    })
    const first = await handler(new Request('https://app.test/auth/csrf'))
    const { csrfToken } = (await first.json()) as { csrfToken: string }
    const cookie = first.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ')
    const body = new URLSearchParams({ csrfToken })
    await handler(
      new Request('https://app.test/auth/callback/form', { method: 'POST', headers: { cookie }, body }),
    )
    expect(seen).not.toEqual([])
    expect(seen.map((report) => Object.isFrozen(report))).toEqual(seen.map(() => true))
  })

  it('CC-12 is another list of columns for each call of Kysely', async () => {
    const lists: unknown[] = []
    const query = {
      insertInto: () => query,
      values: () => query,
      returning: (columns: unknown) => (lists.push(columns), query),
      onConflict: () => query,
      execute: async () => [{}],
      getExecutor: () => ({ adapter: { supportsReturning: true } }),
    }
    const adapter = kyselyAdapter(query as never)
    for (const userId of ['ada', 'bob']) await adapter.setFactor(userId, 'a factor', undefined)
    expect(lists).toEqual([['userId'], ['userId']])
    expect(lists[0]).not.toBe(lists[1])
  })

  it('CC-12 is another copy of the key of tokens for each call of WebCrypto', async () => {
    const key = new Uint8Array(64).fill(1)
    const seal = joseEngine.createSealer(key, { alg: 'dir', enc: 'A256CBC-HS512', kid: 'kid' })
    const open = joseEngine.createOpener(key, 'A256CBC-HS512')
    const token = await seal('{}', new Uint8Array(16))
    const imported = vi.spyOn(crypto.subtle, 'importKey').mockImplementation((async (
      _format: string,
      bytes: Uint8Array,
    ) => {
      new Uint8Array(bytes.buffer).fill(0)
      throw new Error('closed')
    }) as never)
    await expect(seal('{}', new Uint8Array(16))).rejects.toThrow('closed')
    expect(await open({ token } as never)).toBeUndefined()
    expect(imported).toHaveBeenCalled()
    expect(key).toEqual(new Uint8Array(64).fill(1))
  })

  it('CC-12 is another copy of the options of a provider for each call of SimpleWebAuthn', async () => {
    const extensions: unknown[] = []
    const lists: unknown[] = []
    const keep = async (options: Record<string, unknown>) => {
      extensions.push(options['extensions'])
      lists.push(options['supportedAlgorithmIDs'])
      return { challenge: 'a challenge' }
    }
    const options = { extensions: { appid: 'https://app.test' } }
    const config = {
      authenticationOptions: options,
      registrationOptions: { ...options, attestationType: 'direct', supportedAlgorithmIDs: [-7] },
      verifyAuthenticationOptions: options,
      verifyRegistrationOptions: options,
      simpleWebAuthn: {
        generateAuthenticationOptions: keep,
        generateRegistrationOptions: keep,
        verifyAuthenticationResponse: keep,
        verifyRegistrationResponse: keep,
      },
    }
    const provider = { id: 'passkey', config }
    const party = { id: 'app.test', name: 'App', origin: 'https://app.test' }
    const terms = { provider, party, randomBytes: systemPlatform.randomBytes, credentials: [] } as never
    const credential = { id: 'AAAA', json: { response: {} }, transports: [] } as never
    const held = { credentialID: 'AAAA', credentialPublicKey: 'AAAA' } as never
    const expectation = { provider, party, challenge: { value: 'a challenge' } } as never
    await makeAuthenticationOptions(terms)
    await makeRegistrationOptions({ name: 'Ada' }, terms)
    await verifyAuthenticationResponse(credential, held, expectation)
    await verifyRegistrationResponse(credential, expectation)
    expect(extensions).toEqual(Array.from({ length: 4 }, () => options.extensions))
    expect(new Set([options.extensions, ...extensions]).size).toBe(5)
    const { supportedAlgorithmIDs } = config.registrationOptions
    expect(lists.filter(Boolean)).toEqual([supportedAlgorithmIDs, supportedAlgorithmIDs])
    expect(lists).not.toContain(supportedAlgorithmIDs)
  })

  it('CC-12 is a copy of the error that is kept about an incomplete provider', () => {
    const logged: unknown[] = []
    const logger = { error: (error: unknown) => void logged.push(error), warn() {} }
    const complete = { id: 'own', name: 'Own', type: 'credentials', credentials: {}, authorize: () => null }
    const incomplete = { id: 'idp', name: 'Idp', type: 'oidc', issuer: 'https://idp.test' }
    const config = { providers: [complete, incomplete], trustHost: true, secret, logger } as never
    const { leftOut } = settingsOf(config)
    expect(logged.map(String)).toEqual([String(leftOut.get('idp')?.error)])
    expect(logged[0]).not.toBe(leftOut.get('idp')?.error)
  })

  it.each([OutboundError, UnusableResponse, HookError])(
    'CC-12 is the class %o, which nobody can change',
    (own) => {
      const change = () => Object.defineProperty(own, Symbol.hasInstance, { value: () => true })
      expect(change).toThrow(TypeError)
      expect(() => Object.assign(own.prototype, { visitor: 'Ada' })).toThrow(TypeError)
      expect(new Error('another') instanceof own).toBe(false)
    },
  )

  it('CC-12 is never a regular expression of the library, even for a value that should be text but is not', () => {
    const given: unknown[] = []
    const keep = (expression: unknown) => (given.push(expression), [])
    const trim = () => foreign
    const foreign = { length: 1, trim, matchAll: keep, replace: keep, toString: () => 'host=a.test' }
    const options = { encode: () => foreign } as never
    expect(() => serializeCookie({ name: 'n', value: 'v', options })).toThrow('must return text: n')
    expect(readForwarded({ forwarded: foreign } as never, 'forwarded')).toEqual({ host: 'a.test' })
    expect(isSameAddress(foreign as never, 'ada@example.com')).toBe(false)
    expect(given).toEqual([])
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

  it('CC-12 is a copy of an error with its class, stack and causes', () => {
    const inner = new Error('inner', { cause: new AggregateError([new Error('one')], 'all') })
    const error = new AuthError('closed', { err: inner, at: 1 })
    const copy = copyOfError(error)
    expect(copy).toBeInstanceOf(AuthError)
    expect(copy).toEqual(error)
    expect([copy.stack, copy.cause?.err?.stack]).toEqual([error.stack, inner.stack])
    const write = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      Object.assign(value, { visitor: 'Ada' })
      for (const name of ['cause', 'err', 'errors', '0']) write(Reflect.get(value, name))
    }
    write(copy)
    expect(inspect(copy, { depth: 9 })).toContain('Ada')
    expect(inspect(error, { depth: 9 })).not.toContain('Ada')
  })

  it('CC-12 is a copy of an error with the details that it holds, also if they contain each other', () => {
    const socket: { port: number; owner?: object } = { port: 443 }
    socket.owner = { sockets: [socket] }
    const error = Object.assign(new Error('closed'), {
      socket,
      cause: new DOMException('late', 'TimeoutError'),
    })
    const copy = copyOfError(error)
    expect(copy).toEqual(error)
    expect(String(copy.cause)).toBe('TimeoutError: late')
    for (const each of [copy, copy.cause, copy.socket, copy.socket.owner])
      Object.assign(Object(each), { visitor: 'Ada' })
    expect(inspect(copy, { depth: 9 })).toContain('Ada')
    expect(inspect(error, { depth: 9 })).not.toContain('Ada')
  })

  it('CC-12 is a copy of an exception of the DOM', () => {
    const error = new DOMException('late', 'TimeoutError')
    const copy = copyOfError(error)
    expect(copy).not.toBe(error)
    expect([copy.name, copy.message, copy.code, copy.stack]).toEqual([
      'TimeoutError',
      'late',
      23,
      error.stack,
    ])
  })

  it('CC-12 is a copy of an error without the object behind its accessors', () => {
    // As Node's own errors about the system are.
    const behind: Record<string, unknown> = { code: 'ENOENT' }
    const error = Object.defineProperties(new Error('closed'), {
      info: { enumerable: true, configurable: true, get: () => behind },
      code: {
        enumerable: true,
        configurable: true,
        get: () => behind['code'],
        set(value: unknown) {
          behind['code'] = value
        },
      },
      broken: {
        enumerable: true,
        configurable: true,
        get: () => {
          throw new Error('not a socket')
        },
      },
    })
    const copy = copyOfError(error) as Error & { code?: string; info?: object; broken?: unknown }
    expect([copy.code, copy.info, copy.broken]).toEqual(['ENOENT', behind, undefined])
    copy.code = 'Ada'
    Object.assign(copy.info ?? {}, { visitor: 'Ada' })
    expect(behind).toEqual({ code: 'ENOENT' })
  })

  it('CC-12 is a copy of an error of the operating system', () => {
    const fail = () => setPriority(2 ** 30, 0)
    let error: unknown
    try {
      fail()
    } catch (thrown) {
      error = thrown
    }
    const copy = copyOfError(error as Error)
    expect(copy).toMatchObject({ syscall: 'uv_os_setpriority', info: { code: 'ESRCH' } })
    Object.assign(copy, { syscall: 'Ada' })
    expect(error).toMatchObject({ syscall: 'uv_os_setpriority', info: { syscall: 'uv_os_setpriority' } })
  })

  const tagged = Object.assign(new Error('closed'), { [Symbol.toStringTag]: 'Closed' })
  it.each<[string, object, unknown]>([
    ['an object', { message: 'closed' }, { message: 'closed' }],
    ['a Response', new Response(), '[object Response]'],
    ['an error with a tag', tagged, tagged],
  ])('CC-12 is not %s that was thrown for another visitor', async (_, thrown, expected) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- code can throw anything
    const failed: unknown = await apart(Promise.reject(thrown)).catch((error: unknown) => error)
    expect(failed).not.toBe(thrown)
    expect(failed).toEqual(expected)
  })

  it.each([
    ['an error that is its own cause', Object.assign(new Error('a'), { cause: undefined })],
    ['a frozen error', Object.freeze(new Error('a', { cause: 'text' }))],
    ['an exception of the DOM as cause', new Error('a', { cause: new DOMException('b', 'TimeoutError') })],
  ])('CC-12 is a copy of %s', (name, error) => {
    if (name.includes('own cause')) Object.assign(error, { cause: error })
    const copy = copyOfError(error)
    expect(copy).not.toBe(error)
    expect(inspect(copy)).toBe(inspect(error))
  })
})
