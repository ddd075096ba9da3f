import { stringifySetCookie } from 'cookie'
import { oncePer } from '../once.ts'
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
export function clearCookie(cookie: CookieOption): CookieChange {
  return { name: cookie.name, value: '', options: clearedOptions(cookie.options) }
}

/** Returns the options that clear a cookie, the same object for the same options, so that they are serialised once. */
const clearedOptions = oncePer((options: CookieSerializeOptions) =>
  Object.freeze({ ...options, maxAge: 0, expires: undefined }),
)

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
export function serializeCookie(cookie: CookieChange): string {
  return write(cookie, cookie.expires?.toUTCString())
}

/** Returns the length of the header. All dates are equally long. */
export function measureCookie(cookie: CookieChange): number {
  return write(cookie, cookie.expires && epochText).length
}

function write({ name, value, options }: CookieChange, date: string | undefined): string {
  const { own, beforeDate, afterDate } = writeAttributes(name, options)
  if (date === 'Invalid Date') throw new TypeError(`The expiry of the cookie ${name} is not a date`)
  const attributes = date === undefined ? own : beforeDate + date + afterDate
  if (value === '') return `${name}=${attributes}`
  return `${name}=${options.encode ? escape(options.encode(value)) : encodeValue(value)}${attributes}`
}

interface Attributes {
  readonly name: string
  /** The attributes of the options. */
  readonly own: string
  /** The text before and after the date, for a cookie with another expiry. */
  readonly beforeDate: string
  readonly afterDate: string
}

/**
 * Attributes by their options object. A cookie is serialised several times, to measure and to send it, and most cookies use
 * the object of the configuration.
 */
const written = new WeakMap<CookieSerializeOptions, Attributes>()

const epoch = new Date(0)
const epochText = 'Thu, 01 Jan 1970 00:00:00 GMT'

/** Checks the name and the options of a cookie, and returns its attributes, which follow the value. */
function writeAttributes(name: string, options: CookieSerializeOptions): Attributes {
  const known = written.get(options)
  if (known?.name === name) return known
  if (name.includes(',') || options.path?.includes(',')) {
    throw new TypeError(`The name and path of a cookie must not contain a comma: ${name}`)
  }
  const own = stringifySetCookie(name, '', options).slice(name.length + 1)
  const dated = stringifySetCookie(name, '', { ...options, expires: epoch }).slice(name.length + 1)
  const at = dated.indexOf(epochText)
  const attributes = {
    name,
    own,
    beforeDate: dated.slice(0, at),
    afterDate: dated.slice(at + epochText.length),
  }
  written.set(options, attributes)
  return attributes
}

/** `encodeURIComponent` leaves no character that is unsafe. */
function encodeValue(text: string): string {
  return plain.test(text) ? text : encodeURIComponent(text)
}

function escape(text: string): string {
  return text.replace(unsafe, encodeURIComponent)
}
