import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { platform, raw, skipCSRFCheck } from '../../src/types/symbols.ts'
import { derive, deriveProvider, oauthProvider, oidcProvider, passkeyProvider } from './derive.ts'

describe('a configuration without options', () => {
  it('CFG-002 CF-05 has no providers, and is valid', () => {
    expect(derive({ providers: undefined }).providers.size).toBe(0)
    expect(derive({ providers: undefined }).fault).toBeUndefined()
    expect(derive({ providers: 'github' }).fault?.message).toBe(
      '`providers` must be an array, got a value of type string',
    )
  })

  it('CFG-005 CF-05 serves its routes under /auth', () => {
    expect(derive().basePath).toBe('/auth')
    expect(derive({ basePath: '/api/auth' }).basePath).toBe('/api/auth')
    expect(derive({ basePath: '/api/auth/' }).basePath).toBe('/api/auth')
    expect(derive({ basePath: '/' }).basePath).toBe('')
  })

  it('CFG-004 CFG-017 CF-05 uses JWT sessions without an adapter, and database sessions with one', () => {
    const adapter = memoryAdapter()
    expect(derive().session.strategy).toBe('jwt')
    expect(derive({ adapter }).session.strategy).toBe('database')
    expect(derive({ adapter, session: { strategy: 'jwt' } }).session.strategy).toBe('jwt')
    expect(derive().store).toBeUndefined()
  })

  it('LIM-001 LIM-002 LIM-003 TOK-001 CF-05 has the specified lifetimes, in seconds', () => {
    const { session, jwt } = derive()
    expect([session.maxAge, session.updateAge, jwt.maxAge]).toEqual([2592000, 86400, 2592000])
    expect(derive({ session: { maxAge: 60, updateAge: 0 } }).session).toMatchObject({
      maxAge: 60,
      updateAge: 0,
    })
  })

  it('TOK-001 DEC-24c limits a session token to the lifetime of the session', () => {
    expect(derive({ session: { maxAge: 60 } }).jwt.maxAge).toBe(60)
    expect(derive({ session: { maxAge: 60 }, jwt: { maxAge: 600 } }).jwt.maxAge).toBe(60)
    expect(derive({ session: { maxAge: 60 }, jwt: { maxAge: 6 } }).jwt.maxAge).toBe(6)
  })

  it('CFG-011 CFG-013 CF-05 has debug off and no event listeners, and checks CSRF', () => {
    const settings = derive()
    expect(settings.debug).toBe(false)
    expect(settings.events).toEqual({})
    expect(settings.csrf).toBe(true)
    expect(settings.raw).toBe(false)
    expect(settings.warnings).toEqual([])
    expect(derive({ debug: true }).debug).toBe(true)
  })

  it('CFG-022 CF-05 replaces no page', () => {
    expect(derive().pages).toEqual({})
    expect(derive().theme).toEqual({})
    const pages = {
      signIn: '/in',
      signOut: '/out',
      error: '/oops',
      verifyRequest: '/mail',
      newUser: '/hello',
    }
    expect(derive({ pages }).pages).toEqual(pages)
  })

  it('CFG-014 CF-05 enables no experimental features', () => {
    expect(derive({ providers: [passkeyProvider], adapter: memoryAdapter() }).fault?.type).toBe(
      'ExperimentalFeatureNotEnabled',
    )
    expect(
      derive({
        providers: [passkeyProvider],
        adapter: memoryAdapter(),
        experimental: { enableWebAuthn: false },
      }).fault?.type,
    ).toBe('ExperimentalFeatureNotEnabled')
  })

  it('CFG-042 CF-05 derives the Secure attribute from the URL', () => {
    expect(derive().useSecureCookies).toBeUndefined()
    expect(derive({ useSecureCookies: false }).useSecureCookies).toBe(false)
  })

  it('CF-05 CK-01 protects cookies from scripts and from other sites', () => {
    const { secure, plain } = derive().cookies
    for (const { options } of Object.values(secure))
      expect(options).toMatchObject({ httpOnly: true, sameSite: 'lax', path: '/', secure: true })
    for (const { options } of Object.values(plain))
      expect(options).toMatchObject({ httpOnly: true, sameSite: 'lax', path: '/', secure: false })
  })

  it('CF-05 DEC-15b generates session tokens of 32 random bytes', () => {
    const randomBytes = (length: number) => new Uint8Array(length).fill(7)
    expect(derive({ [platform]: { randomBytes } }).session.generateSessionToken()).toBe('07'.repeat(32))
    expect(derive().session.generateSessionToken()).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('a provider without options', () => {
  it('PRV-015 CF-05 uses the pkce check, and also nonce if it returns id_tokens', () => {
    expect(deriveProvider(oauthProvider)).toMatchObject({ checks: ['pkce'], checksDisabled: false })
    expect(deriveProvider(oidcProvider)).toMatchObject({ checks: ['pkce', 'nonce'], checksDisabled: false })
  })

  it('PRV-019 CF-05 links no accounts by e-mail address', () => {
    expect(deriveProvider(oauthProvider).allowDangerousEmailAccountLinking).toBe(false)
    const allowed = deriveProvider({ ...oauthProvider, allowDangerousEmailAccountLinking: true })
    expect(allowed.allowDangerousEmailAccountLinking).toBe(true)
    const text = deriveProvider({ ...oauthProvider, allowDangerousEmailAccountLinking: 'false' })
    expect(text.allowDangerousEmailAccountLinking).toBe(false)
  })

  it('AL-13 CF-05 stores no address that its provider calls unverified', () => {
    expect(deriveProvider(oauthProvider).storeUnverifiedEmail).toBe(false)
    expect(deriveProvider({ ...oauthProvider, storeUnverifiedEmail: true }).storeUnverifiedEmail).toBe(true)
    expect(deriveProvider({ ...oauthProvider, storeUnverifiedEmail: 'false' }).storeUnverifiedEmail).toBe(
      false,
    )
  })

  it('CF-05 DEC-11c reads the id_token, rejects plain http and times out after ten seconds', () => {
    expect(deriveProvider(oidcProvider)).toMatchObject({
      idToken: true,
      allowInsecureRequests: false,
      timeout: 10_000,
      responseMode: 'query',
    })
    expect(deriveProvider({ ...oidcProvider, idToken: false }).idToken).toBe(false)
  })
})

describe('the members of a field', () => {
  it('CFG-007 callbacks are all optional', () => {
    const defaults = derive().callbacks
    for (const name of ['jwt', 'redirect', 'session', 'signIn'] as const) {
      const own = () => 'own'
      expect(derive({ callbacks: { [name]: own } }).callbacks).toEqual({ ...defaults, [name]: own })
      expect(derive({ callbacks: { [name]: undefined } }).callbacks).toEqual(defaults)
    }
  })

  it('CFG-019 jwt accepts any subset of maxAge, encode and decode', () => {
    const encode = () => 'token'
    const decode = () => null
    expect(derive({ jwt: { encode } }).jwt).toMatchObject({ encode, decode: undefined, maxAge: 2592000 })
    expect(derive({ jwt: { decode } }).jwt).toMatchObject({ encode: undefined, decode, maxAge: 2592000 })
    expect(derive({ jwt: { maxAge: 5 } }).jwt).toMatchObject({
      encode: undefined,
      decode: undefined,
      maxAge: 5,
    })
  })

  it('CFG-037 CFG-043 skipCSRFCheck and raw accept only their symbols', () => {
    expect(derive({ skipCSRFCheck }).csrf).toBe(false)
    expect(derive({ raw }).raw).toBe(true)
    for (const value of [true, 'skipCSRFCheck', Symbol('skip-csrf-check'), raw]) {
      expect(derive({ skipCSRFCheck: value })).toMatchObject({ csrf: true, fault: { type: 'InvalidConfig' } })
    }
    for (const value of [true, 'raw', Symbol('return-type-raw'), skipCSRFCheck]) {
      expect(derive({ raw: value })).toMatchObject({ raw: false, fault: { type: 'InvalidConfig' } })
    }
  })

  it('CF-01 WIR-005 a page with the built-in path replaces nothing', () => {
    const pages = {
      signIn: '/auth/signin',
      signOut: '/auth/signout/',
      error: '/auth/error',
      newUser: '/auth/signin',
    }
    expect(derive({ pages }).pages).toEqual({ newUser: '/auth/signin' })
    expect(derive({ pages, basePath: '/api/auth' }).pages).toEqual(pages)
    expect(derive({ pages: { verifyRequest: '/verify-request' }, basePath: '/' }).pages).toEqual({})
  })

  it('CF-01 undefined and null count as missing', () => {
    const fields =
      'adapter basePath callbacks cookies debug events experimental jwt logger pages providers session theme'
    for (const value of [undefined, null])
      for (const field of fields.split(' ')) expect(derive({ [field]: value }).fault, field).toBeUndefined()
    expect(derive({ callbacks: { jwt: null } }).callbacks.jwt).toBe(derive().callbacks.jwt)
    expect(derive({ pages: { signIn: null }, theme: { logo: null } })).toMatchObject({ pages: {}, theme: {} })
  })
})
