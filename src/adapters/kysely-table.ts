import type { Kysely } from 'kysely'
import { type Row, type Tables, writeRow } from './kysely-row.ts'
import { openWriter } from './kysely-writer.ts'
import { areKeys } from './storable-keys.ts'

/** Columns and values that identify a row, compared exactly. */
type Key = Readonly<Record<string, string | undefined>>
/** Columns and the values they must have for a row to be changed. */
type Held = Readonly<Record<string, string | number>>

/** A table. Each operation is one statement or one transaction. */
export interface Table<Rec> {
  readonly insert: (record: object) => Promise<Rec>
  /** Inserts the record unless there is a row with its key. Returns whether the record was inserted. */
  readonly add: (record: object) => Promise<boolean>
  /** Inserts the record, or changes the row with its key. */
  readonly put: (record: object) => Promise<void>
  readonly find: (key: Key) => Promise<Rec | null>
  readonly list: (key: Key) => Promise<Rec[]>
  /**
   * Changes the given columns, and returns the whole row. Returns null if there is no such row, or a value differs from
   * the expected one.
   */
  readonly change: (key: Key, patch: object, held?: Held) => Promise<Rec | null>
  /**
   * Returns the removed row. Of concurrent calls, only one gets it. Returns null if there is no such row, or a value differs
   * from the expected one.
   */
  readonly remove: (key: Key, held?: Held) => Promise<Rec | null>
}

/** Reads and writes a table as records. `identity` names the columns that identify a row. */
export function openTable<Rec>(
  db: Kysely<Tables>,
  name: string,
  identity: readonly string[],
  read: (row: Row) => Rec,
): Table<Rec> {
  const writer = openWriter(db)
  const isKey = (key: Key) => areKeys(...Object.values(key))
  const canHold = (held: Held) =>
    Object.values(held).every((value) => typeof value === 'number' || areKeys(value))
  const readAny = (row: Row | undefined) => (row ? read(row) : null)

  return {
    insert: async (record) => read(await writer.insert(name, writeRow(record), identity)),
    // Copies, because Kysely gets these lists, and applications can replace its methods.
    add: (record) => writer.add(name, writeRow(record), [...identity]),
    put: (record) => writer.put(name, writeRow(record), [...identity]),
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
      return readAny(await writer.change(name, key, held, { ...writeRow(patch), ...key }))
    },
    async remove(key, held = {}) {
      if (!isKey(key) || !canHold(held)) return null
      return readAny(await writer.remove(name, { ...key, ...held }))
    },
  }
}
