import type { CookieChange } from '../cookies/cookie-change.ts'
import { serializeCookie } from '../cookies/serialize-cookie.ts'
import type { ResponseInternal } from '../types/config.ts'
import { noStore } from './no-store.ts'

/** Headers of answers. Spelled in one way, so that of two with one name the later takes the earlier's place. */
export type AnswerHeaders = {
  readonly [
    Name in
      | 'Allow'
      | 'Cache-Control'
      | 'Content-Security-Policy'
      | 'Content-Type'
      | 'Expires'
      | 'Location'
      | 'Pragma'
      | 'Referrer-Policy'
      | 'X-Content-Type-Options'
      | 'X-Frame-Options'
  ]?: string
}

/** What a route answers, as data. */
export interface Answer {
  /** Always 302 with a location. */
  readonly status: number
  readonly headers?: AnswerHeaders
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
  const { status, headers, body, redirect, cookies } = complete(answer)
  const response =
    redirect === undefined
      ? new Response(toText(body), { status, headers })
      : returnsRedirect
        ? tellLocation(redirect, headers)
        : new Response(null, { status, headers: { ...headers, Location: redirect } })
  for (const cookie of cookies) response.headers.append('Set-Cookie', serializeCookie(cookie))
  return response
}

function tellLocation(Location: string, headers: AnswerHeaders): Response {
  const told: AnswerHeaders = { ...headers, Location, 'Content-Type': 'application/json' }
  return new Response(JSON.stringify({ url: Location }), { status: 200, headers: told })
}

/** The answer as `Auth` gives it in raw mode: the same status, headers, target and cookies, not yet written out. */
export function toInternal(answer: Answer): ResponseInternal & {
  readonly headers: Headers
  readonly cookies: CookieChange[]
} {
  const { headers, ...others } = complete(answer)
  return { ...others, headers: new Headers(headers) }
}

/** With the headers that follow from the rest, all but the cookies. */
function complete(answer: Answer) {
  const { status, body, location } = answer
  const cookies = lastOfEachName(answer.cookies)
  const headers: AnswerHeaders = {
    ...(typeof body === 'object' && { 'Content-Type': 'application/json' }),
    ...answer.headers,
    ...((answer.private || cookies.length > 0) && noStore),
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
