import { checkKeys } from './storable-keys.ts'

/** Names and values in turn, as Redis returns a hash. */
export type Flat = readonly string[]

/**
 * Encodes a member: a Date as `@` and its milliseconds since 1970, which no JSON text starts with, and any other value
 * as JSON. JSON escapes the characters that UTF-8 cannot encode, so that text is stored exactly.
 *
 * @throws RangeError for an invalid Date
 * @throws TypeError for a value that JSON cannot represent
 */
export function encode(value: unknown): string {
  if (value instanceof Date) return `@${Date.parse(value.toISOString())}`
  const json = JSON.stringify(value) as string | undefined
  if (json === undefined || (typeof value === 'number' && !Number.isFinite(value)))
    throw new TypeError(`${String(value)} cannot be stored: a member must be a Date or a JSON value`)
  return json
}

function decode(text: string): unknown {
  return text.startsWith('@') ? new Date(Number(text.slice(1))) : JSON.parse(text)
}

/**
 * Encodes the members of a record, without undefined ones.
 *
 * @throws Error if a key of the record is not text that can be stored exactly
 */
export function encodeRecord(record: object): Flat {
  const members = Object.entries(record).filter(([, value]) => value !== undefined)
  checkKeys(Object.fromEntries(members))
  return members.flatMap(([name, value]) => [name, encode(value)])
}

/** Decodes a row. */
export function decodeRecord(row: Flat): object {
  return Object.fromEntries(
    row.flatMap((name, n) => (n % 2 === 0 ? [[name, decode(row[n + 1] ?? 'null')]] : [])),
  )
}
