import { hasShortHost } from '../text/host.ts'
import { maxCallbackUrl, maxEncodedCallbackUrl } from './limits.ts'
import type { Visit } from './visit.ts'

/**
 * Characters that browsers drop or replace, but other parsers keep: U+0000 to U+001F and U+007F anywhere, and `\`
 * before the query.
 */
// oxlint-disable-next-line no-control-regex
const ambiguous = /[\u0000-\u001f\u007f]|^[^?#]*\\/

/** A path that no URL parser changes. Most applications redirect to one. */
const plainPath = /^(?:\/[\w-]+)*\/?$/

/**
 * Parses a callback URL: an absolute http(s) URL, or a path, which is resolved against the origin. Returns the URL as a
 * browser would normalise it, so that the browser opens exactly the URL that was checked. Returns undefined for
 * anything else, for more than 2 KiB, and for a URL with credentials. The redirect callback decides about other
 * origins.
 *
 * @param origin as a URL parser returns it
 */
export function parseCallbackUrl(value: unknown, origin: string): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > maxCallbackUrl) return undefined
  const path = value.startsWith(origin) ? value.slice(origin.length) : value
  const url = origin + path
  if (plainPath.test(path) && isHttp(url) && !couldBeTooLong(url)) return url
  if (ambiguous.test(value) || !/^(?:\/|https?:\/\/)/i.test(value) || !hasShortHost(value)) return undefined
  const parsed = tryUrl(value, origin)
  if (!parsed) return undefined
  const { href, username, password } = parsed
  if (username !== '' || password !== '' || !isHttp(href)) return undefined
  if (href.length > maxCallbackUrl || isTooLongEncoded(href)) return undefined
  // An origin without a path is returned as written, because clients compare it with the one that they know.
  return href === `${value}/` ? value : href
}

/** The default redirect callback: URLs of the site's origin, otherwise the base URL, which is this origin. Never throws. */
export function defaultRedirect({ url, baseUrl }: { url: string; baseUrl: string }): string {
  const target = parseCallbackUrl(url, baseUrl)
  return target !== undefined && isOfOrigin(target, baseUrl) ? target : baseUrl
}

/** Returns whether a parsed callback URL has this origin. Both must be normalised by a URL parser. */
export function isOfOrigin(target: string, origin: string): boolean {
  return target === origin || target.startsWith(`${origin}/`)
}

function isHttp(url: string): boolean {
  return /^https?:/.test(url)
}

/** Encodes the URL only if necessary. */
function isTooLongEncoded(href: string): boolean {
  return couldBeTooLong(href) && encodeURIComponent(href).length > maxEncodedCallbackUrl
}

/** Encoding at most triples the length. */
function couldBeTooLong(href: string): boolean {
  return 3 * href.length > maxEncodedCallbackUrl
}

/** Parses only once, unlike `URL.canParse` followed by `new URL`. */
function tryUrl(text: string, base: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** A callback URL as it was sent. */
export interface Asked {
  readonly value: unknown
  readonly by: 'request' | 'cookie'
}

type Sent = Pick<Visit, 'body' | 'query' | 'cookies' | 'cookieTable'>

/** Returns where the client wants to go: from the request, or else from the cookie. */
export function askedFor(visit: Sent): Asked | undefined {
  const told = visit.body.callbackUrl ?? visit.query.get('callbackUrl') ?? undefined
  return told === undefined ? remembered(visit) : { value: told, by: 'request' }
}

/** Returns where the client wanted to go, from the cookie only. */
export function remembered({ cookies, cookieTable }: Sent): Asked | undefined {
  // Of several cookies, browsers send that of an earlier configuration first.
  const value = cookies.getAll(cookieTable.callbackUrl.name).at(-1)
  return value ? { value, by: 'cookie' } : undefined
}
