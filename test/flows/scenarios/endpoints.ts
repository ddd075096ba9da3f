import { exportJWK, generateKeyPair } from 'jose'
import { expect } from 'vitest'
import { customFetch } from '../../../src/types/symbols.ts'
import { issuer, sessionOf, signIn, startSignIn, type App, type AppOptions } from '../../support/app.ts'
import type { IdpClient } from '../../../fuzz/world/idp/contract.ts'
import { createIdp } from '../../../fuzz/world/idp/idp.ts'
import { scenario } from '../scenario.ts'
import { expectError, locationOf } from '../expectations.ts'

const noIss = { metadata: { authorization_response_iss_parameter_supported: false } } as const
const ada = { user: { name: 'Ada' } }

async function signsIn(app: App): Promise<void> {
  const agent = app.agent()
  await signIn(app, agent)
  expect(app.ended()).toBe('signedIn')
  expect(await sessionOf(agent)).toMatchObject(ada)
}

const asked = (app: App) => app.idp.log.map(({ endpoint }) => endpoint)

/** Where a provider's endpoints are, and how they are called. */
export const endpointScenarios = [
  scenario(
    'PRV-010 DEC-10d DEC-10f an issuer suffices, and its metadata is requested once an hour',
    async ({ open }) => {
      for (const type of ['oidc', 'oauth'] as const) {
        const app = open({ provider: { type } })
        await signsIn(app)
        await signsIn(app)
        expect(app.idp.requestsTo('discovery')).toHaveLength(1)
        app.clock.advance(3600)
        await signsIn(app)
        expect(app.idp.requestsTo('discovery')).toHaveLength(2)
      }
    },
  ),

  scenario(
    'PRV-008 PRV-009 DEC-10a a discovery URL provides the endpoints, and each configured endpoint overrides it',
    async ({ open }) => {
      const wellKnown = `${issuer}/.well-known/openid-configuration`
      const alone = open({ provider: { issuer: undefined, wellKnown } })
      await signsIn(alone)
      expect(alone.idp.requestsTo('discovery').map(({ url }) => url)).toEqual([wellKnown])
      const beside = open({
        provider: {
          wellKnown,
          token: `${issuer}/token?by=hand`,
          authorization: `${issuer}/authorize?by=hand`,
        },
      })
      await signsIn(beside)
      expect(beside.idp.requestsTo('authorize')[0]?.url).toContain('?by=hand')
      expect(beside.idp.requestsTo('token')[0]?.url).toBe(`${issuer}/token?by=hand`)
    },
  ),

  scenario('DEC-10e PRV-009 an unused endpoint is not required', async ({ open }) => {
    const metadata = { userinfo_endpoint: undefined }
    await signsIn(open({ idp: { metadata } }))
    const oauth = { type: 'oauth', authorization: `${issuer}/authorize` } as const
    const app = open({ provider: oauth, idp: noIss })
    await startSignIn(app.agent())
    expect(app.ended()).toBe('sentToProvider')
    expect(app.idp.log).toEqual([])
    const lacking = open({ provider: { idToken: false }, idp: { metadata } })
    expectError(await signIn(lacking, lacking.agent()), 'Configuration')
    expect(lacking.hops.at(-1)?.event).toBe('provider.misconfigured')
    expect(lacking.ended()).toBe('failed')
  }),

  scenario('PRV-007 PRV-030 the userinfo comes from the configured endpoint', async ({ open }) => {
    for (const userinfo of [`${issuer}/userinfo?v=2`, { url: `${issuer}/userinfo`, params: { v: 2 } }]) {
      const app = open({ provider: { userinfo, idToken: false } })
      await signsIn(app)
      const [request] = app.idp.requestsTo('userinfo')
      expect(request?.url).toBe('https://idp.test/userinfo?v=2')
      expect(request?.headers.get('authorization')).toMatch(/^Bearer [\w-]+$/)
    }
    const byClaims = open({ provider: { userinfo: `${issuer}/userinfo` } })
    await signsIn(byClaims)
    expect(byClaims.idp.requestsTo('userinfo')).toEqual([])
  }),

  scenario('PRV-011 DEC-10a the keys come from the configured URL', async ({ open }) => {
    const app = open({
      provider: { jwks_endpoint: `${issuer}/jwks?by=hand` },
      idp: { metadata: { jwks_uri: 'https://evil.test' } },
    })
    await signsIn(app)
    expect(app.idp.requestsTo('jwks').map(({ url }) => url)).toEqual(['https://idp.test/jwks?by=hand'])
  }),

  scenario('DEC-10a token.request and userinfo.request replace the requests', async ({ open }) => {
    const given: unknown[] = []
    const provider: AppOptions['provider'] = {
      type: 'oauth',
      issuer: undefined,
      authorization: `${issuer}/authorize`,
      token: {
        request({ params, provider: { clientId } }) {
          given.push([clientId, Object.fromEntries(params)])
          return { tokens: { access_token: 'made by hand', token_type: 'bearer' } }
        },
      },
      userinfo: {
        request({ tokens }) {
          given.push(tokens.access_token)
          return { sub: 'ada', name: 'Ada' }
        },
      },
    }
    const app = open({ provider, idp: noIss })
    await signsIn(app)
    expect(given).toEqual([
      [
        'client',
        {
          grant_type: 'authorization_code',
          code: expect.any(String),
          redirect_uri: 'https://app.test/auth/callback/idp',
          code_verifier: expect.stringMatching(/^[\w-]{43}$/),
        },
      ],
      'made by hand',
    ])
    expect(asked(app)).toEqual(['authorize'])
  }),

  scenario('WIR-039 token.conform may fix the response, or leave it unchanged', async ({ open }) => {
    const addType = async (response: Response) => {
      const body = (await response.json()) as object
      return 'token_type' in body ? undefined : Response.json({ ...body, token_type: 'bearer' })
    }
    const misbehave = ['token-type-missing'] as const
    await signsIn(open({ provider: { token: { conform: addType } }, idp: { misbehave } }))
    await signsIn(open({ provider: { token: { conform: addType } } }))
    const unchanged = open({ idp: { misbehave } })
    await signIn(unchanged, unchanged.agent())
    expect(unchanged.ended()).toBe('failed')
  }),

  scenario(
    'PRV-012 PRV-013 DEC-10b WIR-038 the client authenticates as its metadata says',
    async ({ open }) => {
      const { privateKey, publicKey } = await generateKeyPair('ES256')
      const publicJwk = { ...(await exportJWK(publicKey)), alg: 'ES256' }
      const basic = `Basic ${btoa('client:client-secret')}`
      const methods = [
        [undefined, basic, ['code_verifier']],
        ['client_secret_basic', basic, ['code_verifier']],
        ['client_secret_post', null, ['client_id', 'client_secret']],
        ['client_secret_jwt', null, ['client_assertion', 'client_id']],
        ['private_key_jwt', null, ['client_assertion', 'client_id']],
        ['none', null, ['client_id']],
      ] as const
      for (const [method, header, sent] of methods) {
        const client: IdpClient = {
          id: 'client',
          secret: 'client-secret',
          method,
          publicJwk: method === 'private_key_jwt' ? publicJwk : undefined,
        }
        const app = open({
          idp: { clients: [client] },
          provider: {
            clientSecret: method === 'none' ? undefined : 'client-secret',
            client: method && { token_endpoint_auth_method: method },
            token: { clientPrivateKey: privateKey },
          },
        })
        await signsIn(app)
        const [request] = app.idp.requestsTo('token')
        expect(request?.headers.get('authorization'), method).toBe(header)
        expect([...(request?.parameters.keys() ?? [])], method).toEqual(expect.arrayContaining([...sent]))
        expect(request?.parameters.get('client_secret'), method).toBe(
          method === 'client_secret_post' ? 'client-secret' : null,
        )
      }
      const unknown = open({ provider: { client: { token_endpoint_auth_method: 'guess' } } })
      expect(await startSignIn(unknown.agent())).toMatchObject({ status: 500 })
      expect(unknown.errors.at(-1)).toMatchObject({ type: 'InvalidConfig' })
    },
  ),

  scenario('DEC-10b PRV-013 other client metadata is used', async ({ open }) => {
    const ofUserinfo = { clients: [{ id: 'client', secret: 'client-secret', signsUserinfo: true }] }
    const app = open({
      idp: ofUserinfo,
      provider: { idToken: false, client: { userinfo_signed_response_alg: 'RS256' } },
    })
    await signsIn(app)
    const hmac = open({
      idp: { alg: 'HS256' },
      provider: { client: { id_token_signed_response_alg: 'HS256' } },
    })
    await signsIn(hmac)
    const undeclared = open({ idp: { alg: 'HS256' } })
    await signIn(undeclared, undeclared.agent())
    expect(undeclared.hops.at(-1)?.event).toBe('claims.invalid')
    expect(undeclared.ended()).toBe('failed')
  }),

  scenario('PRV-026 PRV-027 requests to the provider use its custom fetch', async ({ open }) => {
    const calls: [string, string][] = []
    const app = open({
      provider: {
        idToken: false,
        [customFetch]: (input: RequestInfo | URL, init?: RequestInit) => {
          calls.push([new Request(input).url, init?.method ?? 'GET'])
          return inner.fetch(input, init)
        },
      },
    })
    const inner = createIdp({
      issuer,
      clients: [{ id: 'client', secret: 'client-secret' }],
      users: [{ sub: 'ada', claims: { name: 'Ada' } }],
      now: app.clock.now,
    })
    const agent = app.agent()
    const started = await startSignIn(agent)
    const { parameters } = await inner.authorize(locationOf(started).href)
    await agent.send(`/auth/callback/idp?${parameters}`)
    expect(app.ended()).toBe('signedIn')
    expect(calls).toEqual([
      ['https://idp.test/.well-known/openid-configuration', 'GET'],
      ['https://idp.test/token', 'POST'],
      ['https://idp.test/jwks', 'GET'],
      ['https://idp.test/userinfo', 'GET'],
    ])
    expect(app.idp.log).toEqual([])
  }),

  scenario(
    'DEC-11a OI-16 OI-07 only https is allowed, except on loopback hosts and where it is configured',
    async ({ open }) => {
      const endOf = async (at: string, allowInsecureRequests?: boolean) => {
        const app = open({ idp: { issuer: at }, provider: { issuer: at, allowInsecureRequests } })
        const started = await startSignIn(app.agent())
        if (app.ended() === 'sentToProvider') await signIn(app, app.agent())
        else expectError(started, 'Configuration')
        return [app.ended(), app.idp.log.length > 0]
      }
      expect(await endOf('http://idp.test')).toEqual(['failed', false])
      expect(await endOf('http://localhost.evil.test')).toEqual(['failed', false])
      expect(await endOf('http://idp.test', true)).toEqual(['signedIn', true])
      expect(await endOf('http://localhost:9000')).toEqual(['signedIn', true])
      expect(await endOf('http://127.0.0.1:9000')).toEqual(['signedIn', true])
      const app = open({ idp: { metadata: { token_endpoint: 'http://idp.test/token' } } })
      await signIn(app, app.agent())
      expect(app.ended()).toBe('failed')
      expect(app.idp.requestsTo('token')).toEqual([])
    },
  ),
]
