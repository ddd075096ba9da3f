import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AuthError } from '../../src/errors.ts'
import { platform } from '../../src/types/symbols.ts'
import { type App, type AppOptions, issuer, openApp, startSignIn } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { key, openRefreshApp } from '../support/refresh.ts'

const texts = [
  '',
  ' ',
  '0',
  'null',
  'true',
  '"x"',
  '[]',
  '[{}]',
  '{',
  '\ud800',
  '\0',
  '<html>',
  '{"a":1}{"b":2}',
]
const others = [null, 0, -1, 1e308, true, [], {}, [[]], [null], { a: {} }]
const strange = [
  '',
  '\ud800',
  'a.b.c',
  'e30.e30.',
  '//',
  'x'.repeat(5000),
  'https://idp.test\n',
  'javascript:1',
]
const algorithms = ['none', 'HS256', 'RSA', 'EC', 'OKP', 'oct', 'AQAB']
const values = fc.constantFrom<unknown>(...others, ...strange, ...algorithms, 'https://[', '9'.repeat(400))

const numRuns = 250

/** The members of what an endpoint returns, and how to make the library request it. */
interface Place {
  readonly path: string
  readonly members: string
  readonly provider?: AppOptions['provider']
  /** Whether the members are those of the first key. */
  readonly isKey?: true
}

const ofUser =
  'sub id email email_verified name preferred_username nickname picture groups __proto__ constructor toString'
const ofTokens = 'access_token token_type id_token refresh_token expires_in scope error error_description'

const places: Readonly<Record<string, Place>> = {
  metadata: {
    path: 'openid-configuration',
    members: `issuer authorization_endpoint token_endpoint jwks_uri userinfo_endpoint
      id_token_signing_alg_values_supported authorization_response_iss_parameter_supported
      pushed_authorization_request_endpoint require_pushed_authorization_requests code_challenge_methods_supported end_session_endpoint __proto__`,
  },
  tokens: { path: '/token', members: `${ofTokens} __proto__ constructor` },
  'a pushed request': {
    path: '/push',
    members: 'request_uri expires_in error error_description __proto__',
    provider: { client: { require_pushed_authorization_requests: true } },
  },
  'a set of keys': { path: '/jwks', members: 'keys __proto__' },
  'a key': {
    path: '/jwks',
    members: 'kty alg use kid n e d crv x y k key_ops ext x5c x5t oth __proto__ constructor',
    isKey: true,
  },
  'userinfo of OpenID Connect': { path: '/userinfo', members: ofUser, provider: { idToken: false } },
  'userinfo of OAuth': {
    path: '/userinfo',
    members: ofUser,
    provider: {
      type: 'oauth',
      authorization: `${issuer}/authorize?scope=email`,
      token: `${issuer}/token`,
      userinfo: `${issuer}/userinfo`,
    },
  },
}

type Members = Readonly<Record<string, unknown>>

/** What the provider responds with. */
function damageOf({ members }: Place) {
  const changes = fc
    .array(fc.tuple(fc.constantFrom(...members.split(/\s+/)), values), { minLength: 1, maxLength: 4 })
    .map((pairs) => ({ changes: Object.fromEntries(pairs) as Members }))
  return fc.record({
    status: fc.constantFrom(200, 200, 200, 200, 201, 201, 204, 301, 400, 500),
    type: fc.constantFrom('application/json', 'application/json', 'text/html', 'application/jwt', ''),
    body: fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(...texts).map((text) => ({ text })) },
      { weight: 4, arbitrary: changes },
    ),
  })
}

type Damage = ReturnType<typeof damageOf> extends fc.Arbitrary<infer T> ? T : never

async function damage(honest: Response, { status, type, body }: Damage, { isKey }: Place): Promise<Response> {
  const text = 'text' in body ? body.text : JSON.stringify(change(await honest.json(), body.changes, isKey))
  return new Response(status === 204 ? null : text, {
    status,
    headers: type ? { 'content-type': type } : {},
  })
}

function change(held: unknown, changes: Members, isKey: true | undefined): unknown {
  if (!isKey) return { ...Object(held), ...changes }
  const { keys } = held as { keys: Members[] }
  // Both, because the order of the keys does not matter.
  return { keys: keys.map((key) => ({ ...key, ...changes })) }
}

/** Opens an application whose provider is honest except at one place. */
function openBroken(place: Place, given: Damage) {
  const { provider = {} } = place
  const { idp, config } = openApp({ provider })
  const odd: typeof fetch = async (request, init) => {
    const response = await idp.fetch(request, init)
    const url = request instanceof Request ? request.url : String(request)
    return url.includes(place.path) ? damage(response, given, place) : response
  }
  return { ...openApp({ provider, config: { [platform]: { ...config[platform], fetch: odd } } }), idp }
}

/** Returns the response of the callback, or of the start if that does not lead to the provider. */
async function trySignIn(app: Pick<App, 'idp'>, agent: Agent): Promise<Response> {
  const started = await startSignIn(agent)
  const location = started.headers.get('location') ?? ''
  if (!location.startsWith(`${issuer}/authorize`)) return started
  // The provider refuses a request that does not fit it.
  const given = await app.idp.authorize(location).catch(() => undefined)
  return given ? agent.send(`/auth/callback/idp?${given.parameters}`) : started
}

describe('a provider that responds with nonsense', () => {
  it.each(Object.entries(places))(
    'LM-17 fails a sign-in with a logged error of ours, and never ends in a server error: %s',
    { timeout: 120_000 },
    async (_, place) => {
      let reached = 0
      let signIns = 0
      await fc.assert(
        fc.asyncProperty(damageOf(place), async (given) => {
          const app = openBroken(place, given)
          const response = await trySignIn(app, app.agent())
          reached += app.idp.log.filter(({ url }) => url.includes(place.path)).length
          expect(response.status).toBeLessThan(500)
          if (/[?&]error=/.test(response.headers.get('location') ?? ''))
            expect(app.errors.map(({ message }) => message)).toContainEqual(
              expect.stringContaining('Provider "idp"'),
            )
          else signIns += 1
          for (const error of app.errors) expect(error).toBeInstanceOf(AuthError)
        }),
        { numRuns },
      )
      expect(signIns).toBeGreaterThan(0)
      expect(reached).toBeGreaterThanOrEqual(numRuns)
    },
  )

  it('LM-17 refreshes an account, or logs why it does not', { timeout: 120_000 }, async () => {
    const place: Place = { path: '/token', members: `${ofTokens} __proto__` }
    const states = new Set<string>()
    await fc.assert(
      fc.asyncProperty(damageOf(place), async (given) => {
        const tokens = { access_token: 'access-2', token_type: 'Bearer', expires_in: 600 }
        const { app } = await openRefreshApp(openApp, () => damage(Response.json(tokens), given, place))
        app.errors.length = 0
        const { state } = await app.accessToken(key)
        states.add(state)
        if (state !== 'current') expect(app.errors).not.toEqual([])
        for (const error of app.errors) expect(error).toBeInstanceOf(AuthError)
      }),
      { numRuns },
    )
    expect(states.size).toBeGreaterThan(1)
  })
})
