import { decodePercent } from '../parsing/decode-percent.ts'
import type { RequestCookies } from './request-cookies.ts'

/** Cookies of one request. Browsers keep at most 180 for a site; more come from somebody who wants us to parse. */
export const maxCookies = 500

interface Cookie {
  /** As it was sent. */
  readonly raw: string
  value?: string
  isDuplicate: boolean
}

/**
 * Reads a `Cookie` header; parts without a name or without `=` are ignored. Never throws. The header is scanned once,
 * up to the limit, and a value is decoded when it is first read (LM-08).
 *
 * Names stay as they were sent: a decoded name would let `%5F%5FHost-x` pass for a prefixed cookie, which any origin
 * can set (CVE-2020-8184). Of several cookies with one name the first counts, as user agents send the longest path
 * first (RFC 6265bis 5.8.3).
 */
export function parseCookies(header: string | null | undefined): RequestCookies {
  const found = scan(header ?? '')
  // Part of the cookies is nobody's: which part would be the choice of whoever sent too many.
  const cookies = found ?? new Map<string, Cookie>()
  return {
    get: (name) => {
      const cookie = cookies.get(name)
      return cookie && (cookie.value ??= decodePercent(cookie.raw) ?? cookie.raw)
    },
    names: [...cookies.keys()],
    isDuplicate: (name) => cookies.get(name)?.isDuplicate === true,
    tooMany: found === undefined,
  }
}

/** Finds names and values, or undefined when there are too many. */
function scan(header: string): Map<string, Cookie> | undefined {
  const cookies = new Map<string, Cookie>()
  let parts = 0
  for (let start = 0; start < header.length;) {
    if (++parts > maxCookies) return undefined
    const semicolon = header.indexOf(';', start)
    const end = semicolon < 0 ? header.length : semicolon
    add(cookies, header.slice(start, end))
    start = end + 1
  }
  return cookies
}

function add(cookies: Map<string, Cookie>, part: string): void {
  const equals = part.indexOf('=')
  const name = trim(part.slice(0, Math.max(equals, 0)))
  if (name === '') return
  const known = cookies.get(name)
  if (known) known.isDuplicate = true
  else cookies.set(name, { raw: trim(part.slice(equals + 1)), isDuplicate: false })
}

/** Removes spaces and tabs, and no other white space, from both ends (RFC 6265 5.2). */
function trim(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
