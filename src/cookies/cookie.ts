import { stringifySetCookie } from 'cookie'
import type { CookieOption, CookieSerializeOptions } from '../types/config.ts'

/** A cookie to set, or to clear (empty value, maxAge 0). */
export interface CookieChange {
  readonly name: string
  readonly value: string
  readonly options: CookieSerializeOptions
}

/**
 * Clears a cookie with an empty value and Max-Age=0. Uses the path, domain and attributes with which it was set,
 * because user agents remove no other cookie (RFC 6265bis 5.6).
 */
export function clearCookie(cookie: CookieOption): CookieChange {
  return { name: cookie.name, value: '', options: { ...cookie.options, maxAge: 0, expires: undefined } }
}

/** Characters that would end the value or the header, or at which a proxy that joins headers would split it. */
const unsafe = /[^!-+\--:<-~]/gu
/** Text that percent-encoding does not change. Tokens are such text, and are long. */
const plain = /^[\w.-]*$/

/**
 * Writes the `Set-Cookie` header of a cookie: name, percent-encoded value, then Max-Age, Domain, Path, Expires,
 * HttpOnly, Secure, Partitioned, Priority and SameSite, as far as they are set. A custom `encode` replaces the
 * encoding; characters that it leaves and that are not allowed are percent-encoded afterwards, so that no value
 * injects attributes.
 *
 * @throws TypeError for an invalid name, domain, path or number
 * @throws URIError for a lone surrogate in the value
 */
export function serializeCookie({ name, value, options }: CookieChange): string {
  const attributes = writeAttributes(name, options)
  if (value === '') return `${name}=${attributes}`
  return `${name}=${options.encode ? escape(options.encode(value)) : encodeValue(value)}${attributes}`
}

interface Written {
  readonly name: string
  readonly attributes: string
}

/**
 * Attributes by the object of their options. A cookie is serialised several times, to measure and to send it, and a
 * cookie without an expiry always has the object of the configuration.
 */
const written = new WeakMap<CookieSerializeOptions, Written>()

/** Checks the name and the options of a cookie, and returns its attributes, which follow the value. */
function writeAttributes(name: string, options: CookieSerializeOptions): string {
  const known = written.get(options)
  if (known?.name === name) return known.attributes
  if (name.includes(',') || options.path?.includes(',')) {
    throw new TypeError(`The name and path of a cookie must not contain a comma: ${name}`)
  }
  const attributes = stringifySetCookie(name, '', options).slice(name.length + 1)
  written.set(options, { name, attributes })
  return attributes
}

function encodeValue(text: string): string {
  return plain.test(text) ? text : escape(encodeURIComponent(text))
}

function escape(text: string): string {
  return text.replace(unsafe, encodeURIComponent)
}
