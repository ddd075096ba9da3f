import { isAuthAction } from '../config/create-action-url.ts'
import { readEnvironment } from '../config/environment.ts'
import { setEnvDefaults } from '../config/set-env-defaults.ts'
import { serveConfig, type AuthInstance } from '../create-auth.ts'
import type { FoundSession } from '../require-session.ts'
import type { AuthConfig } from '../types/config.ts'
import type { Session } from '../types/records.ts'

export interface SolidAuthConfig extends AuthConfig {
  /** Path of the routes; mount `GET` and `POST` on a catch-all route there. @default '/api/auth' */
  prefix?: string
}

/** What is used of SolidStart's events: those of API routes, middleware and server functions. */
interface SolidEvent {
  readonly request: Request
}

interface AnsweringEvent extends SolidEvent {
  readonly response: { readonly headers: Headers }
}

type Answer = (event: SolidEvent) => Promise<Response | undefined>

/**
 * The handlers of a SolidStart application, for the route `src/routes/api/auth/[...auth].ts`. They answer undefined to
 * what is no route of the library. The secret may come from `AUTH_SECRET`; the credentials of providers are not read from
 * the environment.
 *
 * @example
 * export const { GET, POST } = SolidAuth(authOptions)
 */
export function SolidAuth(config: SolidAuthConfig): { readonly GET: Answer; readonly POST: Answer } {
  const prefix = prefixOf(config)
  const answer: Answer = async ({ request }) => {
    const { pathname } = new URL(request.url)
    const action = pathname.slice(prefix.length + 1).split('/')[0]
    if (!pathname.startsWith(`${prefix}/`) || !isAuthAction(action ?? '')) return undefined
    return instanceOf(config).handler(request)
  }
  return { GET: answer, POST: answer }
}

/** The session of a request, or null. One that was extended has new cookies, which this leaves behind; see `loadSession`. */
export async function getSession(
  request: Request,
  config: Omit<SolidAuthConfig, 'raw'>,
): Promise<Session | null> {
  return instanceOf(config).getSession(request)
}

/** The session of a request, and the Set-Cookie values that keep it alive. */
export async function getSessionWithCookies(
  request: Request,
  config: Omit<SolidAuthConfig, 'raw'>,
): Promise<FoundSession> {
  return instanceOf(config).getSessionWithCookies(request)
}

/**
 * The session of an event, whose response gets the cookies that keep it alive.
 *
 * @example
 * const loadUser = query(async () => {
 *   'use server'
 *   const session = await loadSession(getRequestEvent(), authOptions)
 *   if (!session?.user) throw redirect('/')
 *   return session.user
 * }, 'user')
 */
export async function loadSession(
  event: AnsweringEvent | undefined,
  config: Omit<SolidAuthConfig, 'raw'>,
): Promise<Session | null> {
  if (!event) return null
  const { session, cookies } = await getSessionWithCookies(event.request, config)
  for (const cookie of cookies) event.response.headers.append('Set-Cookie', cookie)
  return session
}

const instances = new WeakMap<object, AuthInstance>()

/** One for each configuration, which is not written to. */
function instanceOf(config: Omit<SolidAuthConfig, 'raw'>): AuthInstance {
  const known = instances.get(config)
  if (known) return known
  const complete: AuthConfig = { ...config, raw: undefined, basePath: prefixOf(config), providers: [] }
  setEnvDefaults(readEnvironment(), complete, true)
  // Put in afterwards, so that no credentials are found for them (decision 36).
  const instance = serveConfig({ ...complete, providers: config.providers })
  instances.set(config, instance)
  return instance
}

function prefixOf({ prefix, basePath = '/api/auth' }: Omit<SolidAuthConfig, 'raw'>): string {
  return (prefix ?? basePath).replace(/\/+$/, '')
}
