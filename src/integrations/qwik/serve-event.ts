import { isAuthAction } from '../../config/create-action-url.ts'
import { serveConfig } from '../../create-auth.ts'
import type { Session } from '../../types/records.ts'
import { setCookies, setEnvDefaults, type QwikAuthConfig, type QwikEvent } from './event.ts'

/** The session of a request, and the Set-Cookie values that keep it alive. */
export interface GetSessionResult {
  readonly data: Session | null
  readonly cookie: readonly string[]
}

/** Where an event keeps its session between `onRequest` and the loader. */
const sessionKey = 'session'

/** A configuration with what the environment adds; the one that was given stays as it is. */
export function completeConfig(
  event: Pick<QwikEvent, 'env'>,
  config: QwikAuthConfig,
): QwikAuthConfig & { readonly basePath: string } {
  const complete: QwikAuthConfig = { ...config }
  setEnvDefaults(event.env, complete)
  return { ...complete, basePath: (complete.basePath ?? '/auth').replace(/\/+$/, '') }
}

/** Answers what is a route of the library; finds out whose request any other is. @throws what ends the request */
export async function serveEvent(event: QwikEvent, given: QwikAuthConfig): Promise<void> {
  const config = completeConfig(event, given)
  if (isRoute(new URL(event.request.url), config.basePath)) {
    const response = await serveConfig(config).handler(event.request)
    setCookies(event, response.headers.getSetCookie())
    const headers = new Headers(response.headers)
    headers.delete('set-cookie')
    throw event.send(new Response(response.body, { status: response.status, headers }))
  }
  const { data, cookie } = await getSession(event.request, config)
  setCookies(event, cookie)
  event.sharedMap.set(sessionKey, data)
}

/** What `onRequest` found out. */
export function sessionOf({ sharedMap }: Pick<QwikEvent, 'sharedMap'>): Session | null {
  return (sharedMap.get(sessionKey) as Session | null | undefined) ?? null
}

/** The session of a request, by a configuration that is complete. */
export async function getSession(request: Request, config: QwikAuthConfig): Promise<GetSessionResult> {
  const { session, cookies } = await serveConfig(config).getSessionWithCookies(request)
  return { data: session, cookie: cookies }
}

function isRoute({ pathname }: URL, basePath: string): boolean {
  const [action = ''] = pathname.slice(basePath.length + 1).split('/')
  return pathname.startsWith(`${basePath}/`) && isAuthAction(action)
}
