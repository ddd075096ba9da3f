import { stringifySetCookie } from 'cookie'
import type { CookieOption, CookieSerializeOptions } from '../types/cookies.ts'

/** A cookie to set, or to clear (empty value, maxAge 0). */
export interface CookieChange {
  readonly name: string
  readonly value: string
  readonly options: CookieSerializeOptions
  /** Replaces the expiry of the options, so that the options can be the object of the configuration. */
  readonly expires?: Date
}

/**
 * Clears a cookie with an empty value and Max-Age=0. Uses the path, domain and attributes with which it was set,
 * because user agents remove no other cookie (RFC 6265bis 5.6).
 */
export function clearCookie({ name, options }: CookieOption): CookieChange {
  return { name, value: '', options: { ...options, maxAge: 0, expires: undefined } }
}

/**
 * Writes the `Set-Cookie` header of a cookie: name, percent-encoded value, then Max-Age, Domain, Path, Expires,
 * HttpOnly, Secure, Partitioned, Priority and SameSite, as far as they are set. A custom `encode` replaces the
 * encoding; characters that it leaves and that are not allowed are percent-encoded afterwards, so that no value
 * injects attributes.
 *
 * @throws TypeError for an invalid name, domain, path, number or date, or if `encode` returns something else than text
 * @throws URIError for a lone surrogate in the value
 */
export function serializeCookie({ name, value, options, expires = options.expires }: CookieChange): string {
  const { encode = encodeURIComponent, path } = options
  if (name.includes(',') || path?.includes(','))
    throw new TypeError(`The name and path of a cookie must not contain a comma: ${name}`)
  return stringifySetCookie(name, value, {
    ...options,
    expires,
    encode: (text) => escapeUnsafe(encode(text), name),
  })
}

/** Escapes characters that would end the value or the header, or at which a proxy that joins headers would split it. */
function escapeUnsafe(encoded: unknown, name: string): string {
  if (typeof encoded === 'string') return encoded.replace(/[^!-+\--:<-~]/gu, encodeURIComponent)
  throw new TypeError(`The \`encode\` of a cookie must return text: ${name}`)
}

/** Returns the length of the header. All dates are equally long. */
export function measureCookie(cookie: CookieChange): number {
  return serializeCookie(cookie).length
}

/**
 * Changes the options of a cookie that browsers must send with a provider's cross-site POST
 * (`response_mode=form_post`). Keeps options that the user set.
 */
export function forFormPost(cookie: CookieOption & { readonly overridden: boolean }): CookieSerializeOptions {
  return cookie.overridden ? cookie.options : { ...cookie.options, sameSite: 'none', secure: true }
}
