/** The cookies of a request. Names are used as they were sent; values are percent-decoded if possible. */
export interface RequestCookies {
  /** Returns the first cookie of that name. */
  readonly get: (name: string) => string | undefined
  /** Returns the values of the cookies with that name, in order, at most three. */
  readonly getAll: (name: string) => readonly string[]
  readonly names: () => readonly string[]
  /** Returns whether the request has several cookies of that name. */
  readonly isDuplicate: (name: string) => boolean
  /** Whether the header has more cookies than the limit. Then all of them are ignored. */
  readonly tooMany: boolean
}

/** An escape of a byte that continues a character. */
const tail = '%[89ab][\\da-f]'
/** The escapes of one character (RFC 3629 4): no overlong forms, no surrogates, nothing above U+10FFFF. */
const characters = [
  '%[0-7][\\da-f]',
  `%(?:c[2-9a-f]|d[\\da-f])${tail}`,
  `%e0%[ab][\\da-f]${tail}`,
  `%e(?:[1-9a-c]|[ef])${tail}${tail}`,
  `%ed%[89][\\da-f]${tail}`,
  `%f0%[9ab][\\da-f]${tail}${tail}`,
  `%f[1-3]${tail}${tail}${tail}`,
  `%f4%8[\\da-f]${tail}${tail}`,
]
const anyCharacter = characters.join('|')

/**
 * Percent-decodes text like `decodeURIComponent`, which throws for a malformed escape. An exception costs as much as
 * decoding thousands of characters.
 *
 * @returns undefined if an escape is malformed or not UTF-8
 */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text
  const isMalformed = text.split(new RegExp(anyCharacter, 'i')).some((rest) => rest.includes('%'))
  return isMalformed ? undefined : decodeURIComponent(text)
}

/**
 * Maximum cookies of a request. Browsers store at most 180 for a site; more come from attackers who want to cause work.
 */
export const maxCookies = 500

/** How many further cookies of a name are read. A client can send any number, and each may cost a decryption. */
const maxRepeats = 2

/**
 * Parses a `Cookie` header. Ignores parts without a name or without `=`. Never throws. The header is scanned up to the
 * limit, and a value is decoded when it is read (LM-08).
 *
 * Names are not decoded, because `%5F%5FHost-x` would then pass for a prefixed cookie, which any origin can set
 * (CVE-2020-8184). Of several cookies with one name, the first is used, because user agents send the longest path first
 * (RFC 6265bis 5.8.3).
 */
export function parseCookies(header: string | null | undefined): RequestCookies {
  const found = scan(header ?? '')
  // None are used. Otherwise, a client that sends too many cookies could choose which ones are used.
  const values = found ?? new Map<string, readonly string[]>()
  const decode = (raw: string) => decodePercent(raw) ?? raw
  const getAll = (name: string) => (values.get(name) ?? []).map(decode)
  return {
    get(name) {
      const [first] = values.get(name) ?? []
      return first === undefined ? undefined : decode(first)
    },
    getAll,
    names: () => [...values.keys()],
    isDuplicate: (name) => (values.get(name)?.length ?? 0) > 1,
    tooMany: found === undefined,
  }
}

/** Finds the values of each name, as they were sent. Returns undefined if there are too many. */
function scan(header: string): ReadonlyMap<string, readonly string[]> | undefined {
  // One more for the end of the header, and one more to detect too many.
  const parts = header.split(';', maxCookies + 2)
  if (parts.at(-1) === '') parts.pop()
  if (parts.length > maxCookies) return undefined
  const found = new Map<string, string[]>()
  for (const part of parts) {
    const equals = part.indexOf('=')
    const name = trim(part.slice(0, Math.max(equals, 0)))
    if (name === '') continue
    const values = found.get(name) ?? []
    if (values.length <= maxRepeats) values.push(trim(part.slice(equals + 1)))
    found.set(name, values)
  }
  return found
}

/** Removes the spaces and tabs, but no other white space, at both ends (RFC 6265 5.2). */
function trim(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return text.slice(start, end)
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}
