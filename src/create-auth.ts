import { settingsOf } from './config/derive-settings.ts'
import { readEnvironment } from './config/environment.ts'
import { setEnvDefaults } from './config/set-env-defaults.ts'
import { createHandler } from './handler/create-handler.ts'
import { createTokenReader } from './handler/get-access-token.ts'
import { knownOrigin } from './http/known-origin.ts'
import { isSomebody, refuse, type FoundSession, type UserSession } from './require-session.ts'
import type { AccessTokenAnswer, AccountKey } from './types/access-token.ts'
import type { AuthConfig } from './types/config.ts'
import type { Session } from './types/records.ts'

/** A configuration, ready to answer requests. */
export interface AuthInstance {
  /** Answers any request under the base path. */
  readonly handler: (request: Request) => Promise<Response>
  /** The handler, under the name that file-based routers look for. */
  readonly GET: (request: Request) => Promise<Response>
  /** The handler, under the name that file-based routers look for. */
  readonly POST: (request: Request) => Promise<Response>
  /**
   * The session of a request to your application, or null: whatever is not a session counts as none.
   * A session that was extended has new cookies, which this form leaves behind; see `getSessionWithCookies`.
   */
  readonly getSession: (request: Request) => Promise<Session | null>
  /** The session, and the Set-Cookie values to send along with your own response. */
  readonly getSessionWithCookies: (request: Request) => Promise<FoundSession>
  /**
   * For what only users may see: the session of one, or the Response to give instead. That leads browsers to sign in and
   * back again, and is 401 for clients that do not ask for HTML.
   *
   * @example
   * const found = await auth.requireSession(request)
   * if (found instanceof Response) return found
   * return Response.json(found.session.user)
   */
  readonly requireSession: (request: Request) => Promise<FoundSession<UserSession> | Response>
  /**
   * The access token of a linked account, for calls at the provider; never for the browser. One that is about to expire
   * is refreshed first, by one caller at a time on whatever machine, and stored before it is given out (RFC 9700
   * 4.14.2). Needs an adapter with `getAccount` and `updateAccount`. The account row's `refresh_token` is this library's
   * own while a refresh is under way.
   *
   * @throws InvalidProvider, MissingAdapterMethods, AdapterError when the store fails
   * @example
   * const token = await auth.getAccessToken({ provider: 'google', providerAccountId })
   * if (token.state === 'lapsed') return Response.redirect('/auth/signin')
   */
  readonly getAccessToken: (account: AccountKey) => Promise<AccessTokenAnswer>
}

const handle = createHandler()
const readToken = createTokenReader()

/**
 * Makes handlers for a configuration; what it leaves open comes from environment variables, as `setEnvDefaults` says.
 *
 * @example
 * export const { handler, getSession } = createAuth({ providers: [GitHub] })
 */
export function createAuth(config: Omit<AuthConfig, 'raw'>): AuthInstance {
  const complete: AuthConfig = { ...config }
  setEnvDefaults(readEnvironment(), complete)
  return serveConfig(complete, config)
}

const givenTo = new WeakMap<object, AuthConfig>()

/** The configuration that an instance was made for, by the instance or its handler; undefined for anything else. */
export function configOf(made: object): AuthConfig | undefined {
  return givenTo.get(made)
}

/**
 * Makes handlers for a configuration as it stands.
 * @param given the configuration before it was completed
 */
export function serveConfig(complete: AuthConfig, given = complete): AuthInstance {
  const handler = async (request: Request) => (await handle(request, complete)) as Response
  const basePath = (complete.basePath ?? '/auth').replace(/\/+$/, '')
  const getSessionWithCookies = (request: Request) => readSession(request, basePath, handler)
  const instance: AuthInstance = {
    handler,
    GET: handler,
    POST: handler,
    getSession: async (request) => (await getSessionWithCookies(request)).session,
    getSessionWithCookies,
    getAccessToken: (account) => readToken(complete, account),
    async requireSession(request) {
      const found = await getSessionWithCookies(request)
      if (isSomebody(found)) return found
      const origin = knownOrigin(settingsOf(complete), new URL(request.url).origin) ?? ''
      return refuse(request, origin + basePath, found.cookies)
    },
  }
  for (const made of [instance, handler]) givenTo.set(made, given)
  return instance
}

/** Asks the session route with the cookies of another request. */
async function readSession(request: Request, basePath: string, handler: AuthInstance['handler']) {
  const headers = new Headers()
  const cookie = request.headers.get('cookie')
  if (cookie) headers.set('cookie', cookie)
  try {
    const response = await handler(new Request(new URL(`${basePath}/session`, request.url), { headers }))
    const body: unknown = response.status === 200 ? await response.json() : null
    const isSession = isObject(body) && Object.keys(body).length > 0
    return { session: isSession ? (body as Session) : null, cookies: response.headers.getSetCookie() }
  } catch {
    return { session: null, cookies: [] }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
