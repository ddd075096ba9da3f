import { stringifySetCookie } from 'cookie'
import type { CookieChange } from './cookie-change.ts'

/** What would end the value or the header, or what a proxy that joins headers would split at. */
const unsafe = /[^!-+\--:<-~]/gu
/** What encodes to itself: tokens do, and are long. */
const plain = /^[\w.-]*$/

/**
 * The `Set-Cookie` header of a cookie: name, percent-encoded value, then Max-Age, Domain, Path, Expires, HttpOnly,
 * Secure, Partitioned, Priority and SameSite, as far as they are set. A custom `encode` is used as given, but what it
 * leaves that a value may not hold is percent-encoded after it, so that no value makes this fail or injects anything.
 *
 * @throws TypeError for a name, domain, path or number that is not well-formed
 */
export function serializeCookie({ name, value, options }: CookieChange): string {
  if (name.includes(',') || options.path?.includes(',')) {
    throw new TypeError(`A cookie's name and path have no comma: ${name}`)
  }
  const { encode, ...attributes } = options
  return stringifySetCookie(
    { ...attributes, name, value },
    { encode: encode ? (text) => escape(encode(text)) : encodeValue },
  )
}

function encodeValue(text: string): string {
  return plain.test(text) ? text : escape(encodeURIComponent(text))
}

function escape(text: string): string {
  return text.replace(unsafe, encodeURIComponent)
}
