import type { CookieOption, CookieSerializeOptions } from '../types/cookies.ts'
import { carriedPieces } from './chunks.ts'
import { clearCookie, type CookieChange } from './cookie.ts'
import type { RequestCookies } from './parse-cookies.ts'

/** Maximum Set-Cookie headers. Proxies limit the size of a response. */
const maxChanges = 20

/**
 * Clears the cookies of that name that the browser may have from an earlier configuration: with another domain, path or
 * `Partitioned`. A request does not show which it has, and a browser clears no other cookie (RFC 6265bis 5.7). Send these
 * headers before those that set the cookie, because some clients compare only the names.
 *
 * @param base origin and base path of the library
 */
export function clearVariants(cookies: RequestCookies, cookie: CookieOption, base: string): CookieChange[] {
  const names = carriedPieces(cookies, cookie.name)
  return variantsOf(cookie.options, new URL(base))
    .flatMap((options) => names.map((name) => clearCookie({ name, options })))
    .slice(0, maxChanges)
}

function variantsOf(options: CookieSerializeOptions, { hostname, pathname }: URL): CookieSerializeOptions[] {
  const domains = [undefined, ...domainsOf(hostname)].filter((domain) => domain !== options.domain)
  const paths = ['/', pathname].filter((path, at, all) => path !== options.path && all.indexOf(path) === at)
  return [
    ...domains.map((domain) => ({ ...options, domain })),
    ...paths.map((path) => ({ ...options, path })),
    ...(options.secure ? [{ ...options, partitioned: !options.partitioned }] : []),
  ]
}

/** Returns the host and the domains above it, at most three. An address and a name without a dot have none. */
function domainsOf(hostname: string): string[] {
  const labels = hostname.split('.')
  if (hostname.includes(':') || /^\d+$/.test(labels.at(-1) ?? '')) return []
  return labels
    .slice(0, -1)
    .map((_, at) => labels.slice(at).join('.'))
    .slice(-3)
}
