import fc from 'fast-check'
import { calculatePKCECodeChallenge } from 'oauth4webapi'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AuthorizationRequest, writeAuthorizationUrl } from '../../src/oauth/authorization-url.ts'
import { hasFailed } from '../../src/oauth/failure.ts'
import { spread } from '../support/spread.ts'
import { issuer, redirectUri, resolve } from './stage.ts'

const checks = { state: 'sealed-state', codeVerifier: 'v'.repeat(43), nonce: 'minted-nonce' }
const endpoint = `${issuer}/authorize?prompt=login&audience=one`
const protectedNames = [
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
]

async function build(
  request: Partial<AuthorizationRequest> = {},
  config: Parameters<typeof resolve>[0] = {},
  at = endpoint,
) {
  const whole = { redirectUri, checks, parameters: new URLSearchParams(), ...request }
  const built = await writeAuthorizationUrl(resolve(config), { issuer, authorization_endpoint: at }, whole)
  if (hasFailed(built)) throw built.failed.error
  return { query: new URL(built.url).searchParams, ...built }
}

describe('the authorization request', () => {
  it('WIR-033 TX-08 requests a code, names client and redirect URI, and contains the checks', async () => {
    const { query, ignored } = await build()
    expect(Object.fromEntries(query)).toEqual({
      prompt: 'login',
      audience: 'one',
      response_type: 'code',
      client_id: 'client-1',
      scope: 'openid profile email',
      redirect_uri: redirectUri,
      state: 'sealed-state',
      code_challenge: await calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
      nonce: 'minted-nonce',
    })
    expect(ignored).toEqual([])
  })

  it('WIR-033 follows an endpoint that changes, and keeps its fragment', async () => {
    const provider = resolve({})
    const ask = async (at: string) => {
      const request = { redirectUri, checks, parameters: new URLSearchParams() }
      const built = await writeAuthorizationUrl(provider, { issuer, authorization_endpoint: at }, request)
      return hasFailed(built) ? built.failed.error : new URL(built.url)
    }
    const first = await ask(endpoint)
    expect(await ask(endpoint)).toEqual(first)
    expect(await ask(`${issuer}/new?b=2#top`)).toMatchObject({ pathname: '/new', hash: '#top' })
    expect(await ask(endpoint)).toEqual(first)
  })

  it('LM-11 DEC-07b replaces any number of parameters in one pass, in the order of their names', async () => {
    const parameters = new URLSearchParams('b=1&audience=two&a=2&b=3&audience=three')
    expect((await build({ parameters })).url).toMatch(
      /\?prompt=login&response_type=code&client_id=client-1&scope=[^&]*&b=1&b=3&audience=two&audience=three&a=2&/,
    )
    const spies = (['delete', 'getAll', 'append', 'set', 'has'] as const).map((name) =>
      vi.spyOn(URLSearchParams.prototype, name),
    )
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
    const countWith = async (names: number) => {
      for (const spy of spies) spy.mockClear()
      const many = Array.from({ length: names }, (_, n) => [`p${n}`, 'x'])
      await build({ parameters: new URLSearchParams(many) })
      return spies.reduce((calls, { mock }) => calls + mock.calls.length, 0)
    }
    expect(await countWith(400)).toBe(await countWith(1))
  })

  it('WIR-033 lets the configuration set response_type and client_id, but not the checks or the redirect URI', async () => {
    const { query } = await build(
      {},
      {},
      `${endpoint}&response_type=Assertion&client_id=own&redirect_uri=own&state=own&nonce=own&code_challenge_method=plain`,
    )
    expect(query.get('response_type')).toBe('Assertion')
    expect(query.get('client_id')).toBe('own')
    expect([query.getAll('redirect_uri'), query.getAll('state'), query.getAll('nonce')]).toEqual([
      [redirectUri],
      ['sealed-state'],
      ['minted-nonce'],
    ])
    expect(query.getAll('code_challenge_method')).toEqual(['S256'])
  })

  it('requests a form post if the provider is configured for one', async () => {
    const config = { authorization: { params: { response_mode: 'form_post' } } }
    expect((await build({}, config)).query.get('response_mode')).toBe('form_post')
    expect((await build()).query.get('response_mode')).toBeNull()
  })

  it('WIR-032 adds the OpenID scope if none is configured, and keeps a configured one, even an empty one', async () => {
    expect((await build({}, {}, `${endpoint}&scope=`)).query.getAll('scope')).toEqual([''])
    expect((await build({}, {}, `${endpoint}&scope=openid`)).query.getAll('scope')).toEqual(['openid'])
    const parameters = new URLSearchParams({ scope: 'openid offline_access' })
    expect((await build({ parameters })).query.getAll('scope')).toEqual(['openid offline_access'])
  })

  it('WIR-032 adds the scope for an oauth provider only if its authorization endpoint is configured', async () => {
    const configured = { type: 'oauth', authorization: endpoint }
    expect((await build({}, configured)).query.get('scope')).toBe('openid profile email')
    expect((await build({}, { type: 'oauth' })).query.has('scope')).toBe(false)
  })

  it('TX-13 DEC-07a DEC-07b accepts any parameter of the sign-in request except the protected ones', async () => {
    const cases = spread('parameters of a sign-in request')
    const free = fc
      .oneof(
        fc.string({ minLength: 1 }),
        fc.constantFrom('scope', 'prompt', 'login_hint', 'audience', 'State'),
      )
      .filter((name) => !protectedNames.includes(name))
    const name = fc.oneof(fc.constantFrom(...protectedNames), free)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, fc.string()), { maxLength: 8 }), async (entries) => {
        const parameters = new URLSearchParams(entries)
        const plain = await build()
        const { query, ignored } = await build({ parameters })
        for (const each of protectedNames) expect(query.getAll(each)).toEqual(plain.query.getAll(each))
        const names = new Set(parameters.keys())
        for (const each of names)
          if (!protectedNames.includes(each)) expect(query.getAll(each)).toEqual(parameters.getAll(each))
        expect(new Set(ignored)).toEqual(new Set(protectedNames.filter((each) => names.has(each))))
        expect(ignored.length).toBe(new Set(ignored).size)
        cases.count(ignored.length > 0 ? 'with a protected one' : 'without')
        if (names.size < entries.length) cases.count('with one given twice')
        if (['prompt', 'audience', 'scope'].some((each) => names.has(each)))
          cases.count('over a configured one')
      }),
      { numRuns: 300 },
    )
    cases.report()
    for (const label of ['with a protected one', 'without', 'with one given twice', 'over a configured one'])
      cases.atLeast(label, 10)
  })
})
