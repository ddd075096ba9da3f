import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import GitHub from '../../src/providers/github.ts'
import { merge } from '../../src/config/resolve-provider.ts'
import { customFetch } from '../../src/types/symbols.ts'
import { derive, deriveProvider, oauthProvider, oidcProvider } from './derive.ts'

const types = ['oauth', 'oidc', 'email', 'credentials', 'webauthn'] as const

describe('a provider', () => {
  it('PRV-001 has one of five types', () => {
    for (const type of types) {
      const provider = { ...oauthProvider, type, authorize: () => null, issuer: 'https://acme.test' }
      const [resolved] = derive({ providers: [provider] }).providers.values()
      expect(resolved?.type).toBe(type)
    }
    for (const type of ['saml', 'OAuth', '', undefined, null, '__proto__'])
      expect(derive({ providers: [{ ...oauthProvider, type }] }).fault?.message, String(type)).toContain(
        '`type` of provider "acme" must be "oauth", "oidc", "email", "credentials" or "webauthn"',
      )
  })

  it('PRV-002 CF-02 has an id that is safe in its URLs', () => {
    for (const id of ['acme', 'a.b-c_d~1', '__proto__', 'constructor'])
      expect(derive({ providers: [{ ...oauthProvider, id }] }).providers.has(id)).toBe(true)
    for (const id of ['', 'a/b', 'a b', 'a?b', 'ä', '%2f', 5, undefined])
      expect(derive({ providers: [{ ...oauthProvider, id }] }).fault?.type, String(id)).toBe('InvalidConfig')
  })

  it('CFG-002 PRV-001 may be a function that returns one', () => {
    expect(deriveProvider(() => oauthProvider)).toMatchObject({ id: 'acme', kind: 'oauth' })
    expect(deriveProvider(() => GitHub({ clientId: 'client' })).name).toBe('GitHub')
  })

  it('CFG-003 works the same at any position in the list', () => {
    const mail = { id: 'mail', name: 'Mail', type: 'email' }
    const others = [
      { ...oidcProvider, id: 'third', checks: ['none'] },
      { ...mail, type: 'credentials' },
    ]
    const list = [oauthProvider, oidcProvider, ...others]
    const plain = derive({ providers: list }).providers
    fc.assert(
      fc.property(fc.shuffledSubarray(list, { minLength: 4 }), (shuffled) => {
        const { providers } = derive({ providers: shuffled })
        expect([...providers.keys()]).toEqual(shuffled.map(({ id }) => id))
        for (const [id, provider] of providers) expect(provider).toEqual(plain.get(id))
      }),
    )
  })
})

describe('the options of a provider', () => {
  it('PRV-025 are merged into the preset, and keep its other members', () => {
    const preset = { ...oauthProvider, client: { a: 1, b: 2 }, style: { brandColor: '#fff' } }
    const options = { name: 'Mine', clientId: 'mine', client: { b: 3 }, style: { logo: '/l.svg' } }
    expect(deriveProvider({ ...preset, options })).toMatchObject({
      id: 'acme',
      name: 'Mine',
      clientId: 'mine',
      clientSecret: 'client-secret',
      client: { a: 1, b: 3 },
      style: { brandColor: '#fff', logo: '/l.svg' },
    })
  })

  it('PRV-025 keep members of the preset that are missing or undefined in them', () => {
    const options = { name: undefined, clientId: undefined, checks: undefined }
    expect(deriveProvider({ ...oauthProvider, checks: ['state'], options })).toMatchObject({
      name: 'Acme',
      clientId: 'client',
      checks: ['state'],
    })
  })

  it('PRV-014 DEC-06e replace the checks of the preset, and are never merged with them', () => {
    const preset = { ...oauthProvider, checks: ['pkce', 'state'] }
    const withChecks = (checks: readonly string[]) => deriveProvider({ ...preset, options: { checks } })
    expect(withChecks(['none'])).toMatchObject({ checks: [], checksDisabled: true })
    expect(withChecks(['state'])).toMatchObject({ checks: ['state'], checksDisabled: false })
    expect(withChecks(['pkce'])).toMatchObject({ checks: ['pkce'], checksDisabled: false })
  })

  it('PRV-014 PRV-029 accept the nonce check for oidc only', () => {
    for (const check of ['none', 'state', 'pkce', 'nonce'])
      expect(deriveProvider({ ...oidcProvider, checks: [check] }).checks).toEqual(
        check === 'none' ? [] : [check],
      )
    expect(derive({ providers: [{ ...oauthProvider, checks: ['nonce'] }] }).fault?.message).toBe(
      '`checks` of provider "acme" must be among pkce, state, none, got "nonce"',
    )
  })

  it('PRV-005 PRV-006 PRV-007 add parameters to an endpoint of the preset, and keep its URL', () => {
    for (const endpoint of ['authorization', 'token', 'userinfo'] as const) {
      const url = `https://acme.test/${endpoint === 'authorization' ? 'authorize' : endpoint}`
      const params = { scope: 'all', flag: true, claims: { a: 1 } }
      const resolved = deriveProvider({ ...oauthProvider, options: { [endpoint]: { params } } })[endpoint]
      expect(resolved).toMatchObject({ url, params: { scope: 'all', flag: 'true', claims: '{"a":1}' } })
      const own = deriveProvider({
        ...oauthProvider,
        [endpoint]: { url, params },
        options: { [endpoint]: 'https://own.test/x' },
      })[endpoint]
      expect(own).toMatchObject({ url: 'https://own.test/x', params: {} })
    }
  })

  it('PRV-026 can set a fetch, which overrides that of the preset', () => {
    const own: typeof fetch = () => Promise.reject(new Error('own'))
    const preset: typeof fetch = () => Promise.reject(new Error('preset'))
    expect(deriveProvider({ ...oauthProvider, options: { [customFetch]: own } }).fetch).toBe(own)
    expect(deriveProvider({ ...oauthProvider, [customFetch]: preset }).fetch).toBe(preset)
    expect(
      deriveProvider({ ...oauthProvider, [customFetch]: preset, options: { [customFetch]: own } }).fetch,
    ).toBe(own)
    expect(deriveProvider(oauthProvider).fetch).toBeUndefined()
  })

  it('CFG-032 PRV-022 take the redirect proxy from the provider, then the configuration, then the environment', () => {
    const environment = { AUTH_REDIRECT_PROXY_URL: 'https://env.test/auth' }
    const config = { redirectProxyUrl: 'https://config.test/auth' }
    const own = { ...oauthProvider, redirectProxyUrl: 'https://own.test/auth/' }
    const proxyOf = (...args: Parameters<typeof deriveProvider>) => deriveProvider(...args).redirectProxy
    expect(proxyOf(own, config, environment)).toEqual({
      origin: 'https://own.test',
      callbackUrl: 'https://own.test/auth/callback/acme',
    })
    expect(proxyOf(oauthProvider, config, environment)?.callbackUrl).toBe(
      'https://config.test/auth/callback/acme',
    )
    expect(proxyOf(oauthProvider, {}, environment)?.callbackUrl).toBe('https://env.test/auth/callback/acme')
    expect(proxyOf(oauthProvider)).toBeUndefined()
  })

  it('PRV-017 PRV-018 use the default profile and account functions unless they contain others', async () => {
    const tokens = { access_token: 'a', id_token: 'i', expires_in: 5, other: 'x', session_state: 's' }
    const defaults = deriveProvider(oauthProvider)
    expect(
      await defaults.profile({ sub: '1', nickname: 'Ada', email: 'a@b.c', picture: 'p', other: 2 }, {}),
    ).toEqual({
      id: '1',
      name: 'Ada',
      email: 'a@b.c',
      image: 'p',
    })
    expect(defaults.account(tokens)).toEqual({
      access_token: 'a',
      id_token: 'i',
      session_state: 's',
    })
    const profile = () => ({ id: 'mine' })
    const account = () => ({ access_token: 'mine' })
    expect(deriveProvider({ ...oauthProvider, profile, account })).toMatchObject({ profile, account })
  })
})

describe('merging', () => {
  it('PRV-025 DEC-06e merges only plain objects, and does not change its arguments', () => {
    const date = new Date(0)
    const base = Object.freeze({ a: Object.freeze({ b: 1 }), list: Object.freeze([1, 2]), date })
    const over = Object.freeze({ a: Object.freeze({ c: 2 }), list: Object.freeze([3]), nothing: null })
    expect(merge(base, over)).toEqual({ a: { b: 1, c: 2 }, list: [3], date, nothing: null })
    expect(merge(base, undefined)).toEqual(base)
  })

  it('LM-07 does not copy a prototype', () => {
    const over = JSON.parse('{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}') as object
    const merged = merge({ a: {} }, over)
    expect(Reflect.get(merged, 'polluted')).toBeUndefined()
    expect(Reflect.get(Object(merged.a), 'polluted')).toBeUndefined()
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})
