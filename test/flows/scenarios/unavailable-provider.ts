import { generateKeyPair } from 'jose'
import { expect } from 'vitest'
import { memoryRevocations } from '../../../src/adapters/memory.ts'
import { createIdp } from '../../../fuzz/world/idp/idp.ts'
import { customFetch } from '../../../src/types/symbols.ts'
import { issuer, signIn, startSignIn, type App, type AppOptions } from '../../support/app.ts'
import { logoutClaims, postLogout, signLogout } from '../../support/oidc/logout-token.ts'
import { key } from '../../support/refresh.ts'
import { scenario, type Stage } from '../scenario.ts'

type Request = (app: App) => Promise<unknown>

const callback: Request = (app) => signIn(app, app.agent())
const start: Request = (app) => startSignIn(app.agent())
const logout: Request = async (app) => postLogout(app, await signLogout(logoutClaims(app)))

/** A state whose step sends a request to the provider. */
interface Place {
  readonly state: string
  readonly request: Request
  /** A part of the URL of its request. */
  readonly url: string
  readonly options?: AppOptions
  /** Options that leave out an endpoint or another required option. */
  readonly lacking: AppOptions
}

const pushed = { require_pushed_authorization_requests: true }
const atCallback = { provider: { authorization: `${issuer}/authorize?scope=openid` } }
const atUserinfo = { provider: { idToken: false } }
const endedByProvider = {
  provider: { backChannelLogout: true },
  config: { jwt: { revocations: memoryRevocations() } },
}
const withoutKeys = { metadata: { jwks_uri: undefined } }

const places: readonly Place[] = [
  {
    state: 'discoveringServer',
    request: start,
    url: '/.well-known/',
    lacking: { idp: { metadata: { authorization_endpoint: undefined } } },
  },
  {
    state: 'pushingAuthorizationRequest',
    request: start,
    url: '/push',
    options: { idp: { metadata: pushed } },
    lacking: { idp: { metadata: { ...pushed, pushed_authorization_request_endpoint: undefined } } },
  },
  {
    state: 'discoveringServer',
    request: callback,
    url: '/.well-known/',
    options: atCallback,
    lacking: { ...atCallback, idp: { metadata: { token_endpoint: undefined } } },
  },
  {
    state: 'exchangingCode',
    request: callback,
    url: '/token',
    lacking: {
      provider: {
        issuer: undefined,
        authorization: `${issuer}/authorize?scope=openid`,
        token: `${issuer}/token`,
        userinfo: `${issuer}/userinfo`,
      },
      idp: { metadata: { authorization_response_iss_parameter_supported: false } },
    },
  },
  { state: 'verifyingIdToken', request: callback, url: '/jwks', lacking: { idp: withoutKeys } },
  {
    state: 'readingProfile',
    request: callback,
    url: '/userinfo',
    options: atUserinfo,
    lacking: { ...atUserinfo, idp: { metadata: { userinfo_endpoint: undefined } } },
  },
  {
    state: 'discoveringServer',
    request: logout,
    url: '/.well-known/',
    options: endedByProvider,
    lacking: { ...endedByProvider, idp: withoutKeys },
  },
]

/** Opens an application whose requests to a URL of the provider fail. */
function openFailing(
  open: Stage['open'],
  { url, options = {} }: Pick<Place, 'url' | 'options'>,
  failure: () => Error,
): App {
  const send: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (pathname.includes(url)) throw failure()
    return app.idp.fetch(input, init)
  }
  const app: App = open({ ...options, provider: { ...options.provider, [customFetch]: send } })
  return app
}

/** Expects the last failure to have an event, and its error in the log. */
function expectEvent(app: App, state: string, event: string, mark?: Error): void {
  expect(app.hops.find((hop) => hop.event === event)?.state).toBe(state)
  const error = app.errors.at(-1)
  expect(error?.cause).toMatchObject({ provider: 'idp' })
  if (mark) expect(error?.cause).toMatchObject({ err: { cause: mark } })
}

const network = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) })

/** Providers to which every request fails, because of the network, an option or a function of the configuration. */
export const unavailableProviderScenarios = [
  ...places.map((place) =>
    scenario(
      `LOG-02 ${place.state} (${place.url}) tells a failure of the network, of a function and of an option apart`,
      async ({ open }) => {
        const refused = network()
        const unreachable = openFailing(open, place, () => refused)
        await place.request(unreachable)
        expectEvent(unreachable, place.state, 'provider.unreachable', refused)

        const thrown = new Error('BOOM')
        const broken = openFailing(open, place, () => thrown)
        await place.request(broken)
        expectEvent(broken, place.state, 'hook.failed', thrown)

        const lacking = open(place.lacking)
        await place.request(lacking)
        expectEvent(lacking, place.state, 'provider.misconfigured')
      },
    ),
  ),

  scenario('LOG-02 a logout token is neither accepted nor refused without the keys', async ({ open }) => {
    const cases = [
      ['hook.failed', new Error('BOOM')],
      ['provider.unreachable', network()],
    ] as const
    for (const [event, failure] of cases) {
      for (const [url, state] of [
        ['/jwks', 'verifyingToken'],
        ['/.well-known/', 'discoveringServer'],
      ] as const) {
        const app = openFailing(open, { url, options: endedByProvider }, () => failure)
        expect(await logout(app)).toMatchObject({ status: 503 })
        expectEvent(app, state, event, failure)
      }
    }
    const app = open({ ...endedByProvider, idp: { misbehave: ['jwks:500'] } })
    expect(await logout(app)).toMatchObject({ status: 503 })
    expectEvent(app, 'verifyingToken', 'keys.unusable')
    const undiscovered = open({ ...endedByProvider, idp: { misbehave: ['discovery:500'] } })
    expect(await logout(undiscovered)).toMatchObject({ status: 503 })
    expectEvent(undiscovered, 'discoveringServer', 'server.unusable')
    const hs256 = {
      ...endedByProvider.provider,
      clientSecret: undefined,
      client: { id_token_signed_response_alg: 'HS256' },
    }
    const keyless = open({ ...endedByProvider, provider: hs256 })
    expect(await logout(keyless)).toMatchObject({ status: 503 })
    expectEvent(keyless, 'verifyingToken', 'provider.misconfigured')
  }),

  scenario('LOG-02 the log names a profile callback that throws, and the thrown value', async ({ open }) => {
    const thrown = new Error('BOOM')
    const app = open({ provider: { profile: () => Promise.reject(thrown) } })
    await callback(app)
    expectEvent(app, 'mappingProfile', 'hook.failed', thrown)
  }),

  scenario('LOG-02 RO-07 a refresh keeps its token if the provider cannot be asked', async ({ open }) => {
    const { publicKey: unable } = await generateKeyPair('RS256')
    const client = { token_endpoint_auth_method: 'private_key_jwt' }
    const cases = [
      ['requestingTokens', 'hook.failed', throwing('/token', new Error('BOOM'))],
      ['requestingTokens', 'provider.unreachable', throwing('/token', network())],
      ['requestingTokens', 'provider.misconfigured', { client, token: { clientPrivateKey: unable } }],
      ['discoveringServer', 'hook.failed', throwing('/.well-known/', new Error('BOOM'))],
      ['discoveringServer', 'provider.unreachable', throwing('/.well-known/', network())],
      ['discoveringServer', 'provider.misconfigured', {}],
    ] as const
    for (const [state, event, provider] of cases) {
      const isLacking = state === 'discoveringServer' && event === 'provider.misconfigured'
      const idp = isLacking ? { metadata: { token_endpoint: undefined } } : {}
      const app = await openWithExpired(open, { provider, idp })
      expect(await app.accessToken(key)).toMatchObject({ state: 'stale', accessToken: 'access-1' })
      expect(app.rows.accounts()[0]?.refresh_token).toBe('refresh-1')
      expectEvent(app, state, event)
    }
  }),
]

/** A provider whose requests to a URL throw. */
function throwing(url: string, thrown: Error): AppOptions['provider'] {
  const send: typeof fetch = (input, init) => {
    const { href } = new URL(input instanceof Request ? input.url : input)
    return href.includes(url)
      ? Promise.reject(thrown)
      : createIdp({ issuer, clients: [], users: [], now: Date.now }).fetch(input, init)
  }
  return { [customFetch]: send }
}

/** An application whose store has an account with an expired access token. */
async function openWithExpired(open: Stage['open'], options: AppOptions): Promise<App> {
  const app = open({ ...options, strategy: 'database' })
  const user = await app.store.createUser({ id: 'u', email: 'ada@example.com', emailVerified: null })
  await app.store.linkAccount({
    ...key,
    userId: user.id,
    type: 'oidc',
    access_token: 'access-1',
    refresh_token: 'refresh-1',
    expires_at: app.clock.now() / 1000 - 1,
  })
  return app
}
