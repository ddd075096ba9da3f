import { AuthError } from '../errors.ts'
import type { CookieOption } from '../types/config.ts'
import type { CookieChange } from './cookie-change.ts'
import { clearCookie } from './cookie-change.ts'
import type { RequestCookies } from './request-cookies.ts'
import { serializeCookie } from './serialize-cookie.ts'

/** Bytes of a whole Set-Cookie header; some user agents count the attributes in. */
const maxCookie = 4096
/** Bytes of the value in it. */
const maxValue = 3936
const maxPieces = 10

/**
 * The value of a cookie that may come in pieces: the plain cookie, else `name.0`, `name.1` and so on up to the first
 * that is missing. A piece that came twice makes it absent, since nobody can say which one is ours; other cookies
 * that share the prefix count for nothing.
 */
export function readChunked(cookies: RequestCookies, name: string): string | undefined {
  const plain = cookies.get(name)
  if (plain) return plain
  const pieces: string[] = []
  for (let index = 0; index < maxPieces; index++) {
    const piece = cookies.get(`${name}.${index}`)
    if (!piece) break
    if (cookies.isDuplicate(`${name}.${index}`)) return undefined
    pieces.push(piece)
  }
  return pieces.length > 0 ? pieces.join('') : undefined
}

/**
 * Sets a cookie, in pieces when it is too long for one, and clears every other piece that the request carried. An
 * empty value only clears.
 *
 * @throws AuthError when it would take more than 10 pieces
 */
export function writeChunked(
  cookies: RequestCookies,
  cookie: CookieOption,
  value: string,
  expires: Date,
): CookieChange[] {
  const options = { ...cookie.options, expires }
  const written = split({ name: cookie.name, value, options })
  const names = new Set(written.map((change) => change.name))
  const stale = carriedPieces(cookies, cookie.name).filter((name) => !names.has(name))
  return [...stale.map((name) => clearCookie({ name, options: cookie.options })), ...written]
}

/** Clears the plain cookie, and every piece that the request carried. */
export function clearChunked(cookies: RequestCookies, cookie: CookieOption): CookieChange[] {
  const pieces = carriedPieces(cookies, cookie.name).filter((name) => name !== cookie.name)
  return [cookie.name, ...pieces].map((name) => clearCookie({ name, options: cookie.options }))
}

function split(whole: CookieChange): CookieChange[] {
  if (whole.value !== '' && fits(whole)) return [whole]
  const pieces: CookieChange[] = []
  let rest = whole.value
  while (rest !== '') {
    const name = `${whole.name}.${pieces.length}`
    const value = rest.slice(0, fittingLength({ ...whole, name, value: rest }))
    if (value === '' || pieces.length === maxPieces) throw tooLong(whole)
    pieces.push({ ...whole, name, value })
    rest = rest.slice(value.length)
  }
  return pieces
}

/** How many characters of its value a cookie can hold, by bisection: an encoded character may take several bytes. */
function fittingLength(cookie: CookieChange): number {
  const holds = (length: number) => fits({ ...cookie, value: cookie.value.slice(0, length) })
  const unencoded = Math.min(maxValue, maxCookie - sizeOfRest(cookie), cookie.value.length)
  if (unencoded <= 0) return 0
  let [low, high] = [0, wholeCharacters(cookie.value, unencoded)]
  if (holds(high)) return high
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (holds(wholeCharacters(cookie.value, middle))) low = middle
    else high = middle
  }
  return wholeCharacters(cookie.value, low)
}

/** The length, or one less where it would cut a surrogate pair in two, which cannot be encoded. */
function wholeCharacters(text: string, length: number): number {
  const code = text.charCodeAt(length - 1)
  return length < text.length && code >= 0xd800 && code < 0xdc00 ? length - 1 : length
}

function fits(cookie: CookieChange): boolean {
  const size = serializeCookie(cookie).length
  // What is short in all has a short value.
  return size <= maxValue || (size <= maxCookie && size - sizeOfRest(cookie) <= maxValue)
}

/** Bytes of all but the value. */
function sizeOfRest(cookie: CookieChange): number {
  return serializeCookie({ ...cookie, value: '' }).length
}

/**
 * Names of the pieces in a request. Up to two digits: nobody wrote more, and clearing whatever a foreign page set
 * would let it swell the answer beyond what proxies pass on.
 */
function carriedPieces(cookies: RequestCookies, name: string): string[] {
  return cookies.names.filter(
    (other) =>
      other === name || (other.startsWith(`${name}.`) && /^\d{1,2}$/.test(other.slice(name.length + 1))),
  )
}

function tooLong(whole: CookieChange): AuthError {
  const rest = sizeOfRest(whole)
  return new AuthError(
    `The cookie ${whole.name} is too long: a value of ${serializeCookie(whole).length - rest} bytes, with ${rest} of ` +
      `name and attributes, does not fit in ${maxPieces} cookies of ${maxCookie}. Keep less in the session token.`,
  )
}
