import type { CookieTable } from '../config/settings.ts'
import type { RequestCookies } from '../cookies/parse-cookies.ts'
import type { RequestParts } from './parts.ts'

/** A request, parsed once. */
export interface Visit {
  readonly request: RequestParts
  readonly method: 'GET' | 'POST'
  /** The canonical origin: that of `AUTH_URL`, or else of the request. */
  readonly origin: string
  /** Origin and base path. */
  readonly base: string
  /** The first segment of the path under the base path: an action of the library or of a feature. */
  readonly action: string
  readonly providerId: string | undefined
  readonly query: URLSearchParams
  /** The members of the form or JSON body; empty for GET. The last of duplicate form fields wins. */
  readonly body: Readonly<Record<string, unknown>>
  /** Names of duplicate form fields. */
  readonly duplicates: readonly string[]
  readonly cookies: RequestCookies
  readonly cookieTable: CookieTable
  /** Whether the request has `X-Auth-Return-Redirect`, so that redirects are returned as JSON. */
  readonly returnsRedirect: boolean
  /**
   * Whether the cookies that a flow sets are sent. For `getSession`, there is no response to add them to, so no session is
   * extended.
   */
  readonly sendsCookies: boolean
  /** Whether the session is returned as a value, and not as the text of a response. */
  readonly returnsValue: boolean
}

/** A request that matches no route, or is malformed or too large. */
export interface Refused {
  readonly refused: 'bad-request' | 'not-found' | 'method' | 'too-large'
  readonly status: 400 | 404 | 405 | 413 | 431
  /** Value of the `Allow` header, which a 405 must have (RFC 9110 15.5.6). */
  readonly allow?: string
  /** For the log. */
  readonly message: string
}
