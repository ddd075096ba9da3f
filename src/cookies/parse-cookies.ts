/** The cookies of a request. Names are used as they were sent; values are percent-decoded if possible. */
export interface RequestCookies {
  /** Returns the first cookie of that name. */
  readonly get: (name: string) => string | undefined
  /** Returns the values of the cookies with that name, in order, at most three. */
  readonly getAll: (name: string) => readonly string[]
  readonly names: () => readonly string[]
  /** Tells whether the request has several cookies of that name. */
  readonly isDuplicate: (name: string) => boolean
  /** Whether the header has more cookies than the limit. Then all of them are ignored. */
  readonly tooMany: boolean
}

/**
 * Percent-decodes text like `decodeURIComponent`, which throws for a malformed escape. An exception costs as much as
 * decoding thousands of characters.
 *
 * @returns undefined if an escape is malformed or not UTF-8
 */
export function decodePercent(text: string): string | undefined {
  const first = text.indexOf('%')
  if (first < 0) return text
  for (let at = first; at >= 0;) {
    const length = measureCharacter(text, at)
    if (length === 0) return undefined
    at = text.indexOf('%', at + 3 * length)
  }
  return decodeURIComponent(text)
}

/** Returns the number of escapes that encode the character at this place (RFC 3629 4), or 0 if they are not UTF-8. */
function measureCharacter(text: string, at: number): number {
  const lead = readEscape(text, at)
  if (lead < 0x80) return lead < 0 ? 0 : 1
  if (lead < 0xc2 || lead > 0xf4) return 0
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  const second = readEscape(text, at + 3)
  // No overlong forms, no surrogates, nothing above U+10FFFF.
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  if (second < least || second > most) return 0
  for (let index = 2; index < length; index++) {
    const byte = readEscape(text, at + 3 * index)
    if (byte < 0x80 || byte > 0xbf) return 0
  }
  return length
}

/** Returns the byte of the escape at this place, or a negative number. */
function readEscape(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x25) return -1
  return 16 * readDigit(text.charCodeAt(at + 1)) + readDigit(text.charCodeAt(at + 2))
}

function readDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -256
}

/**
 * Maximum cookies of a request. Browsers store at most 180 for a site; more come from attackers who want to cause work.
 */
export const maxCookies = 500

/** How many further cookies of a name are read. A client can send any number, and each may cost a decryption. */
const maxRepeats = 2

/** The values of a header by name, as they were sent, and the further values of names that occur several times. */
interface Scanned {
  readonly values: ReadonlyMap<string, string>
  readonly duplicates: ReadonlyMap<string, readonly string[]> | undefined
}

/**
 * Parses a `Cookie` header. Ignores parts without a name or without `=`. Never throws. The header is scanned once, up
 * to the limit, and a value is decoded when it is first read (LM-08).
 *
 * Names are not decoded, because `%5F%5FHost-x` would then pass for a prefixed cookie, which any origin can set
 * (CVE-2020-8184). Of several cookies with one name, the first is used, because user agents send the longest path first
 * (RFC 6265bis 5.8.3).
 */
export function parseCookies(header: string | null | undefined): RequestCookies {
  const found = scan(header ?? '')
  // None are used. Otherwise, a client that sends too many cookies could choose which ones are used.
  const { values, duplicates } = found ?? { values: new Map<string, string>(), duplicates: undefined }
  let decoded: Map<string, string> | undefined
  return {
    get(name) {
      const raw = values.get(name)
      if (raw === undefined || !raw.includes('%')) return raw
      decoded ??= new Map()
      const known = decoded.get(name)
      if (known !== undefined) return known
      const value = decodePercent(raw) ?? raw
      decoded.set(name, value)
      return value
    },
    getAll(name) {
      const first = this.get(name)
      const others = duplicates?.get(name)?.map((raw) => decodePercent(raw) ?? raw) ?? []
      return first === undefined ? [] : [first, ...others]
    },
    names: () => [...values.keys()],
    isDuplicate: (name) => duplicates?.has(name) === true,
    tooMany: found === undefined,
  }
}

/** Finds names and values. Returns undefined if there are too many. */
function scan(header: string): Scanned | undefined {
  const values = new Map<string, string>()
  let duplicates: Map<string, string[]> | undefined
  let equals = -1
  let parts = 0
  for (let start = 0; start < header.length;) {
    if (++parts > maxCookies) return undefined
    const end = indexOrEnd(header, ';', start)
    // If a separator lies beyond this part, its position is kept for a later part, so that nothing is scanned twice.
    if (equals < start) equals = indexOrEnd(header, '=', start)
    const name = equals < end ? trim(header, start, equals) : ''
    if (name !== '') {
      if (values.has(name)) addRepeat((duplicates ??= new Map()), name, trim(header, equals + 1, end))
      else values.set(name, trim(header, equals + 1, end))
    }
    start = end + 1
  }
  return { values, duplicates }
}

function addRepeat(to: Map<string, string[]>, name: string, value: string): void {
  const repeats = to.get(name)
  if (!repeats) to.set(name, [value])
  else if (repeats.length < maxRepeats) repeats.push(value)
}

function indexOrEnd(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from)
  return at < 0 ? text.length : at
}

/** Returns a part of a text without the spaces and tabs, but no other white space, at both ends (RFC 6265 5.2). */
function trim(text: string, from: number, to: number): string {
  let [start, end] = [from, to]
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
