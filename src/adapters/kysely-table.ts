import type { Kysely } from 'kysely'
import { areKeys, checkKeys } from './storable-keys.ts'

/** A row as the driver reads and writes it. */
export type Row = Record<string, unknown>

/** How one kind of column is written, and how it is read from whatever the driver returns. */
interface Codec {
  readonly write: (value: unknown) => unknown
  readonly read: (value: unknown) => unknown
}

/** ISO 8601 text in UTC: a timestamp for PostgreSQL, and sortable text for SQLite. */
const date: Codec = {
  write: (value) => (value instanceof Date ? value.toISOString() : value),
  read(value) {
    const read = value instanceof Date ? value : new Date(typeof value === 'string' ? readZone(value) : NaN)
    if (!Number.isNaN(read.getTime())) return read
    throw new Error('A date column must contain a timestamp or ISO 8601 text')
  },
}

/** Adds the zone to the dates of SQLite's functions, which are UTC without a zone. Rejects text such as a flag. */
function readZone(text: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T]([\d:.]+)$/.exec(text) ?? []
  if (day && time) return `${day}T${time}Z`
  return /^[+-]?\d{4,6}-\d\d-\d\d/.test(text) ? text : ''
}

/** 1 and 0: PostgreSQL accepts them as booleans, and SQLite has no booleans. */
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
function writeRow(record: object): Row {
  checkKeys(record as Row)
  return convert(record, 'write', (value) => value !== undefined)
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

/** Any tables. The codecs define what their columns hold. */
export type Tables = Record<string, Row>

/** Columns and values that identify a row, compared exactly. */
type Key = Readonly<Record<string, string | undefined>>
/** Columns and the values they must have for a row to be changed. */
type Held = Readonly<Record<string, string | number>>

/** A table. Each operation is one statement. */
export interface Table<Rec> {
  readonly insert: (record: object) => Promise<Rec>
  readonly find: (key: Key) => Promise<Rec | null>
  readonly list: (key: Key) => Promise<Rec[]>
  /**
   * Changes the given columns, and returns the whole row. Returns null if there is no such row, or a value differs from
   * the expected one.
   */
  readonly change: (key: Key, patch: object, held?: Held) => Promise<Rec | null>
  /** Returns the removed row. Of concurrent calls, only one gets it. */
  readonly remove: (key: Key) => Promise<Rec | null>
}

/** Reads and writes a table as records. */
export function openTable<Rec>(db: Kysely<Tables>, name: string, read: (row: Row) => Rec): Table<Rec> {
  const isKey = (key: Key) => areKeys(...Object.values(key))
  const canHold = (held: Held) =>
    Object.values(held).every((value) => typeof value === 'number' || areKeys(value))
  const readAny = (row: Row | undefined) => (row ? read(row) : null)

  return {
    async insert(record) {
      const insert = db.insertInto(name).values(writeRow(record)).returningAll()
      return read(await insert.executeTakeFirstOrThrow())
    },
    async find(key) {
      if (!isKey(key)) return null
      const select = db.selectFrom(name).selectAll()
      return readAny(await select.where((eb) => eb.and(key)).executeTakeFirst())
    },
    async list(key) {
      if (!isKey(key)) return []
      const select = db.selectFrom(name).selectAll()
      return (await select.where((eb) => eb.and(key)).execute()).map(read)
    },
    async change(key, patch, held = {}) {
      if (!isKey(key) || !canHold(held)) return null
      // Sets the key to itself, so that an empty patch is a valid statement.
      const update = db.updateTable(name).set({ ...writeRow(patch), ...key })
      return readAny(
        await update
          .where((eb) => eb.and({ ...key, ...held }))
          .returningAll()
          .executeTakeFirst(),
      )
    },
    async remove(key) {
      if (!isKey(key)) return null
      const remove = db.deleteFrom(name).where((eb) => eb.and(key))
      return readAny(await remove.returningAll().executeTakeFirst())
    },
  }
}
