import { settingsOf } from './config/derive-settings.ts'
import { readEnvironment } from './config/environment.ts'
import { setEnvDefaults } from './config/set-env-defaults.ts'
import { InvalidConfig } from './errors.ts'
import { createAnswerer } from './handler/create-handler.ts'
import type { OwnAuth } from './handler/direct-auth.ts'
import { createTokenReader } from './handler/get-access-token.ts'
import { createSessionReader } from './handler/read-session.ts'
import { maxCallbackUrl } from './http/limits.ts'
import { pathOf } from './http/known-origin.ts'
import type { RequestParts, ResponseParts } from './http/parts.ts'
import { jsonHeaders, noStore, toResponse } from './http/respond.ts'
import { type MaybePromise, whenReady } from './maybe-promise.ts'
import { once } from './once.ts'
import type { Adapter } from './types/adapter.ts'
import type { AuthConfig, AuthOptions } from './types/config.ts'
import type { FoundSession } from './types/found-session.ts'
import type { AuthTypes, OAuthProviderIds, ProviderIds, ShownSession } from './types/inference.ts'
import type { AuthBase, AuthFor, AuthInstance, UserSession } from './types/instance.ts'
import type { JWT } from './types/jwt.ts'
import type { Provider } from './types/provider.ts'
import type { Authentication, RequiredAuthentication } from './types/second-factor.ts'
import type { DefaultSession, Session } from './types/records.ts'

/** Tells whether a session has a user. */
function isSomebody(found: FoundSession): found is FoundSession<UserSession> {
  return found.session?.user !== undefined && found.session.user !== null
}

/** Why a session is refused, and the route that helps. */
interface Refusal {
  readonly error: string
  readonly route: string
}

/** The names of RFC 9470. Without a second factor to enter, the user signs in again. */
const insufficient = (route: string): Refusal => ({ error: 'insufficient_user_authentication', route })

/**
 * Returns the response to send instead of a protected page. Clients that accept HTML are redirected to the sign-in
 * page, and back to the page afterwards if the request was a GET. Other clients get 401. Includes the changed session
 * cookies.
 * @param base URL of the routes, without a trailing slash
 */
function refuse(
  request: RequestParts,
  base: string,
  cookies: readonly string[],
  { error, route }: Refusal = { error: 'SessionRequired', route: 'signin' },
): ResponseParts {
  const headers = { ...noStore, Vary: 'Accept, Cookie' }
  if (!acceptsHtml(request.headers.get('accept'))) {
    const body = JSON.stringify({ error })
    // A 401 must name a scheme (RFC 9110 15.5.2), and none is registered for cookies.
    return {
      status: 401,
      headers: { ...headers, ...jsonHeaders, 'WWW-Authenticate': 'Cookie' },
      cookies,
      body,
    }
  }
  const query = new URLSearchParams(route === 'signin' ? { error: 'SessionRequired' } : {})
  // Relative, so that it works under any host name a proxy sends.
  const page = request.method === 'GET' ? pathOf(request.url) : ''
  if (page !== '' && page.length <= maxCallbackUrl) query.set('callbackUrl', page)
  return { status: 303, headers: { ...headers, Location: `${base}/${route}?${query}` }, cookies, body: null }
}

/** Only an explicit `text/html` counts: scripts and command-line tools send a wildcard. */
function acceptsHtml(accept: string | null): boolean {
  return (accept ?? '')
    .split(',')
    .some((range) => /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(range))
}

/** Returns why the user of a session must authenticate again, if so. */
async function findLacking(
  authentication: Authentication | undefined,
  required: RequiredAuthentication,
  config: AuthConfig,
): Promise<Refusal | undefined> {
  const { secondFactor, recordsAuthentication, platform } = settingsOf(config)
  if (required.factor && !secondFactor)
    throw new InvalidConfig('`requireSession` with `factor` needs `secondFactor`')
  if (!recordsAuthentication)
    throw new InvalidConfig('`requireSession` with `freshness` needs `secondFactor` or `accountPage`')
  const { isSufficient } = await loadSufficient()
  if (isSufficient(authentication ?? {}, required, platform.now())) return undefined
  return insufficient(required.factor ? 'factor' : 'signin')
}

const loadSufficient = once(() => import('./session/sufficient.ts'))

const answer = createAnswerer((parts) => parts)
const readSession = createSessionReader()
const readToken = createTokenReader()
/** Loads the management of sessions when it is first used. */
const loadManagement = once(() => import('./handler/manage-sessions.ts'))

/**
 * Creates handlers for a configuration. Environment variables fill in missing options; see `setEnvDefaults`.
 *
 * Infers the types of the instance from the configuration: the session from `callbacks.session`, the claims from
 * `callbacks.jwt`, the ids of the providers, and whether `getAccessToken` exists. A variable of type `AuthConfig` gives
 * the general types.
 *
 * Does not throw. A faulty configuration makes each request fail:
 *
 * - `InvalidConfig`: an option has an invalid value, or a callback is misspelt.
 * - `MissingSecret`: there is neither `secret` nor `AUTH_SECRET`.
 * - `UntrustedHost`: the host of requests is not trusted, and `AUTH_URL` is not set.
 * - `DuplicateProvider`, `InvalidEndpoints`, `MissingAuthorize`, `MissingClientId`: a provider is incomplete.
 * - `MissingAdapter`, `MissingAdapterMethods`, `UnsupportedStrategy`: the adapter does not fit the providers or the
 *   session strategy.
 * - `ExperimentalFeatureNotEnabled`, `DuplicateConditionalUI`, `MissingWebAuthnAutocomplete`: a WebAuthn provider.
 *
 * @param config is read on the first request, and never modified
 * @returns the handlers, and functions that read and manage sessions and access tokens
 * @example
 * export const { handler, getSession } = createAuth({ providers: [GitHub] })
 */
export function createAuth<
  const Providers extends readonly Provider[],
  Store extends Adapter | undefined = undefined,
  Claims extends JWT = JWT,
  Returned extends DefaultSession = Session,
>(
  config: AuthOptions<Providers, Store, Returned, Claims>,
): AuthFor<
  {
    readonly session: ShownSession<Returned>
    readonly claims: Claims
    readonly provider: ProviderIds<Providers[number]>
    readonly oauthProvider: OAuthProviderIds<Providers[number]>
  },
  Store
>
export function createAuth(config: Omit<AuthConfig, 'raw'>): AuthInstance {
  const complete: AuthConfig = { ...config }
  setEnvDefaults(readEnvironment(), complete)
  return serveConfig(complete, config)
}

const givenTo = new WeakMap<object, AuthConfig>()

/** Returns the configuration of an instance or of its handler, or undefined for anything else. */
export function configOf(made: object): AuthConfig | undefined {
  return givenTo.get(made)
}

const directs = new WeakMap<object, OwnAuth>()

/** Returns the direct functions of an instance, and undefined for any other object, such as a wrapper around one. */
export function directOf<T extends AuthTypes>(auth: AuthBase<T>): OwnAuth<T> | undefined {
  // They were stored with this instance, so they have its types.
  return directs.get(auth) as OwnAuth<T> | undefined
}

/**
 * Creates handlers for a configuration without completing it.
 * @param given the configuration before it was completed
 */
export function serveConfig(complete: AuthConfig, given = complete): AuthInstance {
  const direct: OwnAuth = {
    settings: () => settingsOf(complete),
    answer: (request) => answer(request, complete) as MaybePromise<ResponseParts>,
    peekSession: async (request) => (await readSession(request, complete, false, false)).session,
    async getSessionWithCookies(request) {
      const { session, cookies } = await readSession(request, complete, true)
      return { session, cookies }
    },
    async requireSession(request, required) {
      const read = await readSession(request, complete, true)
      const { authentication, ...found } = read
      const lacking =
        required && isSomebody(found) ? await findLacking(authentication, required, complete) : undefined
      if (isSomebody(found) && !lacking) return found
      const { basePath, canonicalOrigin } = settingsOf(complete)
      // Without a fault of the configuration, the host is trusted.
      const origin = canonicalOrigin ?? new URL(request.url).origin
      return refuse(request, origin + basePath, found.cookies, lacking)
    },
  }
  const { getSessionWithCookies } = direct
  const handler = async (request: Request) => toResponse(await direct.answer(request))
  const instance: AuthInstance = {
    handler,
    GET: handler,
    POST: handler,
    getSession: async (request) => whenReady(readSession(request, complete, false), ({ session }) => session),
    getSessionWithCookies,
    getAccessToken: (account) => readToken(complete, account),
    async requireSession(request, required) {
      const found = await direct.requireSession(request, required)
      return 'session' in found ? found : toResponse(found)
    },
    listSessions: async (...args) => (await loadManagement()).listSessions(complete, ...args),
    revokeSession: async (...args) => (await loadManagement()).revokeSession(complete, ...args),
    revokeSessions: async (...args) => (await loadManagement()).revokeSessions(complete, ...args),
    deleteUser: async (...args) => (await loadManagement()).deleteUser(complete, ...args),
  }
  directs.set(instance, direct)
  for (const made of [instance, handler]) givenTo.set(made, given)
  return instance
}
