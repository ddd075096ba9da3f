import type { CookieTable } from '../config/settings.ts'
import type { RequestCookies } from '../cookies/parse-cookies.ts'
import { once } from '../once.ts'
import type { AuthAction } from '../types/config.ts'
import type { RequestParts } from './parts.ts'

/** A request, parsed once. */
export interface Visit {
  readonly request: RequestParts
  readonly method: 'GET' | 'POST'
  /** The canonical origin: that of `AUTH_URL`, or else of the request. */
  readonly origin: string
  /** Origin and base path. */
  readonly base: string
  readonly action: AuthAction
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

/** Copies the members of a body. Copying an object without a prototype by a spread takes V8 several times as long. */
export function copyMembers(body: Visit['body']): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(body)) copy[name] = body[name]
  return copy
}

/**
 * Creates a Request for the application's code. The body of the original was read already, so this one contains its
 * members as JSON.
 */
export function rebuildRequest({ request, body }: Visit): Request {
  const { url, method } = request
  // A list costs more, because each name and value is checked again.
  const headers = request.headers instanceof Headers ? request.headers : [...request.headers]
  if (method === 'GET') return new Request(url, { method, headers })
  const init: RequestInit & { readonly duplex: 'half' } = {
    method,
    headers,
    body: streamJson(body),
    duplex: 'half',
  }
  return new Request(url, init)
}

const encoder = new TextEncoder()

/** Streams JSON that is written when someone reads it. A body of text costs twice as much, even if nobody reads it. */
function streamJson(value: unknown): ReadableStream<Uint8Array> {
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull(controller) {
      controller.enqueue(encoder.encode(JSON.stringify(value)))
      controller.close()
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** Adds the Request that {@link rebuildRequest} creates. It is created when it is first read, because most functions do not. */
export function withRequest<Params extends object>(
  params: Params,
  visit: Visit,
): Params & { readonly request: Request } {
  const rebuild = once(() => rebuildRequest(visit))
  return {
    ...params,
    get request() {
      return rebuild()
    },
  }
}
