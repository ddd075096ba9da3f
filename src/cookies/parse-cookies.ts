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
  const values = new Map<string, string>()
  const duplicates = new Set<string>()
  for (const part of (header ?? '').split(';')) {
    for (const [name, value] of Object.entries(parseCookie(part))) {
      if (name === '' || value === undefined) continue
      if (values.has(name)) duplicates.add(name)
      else values.set(name, value)
    }
  }
  return {
    get: (name) => values.get(name),
    names: [...values.keys()],
    isDuplicate: (name) => duplicates.has(name),
  }
}
