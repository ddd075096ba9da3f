import type { AuthAction } from '../types/config.ts'
import type { CookieTable } from '../config/settings.ts'
import type { RequestCookies } from '../cookies/request-cookies.ts'

/** A request, parsed once. */
export interface Visit {
  readonly request: Request
  readonly method: 'GET' | 'POST'
  /** Canonical origin: of `AUTH_URL`, else of the request. */
  readonly origin: string
  /** Origin and base path. */
  readonly base: string
  readonly action: AuthAction
  readonly providerId?: string
  readonly query: URLSearchParams
  /** Form or JSON members; empty for GET. The last of duplicate form fields. */
  readonly body: Readonly<Record<string, unknown>>
  /** Names of form fields that came more than once. */
  readonly duplicates: readonly string[]
  readonly cookies: RequestCookies
  readonly cookieTable: CookieTable
  /** `X-Auth-Return-Redirect` is there: redirects are answered as JSON. */
  readonly returnsRedirect: boolean
}

/** A request that is none of this library's, or too malformed or large to look at. */
export interface Refused {
  readonly refused: 'bad-request' | 'not-found' | 'method' | 'too-large'
  readonly status: 400 | 404 | 405 | 413 | 431
  /** Value of the `Allow` header that a 405 has to carry (RFC 9110 15.5.6). */
  readonly allow?: string
  /** For the log. */
  readonly message: string
}
