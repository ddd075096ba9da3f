import { joinBytes } from '../crypto/join-bytes.ts'
import { findExcess } from '../parsing/json-limits.ts'
import { countParts, maxBody, maxFields, maxPieces } from './limits.ts'
import type { Refused } from './visit.ts'

export interface Body {
  readonly members: Readonly<Record<string, unknown>>
  /** Names of form fields that came more than once. */
  readonly duplicates: readonly string[]
}

/** The body of a request that has none, or none of a kind that is read. */
export const emptyBody: Body = Object.freeze({
  members: Object.freeze(withoutPrototype()),
  duplicates: Object.freeze([]),
})

/**
 * Reads the body of a POST: a form or a JSON object, by its content type; nothing of any other type. Members are in an
 * object without prototype, so that `__proto__` is a name like any other.
 */
export async function parseBody(request: Request): Promise<Body | Refused> {
  if (Number(request.headers.get('content-length')) > maxBody) return tooLarge
  const parse = parsers.get(mediaType(request.headers.get('content-type')))
  if (!parse || !request.body) return emptyBody
  try {
    const bytes = await readBytes(request.body)
    if (!bytes) return tooLarge
    return bytes.length === 0 ? emptyBody : parse(bytes)
  } catch {
    return badBody
  }
}

const tooLarge: Refused = {
  refused: 'too-large',
  status: 413,
  message: `The body is larger than ${maxBody} bytes, or came in more than ${maxPieces} pieces`,
}
const tooManyFields: Refused = {
  refused: 'too-large',
  status: 413,
  message: `The form has more than ${maxFields} fields`,
}
/** Not UTF-8, not JSON, not an object, cut off by the client, or read by somebody else before. */
const badBody: Refused = { refused: 'bad-request', status: 400, message: 'The body cannot be read' }

const parsers: ReadonlyMap<string, (bytes: Uint8Array) => Body | Refused> = new Map([
  ['application/json', parseJson],
  ['application/x-www-form-urlencoded', parseForm],
])

/** Reads the whole stream, or returns undefined as soon as it is longer than it may be; never holds more than that. */
async function readBytes(stream: ReadableStream<Uint8Array>): Promise<Uint8Array | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length
    if (size > maxBody || chunks.length === maxPieces) {
      // Not awaited: a client that goes on sending must not keep the answer.
      reader.cancel().catch(() => {})
      return undefined
    }
    chunks.push(next.value)
  }
  return joinBytes(chunks, size)
}

function parseJson(bytes: Uint8Array): Body | Refused {
  const excess = findExcess(bytes, { values: maxFields })
  if (excess !== undefined) return { ...badBody, message: `The body has ${excess}` }
  const value: unknown = JSON.parse(decode(bytes))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return badBody
  return { members: Object.freeze(Object.assign(withoutPrototype(), value)), duplicates: [] }
}

/** @throws URIError for escapes that are no UTF-8, which URLSearchParams would replace silently */
function parseForm(bytes: Uint8Array): Body | Refused {
  const text = decode(withSpaces(bytes))
  if (countParts(text, '&', maxFields) > maxFields) return tooManyFields
  if (countStrayPercents(text) > maxFields) return badBody
  const members = withoutPrototype()
  const duplicates = new Set<string>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodeField(equals < 0 ? pair : pair.slice(0, equals))
    if (name in members) duplicates.add(name)
    members[name] = equals < 0 ? '' : decodeField(pair.slice(equals + 1))
  }
  return { members: Object.freeze(members), duplicates: [...duplicates] }
}

/** A plus sign stands for a space. In bytes, since replacing characters of a text costs as much as parsing it. */
function withSpaces(bytes: Uint8Array): Uint8Array {
  const spaced = bytes.slice()
  for (let at = 0; at < spaced.length; at++) if (spaced[at] === 0x2b) spaced[at] = 0x20
  return spaced
}

/** A percent sign without two digits behind it stands for itself. */
const strayPercent = /%(?![0-9a-f]{2})/gi

/** Counts percent signs that stand for themselves, up to one above the limit. Browsers send none. */
function countStrayPercents(text: string): number {
  let strays = 0
  strayPercent.lastIndex = 0
  while (strays <= maxFields && strayPercent.test(text)) strays++
  strayPercent.lastIndex = 0
  return strays
}

/** @throws URIError */
function decodeField(text: string): string {
  return text.includes('%') ? decodeURIComponent(text.replace(strayPercent, '%25')) : text
}

/** @throws TypeError for bytes that are not UTF-8 */
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/** Type and subtype, without parameters (RFC 9110 8.3.1). */
function mediaType(header: string | null): string {
  return (header ?? '').split(';', 1).join('').trim().toLowerCase()
}

function withoutPrototype(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}
