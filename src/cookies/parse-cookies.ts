import { parseCookie } from 'cookie'
import type { RequestCookies } from './request-cookies.ts'

/**
 * Reads a `Cookie` header; parts without a name or without `=` count for nothing. Never throws.
 *
 * Names stay as they were sent: a decoded name would let `%5F%5FHost-x` pass for a prefixed cookie, which any origin
 * can set (CVE-2020-8184). Of several cookies with one name the first counts, as user agents send the longest path
 * first (RFC 6265bis 5.8.3).
 */
export function parseCookies(header: string | null | undefined): RequestCookies {
  const text = header ?? ''
  // Without a prototype, and of several values it keeps the first.
  const values = parseCookie(text)
  return {
    get: (name) => (name === '' ? undefined : values[name]),
    names: Object.keys(values).filter((name) => name !== ''),
    isDuplicate: (name) => text.split(';').filter((part) => name in parseCookie(part)).length > 1,
  }
}
