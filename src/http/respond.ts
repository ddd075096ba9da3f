import { type CookieChange, serializeCookie } from '../cookies/cookie.ts'
import { nameScope } from '../cookies/scope.ts'
import type { ResponseInternal } from '../types/config.ts'
import { copyHeaders, type ResponseParts } from './parts.ts'

/** Prevents caching (CK-12). The last two headers are for caches older than HTTP/1.1. */
export const noStore = Object.freeze({
  'Cache-Control': 'private, no-cache, no-store',
  Expires: '0',
  Pragma: 'no-cache',
})

/** The headers of JSON. */
export const jsonHeaders = Object.freeze({ 'Content-Type': 'application/json' })

/**
 * Prevents caching of an application's response to which session cookies are added, because a cache would send them to
 * other visitors. Overrides the application's own values.
 */
export function keepFromCaches(
  cookies: readonly string[],
  setHeader: (name: string, value: string) => unknown,
): void {
  if (cookies.length === 0) return
  for (const [name, value] of Object.entries(noStore)) setHeader(name, value)
}

/** Headers of a response. Each name has one spelling, so that a later value replaces an earlier one. */
type ResponseHeaders = Readonly<
  Partial<
    Record<
      | 'Allow'
      | 'Cache-Control'
      | 'Content-Security-Policy'
      | 'Content-Type'
      | 'Expires'
      | 'Location'
      | 'Pragma'
      | 'Referrer-Policy'
      | 'Retry-After'
      | 'X-Content-Type-Options'
      | 'X-Frame-Options',
      string
    >
  >
>

/** Returns the headers of a response with status 429 (RFC 6585 4, RFC 9110 10.2.3). */
export function limitHeaders({ retryAfter }: { readonly retryAfter?: number }): ResponseHeaders {
  return retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
}

/** A response as data. */
export interface ResponseData {
  /** Always 302 with a location. */
  readonly status: number
  readonly headers?: ResponseHeaders
  /** A string is sent unchanged; an object or null as JSON. */
  readonly body?: string | object | null
  /** The URL to redirect to. */
  readonly location?: string
  /** Whether the page at `location` shows an error. */
  readonly showsError?: boolean
  /** The redirect of an attempt over the rate limit. As JSON, it has status 429 and `Retry-After`. */
  readonly limited?: { readonly retryAfter?: number }
  /** In the order in which they were set. If a cookie was set several times, the last value wins. */
  readonly cookies: readonly CookieChange[]
  /**
   * Prevents caching even if no cookie is set. Redirects are never cached, because their format depends on the request.
   */
  readonly private?: boolean
}

/**
 * Completes the response. A redirect has status 302, so that browsers never repeat a POST (RFC 9700 4.12). A client
 * that sent `X-Auth-Return-Redirect` gets 200 with the URL as JSON and all headers, and `ok: false` if the page at that
 * URL shows an error. The URL alone does not show this, because any page may have a parameter `error`. Over the rate
 * limit, this response has status 429. The redirect has no `Retry-After`, which would delay the error page (RFC 9110
 * 10.2.3).
 */
export function respond(
  answer: ResponseData,
  { returnsRedirect }: { readonly returnsRedirect: boolean },
): ResponseParts {
  const { status, headers, cookies: changes } = complete(answer)
  const cookies = changes.map((change) => serializeCookie(change))
  const { location, limited } = answer
  if (location === undefined) return { status, headers, cookies, body: toText(answer.body) }
  const Location = encodeLocation(location)
  if (!returnsRedirect) return { status, headers: { ...headers, Location }, cookies, body: null }
  const json = JSON.stringify({ url: Location, ...(answer.showsError && { ok: false }) })
  const jsonStatus = limited ? 429 : 200
  const retry = limited && limitHeaders(limited)
  return {
    status: jsonStatus,
    headers: { ...headers, ...retry, Location, ...jsonHeaders },
    cookies,
    body: json,
  }
}

/** Creates the Response. */
export function toResponse({ status, headers, cookies, body }: ResponseParts): Response {
  const own = copyHeaders(Object.entries(headers))
  for (const cookie of cookies) own.append('Set-Cookie', cookie)
  return new Response(body, { status, headers: own })
}

/** Returns the Set-Cookie values of changes, one for each cookie. */
export function writeCookies(changes: readonly CookieChange[]): string[] {
  return lastOfEach(changes).map((change) => serializeCookie(change))
}

/** Returns the response as `Auth` does in raw mode: the same status, headers, redirect and cookies, as data. */
export function toInternal(answer: ResponseData): ResponseInternal & {
  readonly headers: Headers
  readonly cookies: CookieChange[]
} {
  const { headers, cookies, ...others } = complete(answer)
  const { body, location } = answer
  return {
    ...others,
    cookies: cookies.map(({ name, value, options, expires }) => ({
      name,
      value,
      // The application may change them, but not the objects of the configuration.
      options: expires ? { ...options, expires } : { ...options },
    })),
    headers: copyHeaders(Object.entries(headers)),
    ...(body === undefined ? undefined : { body }),
    ...(location === undefined ? undefined : { redirect: encodeLocation(location) }),
  }
}

/** Adds the headers that depend on the other members. Leaves cookies unchanged. */
function complete(answer: ResponseData) {
  const cookies = lastOfEach(answer.cookies)
  return {
    status: answer.location === undefined ? answer.status : 302,
    headers: completeHeaders(answer, cookies),
    cookies,
  }
}

function completeHeaders(answer: ResponseData, cookies: readonly CookieChange[]): ResponseHeaders {
  const isPrivate = answer.private || cookies.length > 0 || answer.location !== undefined
  return {
    ...(typeof answer.body === 'object' && jsonHeaders),
    ...answer.headers,
    ...(isPrivate && noStore),
  }
}

function toText(body: unknown): string | null {
  if (body === undefined) return null
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/**
 * Keeps one Set-Cookie for each cookie, because user agents differ in which one they use. Two values have the same name
 * only while the attributes of a cookie change: first the value that clears the old cookie, then the new cookie
 * (decision 63).
 */
function lastOfEach(changes: readonly CookieChange[]): readonly CookieChange[] {
  if (changes.length < 2) return changes
  const byIdentity = new Map<string, CookieChange>()
  for (const change of changes) {
    const identity = `${change.name}; ${nameScope(change.options)}`
    byIdentity.delete(identity)
    byIdentity.set(identity, change)
  }
  return [...byIdentity.values()]
}

/**
 * Percent-encodes characters that a header must not contain or that browsers drop before they parse the URL, such as
 * tabs and line feeds in a host name. The URL may come from a redirect callback or a provider's metadata.
 */
function encodeLocation(url: string): string {
  if (/^[!-~]*$/.test(url)) return url
  // A lone surrogate cannot be encoded. Browsers replace it too.
  return url.toWellFormed().replace(/[^!-~]/gu, (character) => encodeURIComponent(character))
}

export interface PageSources {
  /** Hash or nonce of the page's style, in the form of the policy: `sha256-...` or `nonce-...`. */
  readonly style: string
  /** Hash or nonce of the page's script, or `self` for scripts of the library's routes. @default no script */
  readonly script?: string
  /** URL of the logo. The policy names its origin if the URL is absolute. */
  readonly logo?: string
}

/**
 * Returns the headers of a built-in page (decision 32). The page loads only the sources that its policy names, cannot
 * be shown in a frame, sends no referrer to other sites, and is not cached.
 */
export function pageHeaders(sources: PageSources): ResponseHeaders {
  return {
    ...noStore,
    'Content-Type': 'text/html',
    'Content-Security-Policy': contentSecurityPolicy(sources),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  }
}

function contentSecurityPolicy({ style, script, logo }: PageSources): string {
  return [
    "default-src 'none'",
    `style-src '${style}'`,
    `img-src 'self' data:${originOf(logo)}`,
    // The script fetches passkey options from the library's routes.
    ...(script === undefined ? [] : [`script-src '${script}'`, "connect-src 'self'"]),
    // Browsers also apply this to the redirect after a form, which leads to any provider.
    "form-action 'self' https: http://localhost:* http://127.0.0.1:*",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function originOf(url: string | undefined): string {
  if (typeof url !== 'string' || !URL.canParse(url)) return ''
  const { origin, protocol } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? ` ${origin}` : ''
}
