import { resolveProvider } from '../../src/config/resolve-provider.ts'
import type { OAuthSettings } from '../../src/config/settings.ts'
import { createIdp } from '../../fuzz/world/idp/idp.ts'
import type { Idp } from '../../fuzz/world/idp/contract.ts'
import { createPlatform, type SignInStage } from '../oauth/stage.ts'
import { type Answer, answers, standard } from './answers.ts'
import { type Fact, type Factory, loadFactory } from './catalogue.ts'

export const issuer = 'https://op.example'
const host = 'https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0'

/** Options without which a preset has no endpoints or no tenant. */
const required: Readonly<Record<string, object>> = {
  netsuite: { accountID: '1234567_SB1', userinfo: 'https://1234567-sb1.restlets.example/user' },
  'microsoft-entra-id': { issuer: host },
  'azure-ad': { issuer: host },
  bungie: { apiKey: 'KEY' },
  loops: { transactionalId: 'T' },
  email: { server: 'smtp://localhost' },
  nodemailer: { server: 'smtp://localhost' },
}

/** Issuers that servers use if they differ from the configured one. */
const named: Readonly<Record<string, string>> = {
  asgardeo: `${issuer}/oauth2/token`,
  onelogin: `${issuer}/oidc/2`,
  auth0: `${issuer}/`,
  authentik: `${issuer}/`,
  descope: 'https://api.descope.com/CID',
}

/** A request that the library sent. */
export interface Sent {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: URLSearchParams
}

export interface CatalogueStage extends SignInStage {
  readonly sent: readonly Sent[]
}

export const clientOptions = { clientId: 'CID', clientSecret: 'SEC' }

/** The options of a preset in all tests: those without which it has no endpoints. */
export function optionsOf(fact: Fact): object {
  const { authorization, token, userinfo, type, module } = fact
  const isOpen = type === 'oidc' && !fact.issuer && module !== 'descope'
  const isBelow = JSON.stringify([authorization, token, userinfo]).includes('{issuer}')
  return { ...clientOptions, ...((isOpen || isBelow) && { issuer }), ...required[module] }
}

export function resolveOf(make: Factory, options: object): OAuthSettings {
  const settings = resolveProvider(make(options), undefined)
  if (settings.kind !== 'oauth') throw new Error(`${settings.id} is not an OAuth provider`)
  return settings
}

export function answerOf({ module }: Fact): Answer {
  return answers[module] ?? standard
}

/** A provider of the catalogue, and a server that responds as its documentation says. */
export async function stageOf(
  fact: Fact,
  { answer, tokens }: Omit<Answer, 'user'> = answerOf(fact),
  options: object = {},
): Promise<CatalogueStage> {
  const provider = resolveOf(await loadFactory(fact.module), { ...optionsOf(fact), ...options })
  const sent: Sent[] = []
  const isOpen = fact.type === 'oidc'
  const server = isOpen ? openServer(fact, provider, answer, tokens) : plainServer(provider, answer, tokens)
  const platform = createPlatform(
    async (input, init) => {
      const request = new Request(input, init)
      const text = await request.clone().text()
      const { method, headers } = request
      sent.push({ method, headers, url: new URL(request.url), body: new URLSearchParams(text) })
      return server.answer(request)
    },
    Date.UTC(2030, 0, 1),
  )
  return { provider, sent, idp: { authorize: server.authorize }, context: { platform, version: '1.2.3' } }
}

interface Server extends Pick<Idp, 'authorize'> {
  readonly answer: (request: Request) => Response | Promise<Response>
}

/** Returns tokens from the token endpoint, and the user from any other URL. */
function plainServer(provider: OAuthSettings, answer: object, tokens: object | undefined): Server {
  const good = { access_token: 'AT', token_type: 'bearer', expires_in: 3600 }
  return {
    answer: ({ url }) => Response.json(isAt(url, provider.token.url) ? (tokens ?? good) : answer),
    async authorize(url) {
      const query = new URL(url).searchParams
      const parameters = new URLSearchParams({ code: 'CODE' })
      const state = query.get('state')
      if (state !== null) parameters.set('state', state)
      return { redirectUri: query.get('redirect_uri') ?? '', mode: 'query', parameters }
    },
  }
}

function isAt(url: string, endpoint: string | undefined): boolean {
  return endpoint !== undefined && url.split('?')[0] === endpoint.split('?')[0]
}

/** An OpenID server whose endpoints may have other paths than its metadata. */
function openServer(
  fact: Fact,
  provider: OAuthSettings,
  answer: Readonly<Record<string, unknown>>,
  tokens: object | undefined,
): Server {
  const known = named[fact.module] ?? provider.issuer ?? ''
  const { sub, ...claims } = answer
  const method = provider.client.token_endpoint_auth_method as 'client_secret_post' | undefined
  const idp = createIdp({
    issuer: known,
    clients: [{ id: 'CID', secret: 'SEC', method, signsUserinfo: fact.module === 'bankid-no' }],
    users: [{ sub: String(sub), claims }],
    now: () => Date.UTC(2030, 0, 1),
    alg: provider.client.id_token_signed_response_alg === 'HS256' ? 'HS256' : 'RS256',
  })
  const root = known.replace(/\/$/, '')
  /** Finds the mock's endpoint by the last segment of the path. */
  const aim = (url: string) => {
    const { pathname, search } = new URL(url)
    const last = pathname.split('/').at(-1) ?? ''
    return `${root}/${last === 'openid-configuration' ? '.well-known/' : ''}${last}${search}`
  }
  return {
    async answer(request) {
      const { hostname, pathname } = new URL(request.url)
      if (hostname === 'graph.microsoft.com') return new Response('no photo', { status: 404 })
      const good = await idp.fetch(new Request(aim(request.url), request))
      if (!good.ok || !pathname.endsWith('/token')) return good
      const body = (await good.json()) as object
      // FusionAuth sends this header with successful responses too.
      const headers = fact.module === 'fusionauth' ? { 'www-authenticate': 'Bearer' } : undefined
      return Response.json({ ...body, ...tokens }, { headers })
    },
    // Apple returns an id_token whatever the scope.
    authorize: (url) => idp.authorize(aim(url).replace(/scope=name.email/, 'scope=openid')),
  }
}
