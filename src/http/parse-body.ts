import { stepDeadline } from '../platform/clock.ts'
import { joinBytes } from '../crypto/bytes.ts'
import type { Platform } from '../types/config.ts'
import { countParts, findExcess, maxBody, maxDiscarded, maxFields, maxPieces } from './limits.ts'
import type { RequestParts } from './parts.ts'
import type { Refused } from './visit.ts'

export interface Body {
  readonly members: Readonly<Record<string, unknown>>
  /** Names of duplicate form fields. */
  readonly duplicates: readonly string[]
}

const none: readonly string[] = Object.freeze([])

/** The body of a request without a body, or with an unsupported content type. */
export const emptyBody: Body = Object.freeze({
  members: Object.freeze(withoutPrototype()),
  duplicates: none,
})

/**
 * Reads the body of a POST: a form or a JSON object, depending on the content type. Ignores other types. The object has
 * no prototype, so `__proto__` is a name like any other.
 */
export async function parseBody(request: RequestParts, platform: Platform): Promise<Body | Refused> {
  const { body, headers } = request
  const isTooLong = Number(headers.get('content-length')) > maxBody
  const parse = parsers.get(mediaType(headers.get('content-type')))
  if (isTooLong || !parse || !body) {
    await discardBody(request, platform)
    return isTooLong ? tooLarge : emptyBody
  }
  try {
    const bytes = await readBytes(body, platform)
    if (!bytes) return tooLarge
    return bytes.length === 0 ? emptyBody : parse(bytes)
  } catch {
    return badBody
  }
}

const tooLarge: Refused = {
  refused: 'too-large',
  status: 413,
  message: `The body is larger than ${maxBody} bytes, or arrived in more than ${maxPieces} chunks`,
}
const tooManyFields: Refused = {
  refused: 'too-large',
  status: 413,
  message: `The form has more than ${maxFields} fields`,
}
/** The body is not UTF-8, not JSON, not an object, truncated by the client, or was already read. */
const badBody: Refused = { refused: 'bad-request', status: 400, message: 'The body cannot be read' }

/** Another parser, such as that of a firewall in front of the application, may use the first value (RFC 8259 4). */
const doubledBody: Refused = { ...badBody, message: 'An object in the body has two members of the same name' }

/** The media type of HTML forms. */
export const formType = 'application/x-www-form-urlencoded'

const parsers: ReadonlyMap<string, (bytes: Uint8Array) => Body | Refused> = new Map([
  ['application/json', parseJson],
  [formType, parseForm],
])

/**
 * Reads and discards the body of a refused request, or of one whose body is ignored, unless the body is very large.
 * Several servers close the connection of a request whose body nobody read (RFC 9112 9.6). The client then loses the
 * response, and a proxy stops using the server. Never rejects.
 */
export async function discardBody({ body, headers }: RequestParts, platform: Platform): Promise<void> {
  if (!body || Number(headers.get('content-length')) > maxDiscarded) return
  await readBytes(body, platform, 0, discardDeadline).catch(() => {})
}

/** Milliseconds that a client may take to send a body that is discarded. */
const discardDeadline = 2_000

/**
 * Reads the stream. Returns undefined if it exceeds the limit, and never holds more than the limit in memory. Cancels a
 * stream that is too long to discard.
 *
 * The deadline is needed because not every server limits the duration of a request.
 *
 * @throws {TypeError} if the body does not end before the deadline
 */
async function readBytes(
  stream: ReadableStream<Uint8Array>,
  { timer }: Platform,
  limit = maxBody,
  patience = stepDeadline,
): Promise<Uint8Array | undefined> {
  const reader = stream.getReader()
  // Not awaited: a client that continues to send must not delay the response.
  const stop = () => void reader.cancel().catch(() => {})
  let isLate = false
  const deadline = timer(patience, () => {
    isLate = true
    stop()
  })
  const chunks: Uint8Array[] = []
  let [size, count] = [0, 0]
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length
      count += 1
      if (size > maxDiscarded || count > maxPieces) {
        stop()
        return undefined
      }
      if (size <= limit) chunks.push(next.value)
    }
  } finally {
    deadline.cancel()
  }
  if (isLate) throw new TypeError('The body did not end in time')
  return size > limit ? undefined : joinBytes(chunks, size)
}

function parseJson(bytes: Uint8Array): Body | Refused {
  const excess = findExcess(bytes, { values: maxFields })
  if (excess !== undefined) return { ...badBody, message: `The body has ${excess}` }
  const value: unknown = JSON.parse(decode(bytes))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return badBody
  // JSON.parse keeps the last member of a name.
  if (findExcess(bytes, { values: Infinity, members: countMembers(value) }) !== undefined) return doubledBody
  dropPrototypes(value)
  return { members: Object.assign(withoutPrototype(), value), duplicates: [] }
}

/** Counts the members of an object and of all objects in it. */
function countMembers(holder: object): number {
  let count = Array.isArray(holder) ? 0 : Object.keys(holder).length
  for (const member of Object.values(holder) as unknown[])
    if (typeof member === 'object' && member !== null) count += countMembers(member)
  return count
}

/**
 * An own member of this name would set the prototype of the result of `Object.assign({}, credentials)` in a callback.
 */
const prototypeName = '__proto__'

/** Removes `__proto__` from the body and every object in it, because callbacks receive them. */
function dropPrototypes(holder: object): void {
  Reflect.deleteProperty(holder, prototypeName)
  for (const member of Object.values(holder) as unknown[])
    if (typeof member === 'object' && member !== null) dropPrototypes(member)
}

/** @throws URIError for escapes that are not UTF-8, which URLSearchParams would replace silently */
function parseForm(bytes: Uint8Array): Body | Refused {
  const text = decode(bytes.includes(plus) ? replacePluses(bytes) : bytes)
  if (countParts(text, '&', maxFields) > maxFields) return tooManyFields
  const strays = countStrayPercents(text)
  if (strays > maxFields) return badBody
  const decodeField = strays > 0 ? decodeWithStrays : decodeEscapes
  const members = withoutPrototype()
  const repeated: string[] = []
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodeField(equals < 0 ? pair : pair.slice(0, equals))
    if (name === prototypeName) continue
    if (members[name] !== undefined) repeated.push(name)
    members[name] = equals < 0 ? '' : decodeField(pair.slice(equals + 1))
  }
  return { members, duplicates: repeated.length > 0 ? [...new Set(repeated)] : none }
}

const plus = 0x2b

/**
 * Returns the bytes with a space for each plus sign. Works on bytes, because replacing characters in a string costs as
 * much as parsing it. Looks at each byte, because searching for the next plus sign costs five times as much if there
 * are many.
 */
function replacePluses(bytes: Uint8Array): Uint8Array {
  const replaced = new Uint8Array(bytes)
  for (let at = 0; at < replaced.length; at++) if (replaced[at] === plus) replaced[at] = 0x20
  return replaced
}

/** Returns an expression for a literal percent sign: one that is not followed by two hexadecimal digits. */
const strayPercent = () => /%(?![0-9a-f]{2})/gi

/** Counts literal percent signs, up to one above the limit. Browsers send none. */
function countStrayPercents(text: string): number {
  let strays = 0
  if (text.includes('%')) for (const _ of text.matchAll(strayPercent())) if (++strays > maxFields) break
  return strays
}

/** @throws URIError */
function decodeEscapes(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text
}

/** @throws URIError */
function decodeWithStrays(text: string): string {
  return decodeEscapes(text.replace(strayPercent(), '%25'))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws TypeError for bytes that are not UTF-8 */
function decode(bytes: Uint8Array): string {
  return utf8.decode(bytes)
}

/** Type and subtype, without parameters (RFC 9110 8.3.1). */
export function mediaType(header: string | null): string {
  return (header ?? '').split(';', 1).join('').trim().toLowerCase()
}

function withoutPrototype(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}
