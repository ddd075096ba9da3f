import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unknownIssuer } from '../../src/oauth/discover-server.ts'
import { checkTokens } from '../../src/oauth/exchange-code.ts'
import { hasFailed } from '../../src/oauth/failure.ts'
import { fetchOf } from '../../src/provider-base/preset.ts'
import { customFetch } from '../../src/types/symbols.ts'
import type { TokenEndpointHandler } from '../../src/types/provider.ts'
import type { TokenSet } from '../../src/types/records.ts'
import { spread } from '../support/spread.ts'
import {
  admitted,
  createPlatform,
  createStage,
  ending,
  issuer,
  redirectUri,
  resolve,
  signIn,
} from './stage.ts'

const endpoints = {
  authorization: `${issuer}/authorize`,
  token: `${issuer}/token`,
  userinfo: `${issuer}/userinfo`,
}
const oauthOnly = { type: 'oauth', issuer: undefined, ...endpoints }
const silent = { idp: { metadata: { authorization_response_iss_parameter_supported: false } } }
const now = Date.UTC(2030, 0, 1) / 1000

/** The tokens from a response of the token endpoint, for a provider without id_tokens. */
async function judge(body: string): Promise<TokenSet | string> {
  const context = { platform: createPlatform(fetch), version: '1.2.3' }
  const response = new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' } })
  const exchange = { response: new URLSearchParams({ code: 'c' }) }
  const judged = await checkTokens(resolve(oauthOnly), { issuer: unknownIssuer }, response, exchange, context)
  return hasFailed(judged) ? judged.failed.reason : judged.grant.tokens
}

const tokensWith = (member: string) =>
  judge(`{"access_token":"a","token_type":"bearer"${member && `,${member}`}}`)

describe('the expiry of the access token', () => {
  it.each([
    ['3600', 3600],
    ['0', 0],
    ['3599.9', 3599],
    ['"3600"', 3600],
    ['" 60 "', 60],
    ['-1', undefined],
    ['null', undefined],
    ['""', undefined],
    ['"soon"', undefined],
    ['"60s"', undefined],
    ['"-60"', undefined],
    ['"1e3"', undefined],
    ['1e400', undefined],
    ['1e300', undefined],
    ['true', undefined],
    ['[60]', undefined],
    ['{}', undefined],
  ])('OI-22 REC-011 with expires_in %s is %s seconds away', async (raw, lifetime) => {
    const tokens = await tokensWith(`"expires_in":${raw}`)
    expect(tokens).toMatchObject({ access_token: 'a' })
    if (typeof tokens === 'string') return
    expect(tokens.expires_in).toBe(lifetime)
    expect(tokens.expires_at).toBe(lifetime === undefined ? undefined : now + lifetime)
  })

  it('OI-22 is never NaN, negative or a fraction, whatever JSON the provider sends', async () => {
    const cases = spread('expires_in and expires_at')
    const value = fc.oneof(
      fc.jsonValue(),
      fc.double(),
      fc.integer(),
      fc.integer().map(String),
      fc.constant('NaN'),
    )
    await fc.assert(
      fc.asyncProperty(value, fc.option(value, { nil: undefined }), async (lifetime, moment) => {
        const tokens = await judge(
          JSON.stringify({
            access_token: 'a',
            token_type: 'bearer',
            expires_in: lifetime,
            expires_at: moment,
          }),
        )
        if (typeof tokens === 'string') throw new Error(tokens)
        const { expires_at, expires_in } = tokens
        if (expires_at !== undefined) expect(Number.isSafeInteger(expires_at) && expires_at >= 0).toBe(true)
        if (expires_in !== undefined) expect(expires_at).toBe(now + expires_in)
        cases.count(
          expires_in === undefined ? (expires_at === undefined ? 'without' : 'as sent') : 'computed',
        )
      }),
      { numRuns: 400 },
    )
    cases.report()
    cases.atLeast('computed', 40)
    cases.atLeast('without', 40)
    cases.atLeast('as sent', 5)
  })

  it('OI-22 is the provider’s own if there is no lifetime', async () => {
    expect(await tokensWith(`"expires_at":${now + 5}`)).toMatchObject({ expires_at: now + 5 })
    expect(await tokensWith('"expires_at":"tomorrow"')).not.toHaveProperty('expires_at')
  })

  it('REC-001 REC-009 leaves all other members unchanged', async () => {
    const details = [{ type: 'payment' }]
    expect(
      await tokensWith(`"authorization_details":${JSON.stringify(details)},"team":{"id":1}`),
    ).toMatchObject({
      authorization_details: details,
      team: { id: 1 },
    })
  })
})

describe('hooks of the token endpoint', () => {
  it('WIR-039 DEC-10a conform fixes a response, and undefined keeps it', async () => {
    const fixed = createStage({
      idp: { misbehave: ['token-type-missing'] },
      provider: {
        token: {
          conform: async (response: Response) =>
            Response.json({ ...((await response.json()) as object), token_type: 'bearer' }),
        },
      },
    })
    expect(ending(await signIn(fixed))).toBe('admitted')
    const read: string[] = []
    const keeping = createStage({
      provider: { token: { conform: async (response: Response) => void read.push(await response.text()) } },
    })
    expect(ending(await signIn(keeping))).toBe('admitted')
    expect(read[0]).toContain('access_token')
  })

  it('WIR-039 an exception in conform ends the sign-in, and is the cause', async () => {
    const cause = new Error('conform')
    const stage = createStage({ provider: { token: { conform: () => Promise.reject(cause) } } })
    expect(await signIn(stage)).toMatchObject({
      stop: 'exchange',
      failed: { reason: 'hook-failed', error: { cause } },
    })
  })

  it('WIR-039 an exception of conform is not reported as an invalid id_token', async () => {
    const conform = () => Promise.reject(new Error('no JWT, and no ID Token'))
    expect(ending(await signIn(createStage({ provider: { token: { conform } } })))).toBe(
      'exchange: hook-failed',
    )
  })

  it.each([
    ['a.b.c', 'whose header is not JSON'],
    ['a.b', 'of two parts'],
    ['a.b.c.d.e', 'that is encrypted'],
    ['W10.e30.x', 'whose header is a list'],
    ['eyJhbGciOiJSUzI1NiJ9.W10.x', 'whose claims are a list'],
    ['eyJhbGciOiJSUzI1NiJ9.e30.x', 'without claims'],
    ['eyJhbGciOiJub25lIn0.e30.x', 'with another algorithm'],
    ['eyJhbGciOiJSUzI1NiIsImNyaXQiOlsiYiJdfQ.e30.x', 'with a critical header'],
  ])('OI-14 distinguishes the id_token %s, %s, from a malformed response', async (id_token) => {
    const conform = async () => Response.json({ access_token: 'a', token_type: 'bearer', id_token })
    expect(ending(await signIn(createStage({ provider: { token: { conform } } })))).toBe(
      'exchange: claims.invalid',
    )
  })

  it('DEC-10a TX-14 request replaces the token request, with its parameters and our fetch', async () => {
    const seen: URLSearchParams[] = []
    const request: TokenEndpointHandler['request'] = ({ params, provider }) => {
      seen.push(params)
      const headers = { authorization: `Basic ${btoa(`${provider.clientId}:canary+client+secret+(~!*)`)}` }
      return fetchOf(provider)(`${issuer}/token`, { method: 'POST', body: params, headers })
    }
    const stage = createStage({ provider: { token: { request } } })
    const { checks } = admitted(await signIn(stage))
    expect(Object.fromEntries(seen[0] ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: expect.stringMatching(/./),
      redirect_uri: redirectUri,
      code_verifier: checks.codeVerifier,
    })
    expect(stage.idp.requestsTo('token')[0]?.headers.get('user-agent')).toBe('authmachine/1.2.3')
  })

  it('FI-05 DEC-03d request receives our fetch, even if the application has its own', async () => {
    const agents: (string | null)[] = []
    const own: typeof fetch = (input, init) => {
      agents.push(new Headers(init?.headers).get('user-agent'))
      return stage.idp.fetch(input, init)
    }
    const request: TokenEndpointHandler['request'] = ({ params, provider }) => {
      const headers = { authorization: `Basic ${btoa(`${provider.clientId}:canary+client+secret+(~!*)`)}` }
      return fetchOf(provider)(`${issuer}/token`, { method: 'POST', body: params, headers })
    }
    const stage = createStage({ provider: { [customFetch]: own, token: { request } } })
    admitted(await signIn(stage))
    expect(new Set(agents)).toEqual(new Set(['authmachine/1.2.3']))
  })

  it('DEC-10a request may return tokens, which are validated like any others', async () => {
    const tokens = { access_token: 'own', token_type: 'Bearer', expires_in: '60' }
    const hooks = (given: object) => ({
      ...oauthOnly,
      token: { request: () => ({ tokens: given }) },
      userinfo: { request: () => ({ id: 7 }) },
      profile: ({ id }: { id: number }) => ({ id }),
    })
    const good = admitted(await signIn(createStage({ ...silent, provider: hooks(tokens) })))
    expect(good.tokens).toEqual({
      access_token: 'own',
      token_type: 'bearer',
      scope: 'openid profile email',
      expires_in: 60,
      expires_at: now + 60,
    })
    for (const bad of [{ ...tokens, token_type: 'mac' }, { token_type: 'bearer' }, undefined])
      expect(ending(await signIn(createStage({ ...silent, provider: hooks(bad as object) })))).toMatch(
        /^exchange: /,
      )
  })

  it('DEC-10a an exception in request ends the sign-in, and is the cause', async () => {
    const cause = new Error('request')
    const request = () => Promise.reject(cause)
    const result = await signIn(createStage({ provider: { token: { request } } }))
    expect(result).toMatchObject({ stop: 'exchange', failed: { reason: 'hook-failed', error: { cause } } })
    expect(result.stop === undefined ? '' : result.failed.error.message).not.toContain('request"')
  })
})

describe('the id_token of an oauth provider', () => {
  it('OI-01 proves nothing without an issuer, and is ignored', async () => {
    const stage = createStage({ idp: { ...silent.idp, misbehave: ['issuer-wrong'] }, provider: oauthOnly })
    const { tokens, mapped } = admitted(await signIn(stage))
    expect(tokens).not.toHaveProperty('id_token')
    expect(mapped.account.providerAccountId).toBe('ann')
    expect(stage.idp.requestsTo('jwks')).toEqual([])
  })

  it('OI-01 OI-07 is verified if there is an issuer', async () => {
    const provider = { type: 'oauth', ...endpoints }
    expect(admitted(await signIn(createStage({ provider }))).tokens.id_token).toMatch(/^ey/)
    const wrong = createStage({ provider, idp: { misbehave: ['issuer-wrong'] } })
    expect(ending(await signIn(wrong))).toBe('exchange: claims.invalid')
    const forged = createStage({ provider, idp: { misbehave: ['signature-foreign'] } })
    expect(ending(await signIn(forged))).toBe('signature: signature-invalid')
  })

  it('OI-01 is compared with an issuer, which an oidc provider requires', async () => {
    const provider = { issuer: undefined, ...endpoints }
    expect(ending(await signIn(createStage({ ...silent, provider })))).toBe('exchange: misconfigured')
  })

  it('TX-06 an iss in the response can only be checked if an issuer is configured', async () => {
    const result = await signIn(createStage({ provider: oauthOnly }))
    expect(ending(result)).toBe('response: issuer.mismatched')
    expect(result.stop === undefined ? '' : result.failed.error.message).toContain('not configured')
  })
})

describe('the id_token of a multi-tenant provider', () => {
  const template = `${issuer}/{tenantid}`
  const options = (tenant: unknown, tenants?: readonly string[], named?: string) => ({
    idp: {
      issuer: `${issuer}/common`,
      metadata: { issuer: template, authorization_response_iss_parameter_supported: false },
      users: [{ sub: 'ann', claims: { tid: tenant } }],
      tokenIssuer: () => named ?? `${issuer}/${String(tenant)}`,
    },
    preset: { issuerTemplate: template },
    provider: { tenants },
  })

  it('OI-21 DEC-09d accepts the issuer of the tenant that signs in', async () => {
    expect(ending(await signIn(createStage(options('tenant-x'))))).toBe('admitted')
    expect(ending(await signIn(createStage(options('tenant-y'))))).toBe('admitted')
  })

  it('OI-21 DEC-09d is rejected with another tenant, none, or the template itself', async () => {
    for (const [tenant, named] of [
      ['tenant-x', `${issuer}/tenant-y`],
      ['tenant-x', `${issuer}/tenant-x/`],
      ['tenant-x', template],
      [undefined, template],
      [undefined, `${issuer}/undefined`],
      [7, `${issuer}/7`],
      ['x/../y', `${issuer}/x/../y`],
      ['', `${issuer}/`],
      ['$&', `${issuer}/{tenantid}`],
    ] as const)
      expect(ending(await signIn(createStage(options(tenant, undefined, named))))).toBe(
        'exchange: claims.invalid',
      )
  })

  it('OI-21 DEC-09e must belong to an allowed tenant, even with a fixed issuer', async () => {
    expect(ending(await signIn(createStage(options('tenant-x', ['tenant-y', 'tenant-x']))))).toBe('admitted')
    expect(ending(await signIn(createStage(options('tenant-x', ['tenant-y']))))).toBe(
      'exchange: claims.invalid',
    )
    expect(ending(await signIn(createStage(options('tenant-x', []))))).toBe('exchange: claims.invalid')
    expect(ending(await signIn(createStage({ provider: { tenants: ['tenant-y'] } })))).toBe(
      'exchange: claims.invalid',
    )
  })

  it('DEC-09d is compared with a fixed issuer if the document names one', async () => {
    const preset = { issuerTemplate: template }
    expect(ending(await signIn(createStage({ preset })))).toBe('admitted')
    const foreign = createStage({
      preset,
      idp: { tokenIssuer: () => `${issuer}/tenant-x`, users: [{ sub: 'a', claims: { tid: 'tenant-x' } }] },
    })
    expect(ending(await signIn(foreign))).toBe('exchange: claims.invalid')
  })
})

describe('the claims of a JWT', () => {
  const nest = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, n]))
  const cases = [
    { size: '64 levels', a: nest(63), ending: 'admitted' },
    { size: '65 levels', a: nest(64), ending: 'refused' },
    { size: '3001 levels', a: nest(3000), ending: 'refused' },
    { size: '1900 members', a: many(1900), ending: 'admitted' },
    { size: '2001 members', a: many(2001), ending: 'refused' },
    { size: '40,000 characters', a: 'x'.repeat(40_000), ending: 'admitted' },
    { size: '50,000 characters', a: 'x'.repeat(50_000), ending: 'refused' },
  ]

  it.each(cases)('LM-11 LM-10 are limited in an id_token: $size', async ({ a, ending: expected }) => {
    const stage = createStage({ idp: { users: [{ sub: 'ann', claims: { a } }] } })
    stage.idp.choose('ann')
    expect(ending(await signIn(stage))).toBe(expected === 'refused' ? 'exchange: tokens.malformed' : expected)
  })

  it('LM-11 LM-10 are limited in a userinfo response', async () => {
    for (const { a, ending: expected } of cases) {
      const payload = Buffer.from(JSON.stringify({ sub: 'ann', iss: issuer, aud: 'client-1', a }))
      const jwt = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${payload.toString('base64url')}.AA`
      const stage = createStage({
        provider: { idToken: false, client: { userinfo_signed_response_alg: 'RS256' } },
        fetch: (idp) => async (input, init) =>
          (input instanceof Request ? input.url : input.toString()).endsWith('/userinfo')
            ? new Response(jwt, { headers: { 'content-type': 'application/jwt' } })
            : idp.fetch(input, init),
      })
      // The invalid signature is verified only afterwards.
      const reason = expected === 'refused' ? 'userinfo-refused' : 'signature-invalid'
      expect(ending(await signIn(stage))).toBe(`profile: ${reason}`)
    }
  })
})
