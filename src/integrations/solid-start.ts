import { reportAtStart } from '../config/derive-settings.ts'
import { readEnvironment } from '../config/environment.ts'
import { setEnvDefaults } from '../config/set-env-defaults.ts'
import { withoutReplaced } from '../cookies/chunks.ts'
import { serveConfig } from '../instance/create-auth.ts'
import { parseRoute } from '../http/parse-visit.ts'
import { keepFromCaches } from '../http/respond.ts'
import { readElsewhere } from '../types/symbols.ts'
import type { AuthConfig } from '../types/config.ts'
import type { FoundSession } from '../types/found-session.ts'
import type { AuthInstance } from '../types/instance.ts'
import type { Session } from '../types/records.ts'

/** The configuration of a SolidStart application. */
export interface SolidAuthConfig extends AuthConfig {
  /** Path of the routes. Mount `GET` and `POST` on a catch-all route there. @default '/api/auth' */
  prefix?: string
}

/** The members of SolidStart's events that the library uses. API routes, middleware and server functions have them. */
interface SolidEvent {
  readonly request: Request
  /** The headers of the response, which SolidStart adds to those of a returned Response. */
  readonly response?: { readonly headers: Headers }
}

/**
 * Creates the handlers of a SolidStart application, for the route `src/routes/api/auth/[...auth].ts`. The secret may come from
 * `AUTH_SECRET`. The credentials of providers are not read from the environment.
 *
 * @param config the configuration, with the path of the route as `prefix`
 * @returns the handlers to export
 * @example export const { GET, POST } = SolidAuth(authOptions)
 */
export function SolidAuth(config: SolidAuthConfig): {
  /** Returns undefined for a path that is not the library's. */
  readonly GET: (event: SolidEvent) => Promise<Response | undefined>
  /** Responds with 404 to a path that is not the library's, because SolidStart turns undefined into a 500. */
  readonly POST: (event: SolidEvent) => Promise<Response>
} {
  const prefix = prefixOf(config)
  reportAtStart(completeConfig(config))
  const answer = async ({ request, response }: SolidEvent) => {
    const answered = await instanceOf(config).handler(request)
    if (response) dropReplaced(response.headers, answered.headers.getSetCookie())
    return answered
  }
  const isOurs = ({ url }: Request) =>
    parseRoute(new URL(url).pathname, prefix, config.features) !== undefined
  return { GET: async (event) => (isOurs(event.request) ? answer(event) : undefined), POST: answer }
}

/**
 * Returns the session of a request, or null. Does not extend the session; use `loadSession` for that.
 *
 * @param request the request, with its cookies
 * @param config the same object as for `SolidAuth`
 * @returns the session, or null if nobody is signed in
 * @throws AuthError (rejects) if the configuration is faulty, or if the store or a callback fails
 * @example
 * const session = await getSession(request, authOptions)
 */
export async function getSession(
  request: Request,
  config: Omit<SolidAuthConfig, 'raw'>,
): Promise<Session | null> {
  return instanceOf(config).getSession(request)
}

/**
 * Returns the session of a request, and the Set-Cookie values that extend it.
 *
 * @param request the request, with its cookies
 * @param config the same object as for `SolidAuth`
 * @returns the session, or null, and the cookies to send with your response
 * @throws AuthError (rejects) as `getSession` does
 * @example
 * const { session, cookies } = await getSessionWithCookies(request, authOptions)
 */
export async function getSessionWithCookies(
  request: Request,
  config: Omit<SolidAuthConfig, 'raw'>,
): Promise<FoundSession> {
  return instanceOf(config).getSessionWithCookies(request)
}

/**
 * Returns the session of an event. Adds the cookies that extend it to the response, with a `Cache-Control` that
 * prevents caching.
 *
 * @param event the event of the request, or undefined outside one
 * @param config the same object as for `SolidAuth`
 * @returns the session, or null if nobody is signed in
 * @example
 * const loadUser = query(async () => {
 * 'use server'
 * const session = await loadSession(getRequestEvent(), authOptions)
 * if (!session?.user) throw redirect('/')
 * return session.user
 * }, 'user')
 */
export async function loadSession(
  event: Required<SolidEvent> | undefined,
  config: Omit<SolidAuthConfig, 'raw'>,
): Promise<Session | null> {
  if (!event) return null
  const { session, cookies } = await getSessionWithCookies(event.request, config)
  const { headers } = event.response
  keepFromCaches(cookies, (name, value) => headers.set(name, value))
  dropReplaced(headers, cookies)
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return session
}

/** Removes the cookies of a response that later ones replace. */
function dropReplaced(headers: Headers, later: readonly string[]): void {
  const kept = withoutReplaced(headers.getSetCookie(), later)
  headers.delete('Set-Cookie')
  for (const cookie of kept) headers.append('Set-Cookie', cookie)
}

const instances = new WeakMap<object, AuthInstance>()

/** Returns the instance of a configuration, which it does not modify. */
function instanceOf(config: Omit<SolidAuthConfig, 'raw'>): AuthInstance {
  const known = instances.get(config)
  if (known) return known
  const instance = serveConfig(completeConfig(config))
  instances.set(config, instance)
  return instance
}

/** Completes a copy of the configuration from the environment. */
function completeConfig(config: Omit<SolidAuthConfig, 'raw'>): AuthConfig {
  const complete: AuthConfig = {
    ...config,
    raw: undefined,
    basePath: prefixOf(config),
    providers: [],
    [readElsewhere]: ['prefix'],
  }
  setEnvDefaults(readEnvironment(), complete, true)
  // Added afterwards, so that the environment provides no credentials for them (decision 36).
  return { ...complete, providers: config.providers }
}

function prefixOf({ prefix, basePath = '/api/auth' }: Omit<SolidAuthConfig, 'raw'>): string {
  return (prefix ?? basePath).replace(/\/+$/, '')
}
