import type { Kysely } from 'kysely'
import { checkKeys } from './storable-keys.ts'

/** A row as the driver reads and writes it. */
export type Row = Record<string, unknown>

/** Any tables. The codecs define the content of their columns. */
export type Tables = Record<string, Row>

/** How one kind of column is written, and how it is read from the value that the driver returns. */
interface Codec {
  readonly write: (value: unknown) => unknown
  readonly read: (value: unknown) => unknown
}

/**
 * ISO 8601 text in UTC: a timestamp for PostgreSQL, and sortable text for the others, which no driver or session converts
 * to another time zone.
 */
const date: Codec = {
  write: (value) => (value instanceof Date ? value.toISOString() : value),
  read(value) {
    const read = value instanceof Date ? value : new Date(typeof value === 'string' ? readZone(value) : NaN)
    if (!Number.isNaN(read.getTime())) return read
    throw new Error('A date column must contain a timestamp or ISO 8601 text')
  },
}

/**
 * Adds the time zone to dates that SQLite's functions wrote, which are in UTC but do not say so. Rejects other text.
 */
function readZone(text: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T]([\d:.]+)$/.exec(text) ?? []
  if (day && time) return `${day}T${time}Z`
  return /^[+-]?\d{4,6}-\d\d-\d\d/.test(text) ? text : ''
}

/** 1 and 0: PostgreSQL accepts them as booleans, and the others have no booleans. */
const boolean: Codec = { write: (value) => (value ? 1 : 0), read: Boolean }

/** PostgreSQL returns 64-bit integers as text. */
const integer: Codec = { write: (value) => value, read: Number }

/** The site's own tables may have numeric ids. The library uses text. */
const id: Codec = { write: (value) => value, read: String }

const json: Codec = {
  write: (value) => JSON.stringify(value),
  read: (value): unknown => (typeof value === 'string' ? JSON.parse(value) : value),
}

/** The columns that are not plain text, by name. No two tables use a name differently. */
const codecs: ReadonlyMap<string, Codec> = new Map([
  ['id', id],
  ['userId', id],
  ['emailVerified', date],
  ['expires', date],
  ['expires_at', integer],
  ['authorization_details', json],
  ['counter', integer],
  ['credentialBackedUp', boolean],
])

/**
 * Converts a record to a row, and checks its keys. Undefined members are omitted, and columns added by the site pass
 * through unchanged.
 */
export function writeRow(record: object): Row {
  checkKeys(record as Row)
  return convert(record, 'write', (value) => value !== undefined)
}

/**
 * Restores the names of columns that a plugin or driver changed between snake_case and camelCase, such as Kysely's
 * `CamelCasePlugin`. Columns added by the site keep their names.
 */
export function restoreNames(row: Row, columns: readonly string[]): Row {
  const missing = columns.filter((name) => !(name in row))
  if (missing.length === 0) return row
  const originals = new Map(missing.map((name) => [foldName(name), name]))
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      (!columns.includes(name) && originals.get(foldName(name))) || name,
      value,
    ]),
  )
}

function foldName(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

/** Converts a row to a record. */
export function readRow(row: Row): object {
  return convert(row, 'read', () => true)
}

/** Converts a row to a record without empty columns. */
export function readFilled(row: Row): object {
  return convert(row, 'read', (value) => value !== null)
}

function convert(row: object, way: keyof Codec, keeps: (value: unknown) => boolean): Row {
  const columns = Object.entries(row).filter(([, value]) => keeps(value))
  return Object.fromEntries(
    columns.map(([name, value]: [string, unknown]) => [
      name,
      value === null ? null : (codecs.get(name)?.[way](value) ?? value),
    ]),
  )
}

/** Narrows Kysely's type: the site's type describes its whole database, and this library only uses its own tables. */
export function authTables<DB>(db: Kysely<DB>): Kysely<Tables> {
  return db as unknown as Kysely<Tables>
}
