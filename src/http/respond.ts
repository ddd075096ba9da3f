import type { CookieChange } from '../cookies/cookie-change.ts'
import { serializeCookie } from '../cookies/serialize-cookie.ts'
import type { ResponseInternal } from '../types/config.ts'
import { noStore } from './no-store.ts'

/** What a route answers, as data. */
export interface Answer {
  /** Always 302 with a location. */
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent as it is; an object, or null, as JSON. */
  readonly body?: string | object | null
  /** Where to redirect to. */
  readonly location?: string
  /** In the order in which they came up; of several with one name the last counts. */
  readonly cookies: readonly CookieChange[]
  /** Never to be cached, though it sets no cookie. */
  readonly private?: boolean
}

/**
 * Makes the Response of an answer. A redirect is 302, so that a POST is never repeated where it leads (RFC 9700 4.12);
 * for a client that asked for it (`X-Auth-Return-Redirect`) it is 200 with the URL as JSON, all headers kept.
 */
export function respond(
  answer: Answer,
  { returnsRedirect }: { readonly returnsRedirect: boolean },
): Response {
  const { status, headers, body, redirect, cookies } = toInternal(answer)
  for (const cookie of cookies) headers.append('Set-Cookie', serializeCookie(cookie))
  if (redirect === undefined) return new Response(toText(body), { status, headers })
  headers.set('Location', redirect)
  if (!returnsRedirect) return new Response(null, { status, headers })
  headers.set('Content-Type', 'application/json')
  return new Response(JSON.stringify({ url: redirect }), { status: 200, headers })
}

/** The answer as `Auth` gives it in raw mode: the same status, headers, target and cookies, not yet written out. */
export function toInternal(answer: Answer): ResponseInternal & {
  readonly headers: Headers
  readonly cookies: CookieChange[]
} {
  const { status, body, location } = answer
  const cookies = lastOfEachName(answer.cookies)
  const headers = new Headers(answer.headers)
  if (typeof body === 'object' && !headers.has('Content-Type'))
    headers.set('Content-Type', 'application/json')
  if (answer.private || cookies.length > 0) {
    for (const [name, value] of Object.entries(noStore)) headers.set(name, value)
  }
  return {
    status: location === undefined ? status : 302,
    headers,
    cookies,
    ...(body === undefined ? undefined : { body }),
    ...(location === undefined ? undefined : { redirect: encodeLocation(location) }),
  }
}

function toText(body: unknown): string | null {
  if (body === undefined) return null
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** One Set-Cookie a name (RFC 6265 4.1.1): user agents differ in which of two they keep. */
function lastOfEachName(changes: readonly CookieChange[]): CookieChange[] {
  const byName = new Map<string, CookieChange>()
  for (const change of changes) {
    byName.delete(change.name)
    byName.set(change.name, change)
  }
  return [...byName.values()]
}

/**
 * Percent-encodes what a header may not hold, or a browser would drop before it parses (tabs and line feeds inside a
 * host name join its parts). URLs come in here as a redirect callback or a provider's metadata give them.
 */
function encodeLocation(url: string): string {
  return url.replace(/[^!-~]/gu, (character) => encodeURIComponent(replaceSurrogate(character)))
}

/** Half of a surrogate pair has no encoding; browsers take it for U+FFFD. */
function replaceSurrogate(character: string): string {
  return /^[\ud800-\udfff]$/u.test(character) ? '\ufffd' : character
}
