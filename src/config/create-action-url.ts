import { isHost } from '../text/host.ts'
import { type AuthAction, isOptionalAction, routes } from '../routes.ts'
import type { AuthConfig } from '../types/config.ts'
import { type Environment, readSiteUrl } from './environment.ts'
import { warnOnce } from './warnings.ts'

/**
 * Returns whether a name is a route of this library.
 *
 * @param action the first segment of the path below `basePath`
 * @returns whether it is the name of a route
 * @example
 * isAuthAction('signin') // true
 */
export function isAuthAction(action: string): action is AuthAction {
  return isOptionalAction(action) || routes.some((route) => route.action === action)
}

/**
 * Returns the URL of an action, for frameworks that call the handler themselves. It starts with `AUTH_URL` or
 * `NEXTAUTH_URL` if set, otherwise with the forwarded host or the host of the request, which must be trusted.
 *
 * @param action the route, such as `signin`
 * @param protocol `http` or `https`, with or without the colon
 * @param headers the headers of the request, for its host
 * @param environment the variables, such as `process.env`
 * @param config `basePath`, and `logger` for warnings
 * @returns the URL of the route
 * @throws TypeError if no host is known, the host is not `host[:port]`, or the protocol is neither http nor https
 * @throws InvalidConfig if `AUTH_URL` or `NEXTAUTH_URL` is not a valid URL
 * @example
 * const url = createActionURL('session', 'https', request.headers, process.env, config)
 */
export function createActionURL(
  action: AuthAction,
  protocol: string,
  headers: Headers,
  environment: Environment,
  config: Pick<AuthConfig, 'basePath' | 'debug' | 'logger'>,
): URL {
  const basePath = trimSlashes(config.basePath ?? '')
  const url = readSiteUrl(environment) ?? readSiteUrl(environment, 'NEXTAUTH_URL')
  if (url) {
    const path = trimSlashes(url.pathname)
    if (!config.basePath) return new URL([url.origin, path, action].filter(Boolean).join('/'))
    if (path && path !== basePath) warnOnce(config, 'env-url-basepath-mismatch', undefined, basePath)
    return new URL([url.origin, basePath, action].filter(Boolean).join('/'))
  }
  const host = first(headers.get('x-forwarded-host')) ?? headers.get('host')
  if (!host)
    throw new TypeError('The host is unknown. Set `AUTH_URL`, or pass the Host header of the request')
  const scheme = (first(headers.get('x-forwarded-proto')) ?? (protocol || 'https')).replace(/:$/, '')
  // Text before or after them would change the origin or the route.
  if (!isHost(host)) throw new TypeError('The Host or X-Forwarded-Host header must be host[:port]')
  if (!/^https?$/i.test(scheme)) throw new TypeError('The X-Forwarded-Proto header must be http or https')
  return new URL([`${scheme}://${host}`, basePath, action].filter(Boolean).join('/'))
}

/** Proxies append to a list, so the first entry is the client's side. */
function first(list: string | null): string | undefined {
  return list?.split(',')[0]?.trim() || undefined
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '')
}
