import type { AuthAction, AuthConfig } from '../types/config.ts'
import { createLogger } from './create-logger.ts'
import type { Environment } from './environment.ts'
import { readSiteUrl } from './site-environment.ts'

const actions = new Set<string>([
  'callback',
  'csrf',
  'error',
  'providers',
  'session',
  'signin',
  'signout',
  'verify-request',
  'webauthn-options',
] satisfies AuthAction[])

/** Is this the name of a route of this library? */
export function isAuthAction(action: string): action is AuthAction {
  return actions.has(action)
}

/**
 * The URL of an action for frameworks that call the handler themselves: from `AUTH_URL` (or `NEXTAUTH_URL`) when set,
 * else from the request's (forwarded) host headers, which must be trusted.
 * @throws TypeError when no host is known
 * @throws InvalidConfig when `AUTH_URL` or `NEXTAUTH_URL` is set to anything but the URL of a site
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
    if (path && path !== basePath) createLogger(config).warn('env-url-basepath-mismatch')
    return new URL([url.origin, basePath, action].filter(Boolean).join('/'))
  }
  const host = first(headers.get('x-forwarded-host')) ?? headers.get('host')
  if (!host) throw new TypeError('No host: set AUTH_URL, or pass the request’s Host header')
  const scheme = (first(headers.get('x-forwarded-proto')) ?? (protocol || 'https')).replace(/:$/, '')
  return new URL([`${scheme}://${host}`, basePath, action].filter(Boolean).join('/'))
}

/** Proxies append to a list; the first entry is the client's side. */
function first(list: string | null): string | undefined {
  return list?.split(',')[0]?.trim() || undefined
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '')
}
