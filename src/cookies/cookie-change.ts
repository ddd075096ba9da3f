import type { CookieOption, CookieSerializeOptions } from '../types/config.ts'

/** A cookie to be set, or cleared (empty value, maxAge 0). */
export interface CookieChange {
  readonly name: string
  readonly value: string
  readonly options: CookieSerializeOptions
}

/**
 * Clears a cookie: the path, domain and attributes it was set with, since a user agent removes no other (RFC 6265bis
 * 5.6), an empty value and Max-Age=0.
 */
export function clearCookie(cookie: CookieOption): CookieChange {
  return { name: cookie.name, value: '', options: { ...cookie.options, maxAge: 0, expires: undefined } }
}
