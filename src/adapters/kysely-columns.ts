/** A row as a driver takes it or gives it. */
export type Row = Record<string, unknown>

/** How one kind of column is written, and read back whatever the driver makes of it. */
interface Codec {
  readonly write: (value: unknown) => unknown
  readonly read: (value: unknown) => unknown
}

/** Text in ISO 8601 and UTC: a timestamp to PostgreSQL, and to SQLite text that sorts as time does. */
const date: Codec = {
  write: (value) => (value instanceof Date ? value.toISOString() : value),
  read(value) {
    const read = new Date(value as Date | string | number)
    if (Number.isNaN(read.getTime())) throw new Error('A column of dates holds something else')
    return read
  },
}

/** 1 and 0, which PostgreSQL takes for a boolean and SQLite has instead of one. */
const boolean: Codec = { write: (value) => (value ? 1 : 0), read: Boolean }

/** PostgreSQL answers 64 bits as text. */
const integer: Codec = { write: (value) => value, read: Number }

/** Tables made by others may count their rows; to the library an id is text. */
const id: Codec = { write: (value) => value, read: String }

const json: Codec = {
  write: (value) => JSON.stringify(value),
  read: (value): unknown => (typeof value === 'string' ? JSON.parse(value) : value),
}

/** The columns that do not hold plain text, by name: no two tables use a name differently. */
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

/** A record as a row: undefined members are left out, and columns that a site has added are passed as they are. */
export function writeRow(record: object): Row {
  return convert(record, 'write', (value) => value !== undefined)
}

/** A row as a record. */
export function readRow(row: Row): Row {
  return convert(row, 'read', () => true)
}

/** A row as a record without the columns that hold nothing. */
export function readFilled(row: Row): Row {
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

/**
 * Can these values name a row? Nothing else is sent to the database: empty text names none, and some databases throw
 * at characters that they cannot store (U+0000, half a pair), or put another in their place.
 */
export function areKeys(...values: readonly unknown[]): boolean {
  return values.every(
    (value) => typeof value === 'string' && value !== '' && !/[\0\p{Surrogate}]/u.test(value),
  )
}
