import { readChunked } from '../cookies/chunks.ts'
import { parseCookies } from '../cookies/parse-cookies.ts'
import { decodePercent } from '../parsing/decode-percent.ts'

export type HeadersLike = Headers | Readonly<Record<string, string>>

/**
 * The token of a request: in the cookie of that name, whole or in pieces, else behind `Authorization: Bearer`
 * (RFC 6750 2.1), percent-decoded. Never throws for what is in the headers.
 */
export function findToken(headers: HeadersLike, cookieName: string): string | undefined {
  const cookie = readChunked(parseCookies(readHeader(headers, 'cookie')), cookieName)
  return cookie ? cookie : readBearer(readHeader(headers, 'authorization') ?? '')
}

function readBearer(authorization: string): string | undefined {
  const [scheme, credentials = ''] = authorization.split(' ', 2)
  return scheme !== 'Bearer' || credentials === '' ? undefined : decodePercent(credentials)
}

/** A header by its lower-case name; records may spell it in any case, and hold what is no text. */
function readHeader(headers: HeadersLike, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const value: unknown = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : undefined
}

/** By its method, since the Headers may be of another realm or a polyfill. */
function isHeaders(headers: HeadersLike): headers is Headers {
  return typeof headers.get === 'function'
}
