import { AuthError } from '../errors/classes.ts'
import type { CookieOption } from '../types/cookies.ts'
import { clearCookie, type CookieChange, measureCookie } from './cookie.ts'
import type { RequestCookies } from './parse-cookies.ts'

/** Maximum bytes of a Set-Cookie header. Some user agents include the attributes in their limit. */
const maxCookie = 4096
/** Maximum bytes of its value. */
const maxValue = 3936
const maxPieces = 10

/**
 * Returns the value of a cookie that may be split: the plain cookie, or else `name.0`, `name.1` and so on up to the
 * first missing one. Returns undefined if a chunk is duplicated, because nothing shows which one is ours. Ignores
 * other cookies with the same prefix.
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
 * Returns the possible values of a cookie that occurs several times in the request: each plain cookie, then those joined from
 * chunks, if each chunk occurs equally often. At most six.
 */
export function readCandidates(cookies: RequestCookies, name: string): string[] {
  const plain = cookies.getAll(name)
  const times = cookies.getAll(`${name}.0`).length
  const joined = Array.from({ length: times }, (_, nth) => joinNth(cookies, name, nth, times))
  return [...new Set([...plain, ...joined])].filter((value) => value !== '')
}

function joinNth(cookies: RequestCookies, name: string, nth: number, times: number): string {
  const pieces: string[] = []
  for (let index = 0; index < maxPieces; index++) {
    const repeats = cookies.getAll(`${name}.${index}`)
    if (repeats.length === 0) break
    if (repeats.length !== times) return ''
    const piece = repeats[nth]
    if (!piece) break
    pieces.push(piece)
  }
  return pieces.join('')
}

/** Returns whether the request has several cookies of this name, plain or split. */
export function hasSeveral(cookies: RequestCookies, name: string): boolean {
  const first = cookies.get(`${name}.0`)
  return cookies.isDuplicate(name) || (!!first && (cookies.isDuplicate(`${name}.0`) || !!cookies.get(name)))
}

/**
 * Sets a cookie, split into chunks if it is too long, and clears all other chunks in the request. An empty value only
 * clears.
 *
 * @throws AuthError if it needs more than 10 chunks
 */
export function writeChunked(
  cookies: RequestCookies,
  cookie: CookieOption,
  value: string,
  expires: Date,
): CookieChange[] {
  const written = split({ name: cookie.name, value, options: cookie.options, expires })
  const stale = carriedPieces(cookies, cookie.name).filter(
    (name) => !written.some((change) => change.name === name),
  )
  return [...stale.map((name) => clearCookie({ name, options: cookie.options })), ...written]
}

/** Clears the plain cookie and every chunk in the request. */
export function clearChunked(cookies: RequestCookies, cookie: CookieOption): CookieChange[] {
  const pieces = carriedPieces(cookies, cookie.name).filter((name) => name !== cookie.name)
  return [cookie.name, ...pieces].map((name) => clearCookie({ name, options: cookie.options }))
}

/**
 * Returns the earlier Set-Cookie values of a response without those that later ones replace: the values of the same
 * cookie, with all its chunks. Both were written for the same request, so the later values clear all chunks in it.
 */
export function withoutReplaced(earlier: readonly string[], later: readonly string[]): string[] {
  const names = new Set(later.map(wholeName))
  return earlier.filter((line) => !names.has(wholeName(line)))
}

/** Returns the name in a Set-Cookie value without the suffix of a chunk. */
function wholeName(line: string): string {
  return line.slice(0, line.indexOf('=')).replace(/\.\d{1,2}$/, '')
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

/** Returns the bytes that cookies add to a request. */
export function measureSent(changes: readonly CookieChange[]): number {
  return changes
    .filter(({ value }) => value !== '')
    .map(({ name, value, options: { encode } }) => measureCookie({ name, value, options: { encode } }) + 2)
    .reduce((sum, size) => sum + size, 0)
}

/**
 * Returns how many characters of the value fit in a cookie. Uses bisection, because an encoded character may take
 * several bytes.
 */
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

/** Returns the length, or one less if it would split a surrogate pair, which cannot be encoded. */
function wholeCharacters(text: string, length: number): number {
  const code = text.charCodeAt(length - 1)
  return length < text.length && code >= 0xd800 && code < 0xdc00 ? length - 1 : length
}

function fits(cookie: CookieChange): boolean {
  const size = measureCookie(cookie)
  // A short header has a short value.
  return size <= maxValue || (size <= maxCookie && size - sizeOfRest(cookie) <= maxValue)
}

/** Returns the bytes of the header without the value. */
function sizeOfRest(cookie: CookieChange): number {
  return measureCookie({ ...cookie, value: '' })
}

/**
 * Returns the names of the plain cookie and its chunks in a request. A chunk's number has at most two digits, even in
 * other libraries. Clearing every cookie with the prefix could make the response larger than proxies allow.
 */
function carriedPieces(cookies: RequestCookies, name: string): string[] {
  return cookies
    .names()
    .filter(
      (other) =>
        other === name || (other.startsWith(`${name}.`) && /^\d{1,2}$/.test(other.slice(name.length + 1))),
    )
}

function tooLong(whole: CookieChange): AuthError {
  const rest = sizeOfRest(whole)
  return new AuthError(
    `The cookie ${whole.name} is too long: a value of ${measureCookie(whole) - rest} bytes, with ${rest} of ` +
      `name and attributes, does not fit in ${maxPieces} cookies of ${maxCookie}. Keep less in the session token.`,
  )
}
