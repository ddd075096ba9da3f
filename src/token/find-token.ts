import { readCandidates } from '../cookies/chunks.ts'
import { decodePercent, parseCookies } from '../cookies/parse-cookies.ts'

export type HeadersLike = Headers | Readonly<Record<string, string>>

/**
 * Returns the possible tokens of a request: from the cookies of that name, joined if they were split, or else from
 * `Authorization: Bearer` (RFC 6750 2.1), percent-decoded. Never throws because of the headers.
 */
export function findTokens(headers: HeadersLike, cookieName: string): readonly string[] {
  const cookies = readCandidates(parseCookies(readHeader(headers, 'cookie')), cookieName)
  if (cookies.length > 0) return cookies
  const bearer = readBearer(readHeader(headers, 'authorization') ?? '')
  return bearer ? [bearer] : []
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
