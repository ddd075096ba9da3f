import { readChunked } from '../cookies/chunks.ts'
import { decodePercent, parseCookies } from '../cookies/parse-cookies.ts'

export type HeadersLike = Headers | Readonly<Record<string, string>>

/**
 * Returns the token of a request: from the cookie of that name, joined if it was split, or else from `Authorization:
 * Bearer` (RFC 6750 2.1), percent-decoded. Never throws because of the headers.
 */
export function findToken(headers: HeadersLike, cookieName: string): string | undefined {
  const cookie = readChunked(parseCookies(readHeader(headers, 'cookie')), cookieName)
  return cookie ? cookie : readBearer(readHeader(headers, 'authorization') ?? '')
}

/** Maximum percent-escapes of a bearer token. A token has no character that needs one, and decoding them takes time. */
const maxEscapes = 500

function readBearer(authorization: string): string | undefined {
  const [scheme, credentials = ''] = authorization.split(' ', 2)
  if (scheme !== 'Bearer' || credentials === '') return undefined
  const hasTooMany = credentials.split('%', maxEscapes + 2).length > maxEscapes + 1
  return hasTooMany ? undefined : decodePercent(credentials)
}

/** Returns a header by its lower-case name. Records may use any case, and contain values that are not strings. */
function readHeader(headers: HeadersLike, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const value: unknown = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : undefined
}

/** Checks for the method, because the Headers may come from another realm or a polyfill. */
function isHeaders(headers: HeadersLike): headers is Headers {
  return typeof headers.get === 'function'
}
