import type { Kysely } from 'kysely'
import { areKeys, type Row, writeRow } from './kysely-columns.ts'

/** Any tables: what their columns hold is for the codecs to say. */
export type Tables = Record<string, Row>

/** Columns and the values that name a row, compared exactly. */
type Key = Readonly<Record<string, string | undefined>>
/** Columns and the values that a row must hold to be changed. */
type Held = Readonly<Record<string, string | number>>

/** One table; each operation is one statement. */
export interface Table<Rec> {
  readonly insert: (record: object) => Promise<Rec>
  readonly find: (key: Key) => Promise<Rec | null>
  readonly list: (key: Key) => Promise<Rec[]>
  /** Changes what is given, and answers the whole; null when there is no such row, or it does not hold what it should. */
  readonly change: (key: Key, patch: object, held?: Held) => Promise<Rec | null>
  /** Answers what it took away: of many who do so at once, one gets it. */
  readonly remove: (key: Key) => Promise<Rec | null>
}

/** The rows of a table as records. */
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
      // The key is set to itself, so that a patch of nothing is a statement too.
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
