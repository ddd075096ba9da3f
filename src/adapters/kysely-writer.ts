import type { Kysely, Transaction } from 'kysely'
import { formatUuid, randomBytes } from '../crypto/random.ts'
import { databaseOf } from './kysely-database.ts'
import { restoreNames, type Row, type Tables } from './kysely-row.ts'
import { keys } from './storable-keys.ts'

/** Columns and the values that they must have. */
export type Values = Readonly<Record<string, unknown>>

/** Writes rows, and returns them as the database stores them. Each operation happens completely or not at all. */
export interface Writer {
  /** Inserts a row. `key` names the columns that identify it. */
  readonly insert: (table: string, row: Row, key: readonly string[]) => Promise<Row>
  /**
   * Inserts a row unless there is one with the same values in the columns `key`. Returns whether the row was inserted.
   */
  readonly add: (table: string, row: Row, key: readonly string[]) => Promise<boolean>
  /** Inserts a row, or changes the one with the same values in the columns `key`. */
  readonly put: (table: string, row: Row, key: readonly string[]) => Promise<void>
  /** Changes the row with the key if it also has the values in `held`. Returns undefined if there is no such row. */
  readonly change: (table: string, key: Values, held: Values, patch: Row) => Promise<Row | undefined>
  /** Removes the rows with these values, and returns one. Of concurrent calls, only one gets a row. */
  readonly remove: (table: string, key: Values) => Promise<Row | undefined>
}

/** Returns the writer for a database. MariaDB and MySQL do not return the rows that an update changed. */
export function openWriter(db: Kysely<Tables>): Writer {
  return databaseOf(db) === 'mysql' ? writeInTransactions(db) : writeInStatements(db)
}

function writeInStatements(db: Kysely<Tables>): Writer {
  return {
    insert: (table, row) => db.insertInto(table).values(row).returningAll().executeTakeFirstOrThrow(),
    async add(table, row, key) {
      const insert = db.insertInto(table).values(row).returning(key)
      const added = await insert.onConflict((conflict) => conflict.columns(key).doNothing()).execute()
      return added.length > 0
    },
    async put(table, row, key) {
      const insert = db.insertInto(table).values(row)
      await insert.onConflict((conflict) => conflict.columns(key).doUpdateSet(row)).execute()
    },
    change: (table, key, held, patch) =>
      db
        .updateTable(table)
        .set(patch)
        .where((eb) => eb.and({ ...key, ...held }))
        .returningAll()
        .executeTakeFirst(),
    remove: (table, key) =>
      db
        .deleteFrom(table)
        .where((eb) => eb.and(key))
        .returningAll()
        .executeTakeFirst(),
  }
}

/**
 * Locks the row first and reads it in the same transaction. It therefore works at every isolation level, and does not
 * use the number of rows that the driver reports: some count the rows that an update found, others those that it
 * changed.
 */
function writeInTransactions(db: Kysely<Tables>): Writer {
  return {
    insert: (table, row, key) =>
      runTogether(db, async (trx) => {
        // The database does not return an id that it generates.
        const whole = key.every((name) => name in row) ? row : { ...row, id: formatUuid(randomBytes(16)) }
        await trx.insertInto(table).values(bindAll(whole)).execute()
        const identity = Object.fromEntries(key.map((name) => [name, whole[name]]))
        return checkStored(whole, await lock(trx, table, identity))
      }),
    async add(table, row) {
      try {
        await db.insertInto(table).values(bindAll(row)).execute()
        return true
      } catch (error) {
        // Not `insert ignore`, which would also ignore an unknown user.
        if (isDuplicate(error)) return false
        throw error
      }
    },
    async put(table, row) {
      const whole = bindAll(row)
      await db.insertInto(table).values(whole).onDuplicateKeyUpdate(whole).execute()
    },
    change: (table, key, held, patch) =>
      runTogether(db, async (trx) => {
        if (!(await lock(trx, table, { ...key, ...held }))) return undefined
        const update = trx.updateTable(table).set(bindAll(patch))
        await update.where((eb) => eb.and(key)).execute()
        return checkStored(patch, await lock(trx, table, key))
      }),
    remove: (table, key) =>
      runTogether(db, async (trx) => {
        const row = await lock(trx, table, key)
        const remove = trx.deleteFrom(table).where((eb) => eb.and(key))
        if (row) await remove.execute()
        return row
      }),
  }
}

function isDuplicate(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === 'ER_DUP_ENTRY'
}

/** The caller may have started a transaction already. */
function runTogether<T>(db: Kysely<Tables>, work: (trx: Kysely<Tables>) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute((trx: Transaction<Tables>) => work(trx))
}

function lock(db: Kysely<Tables>, table: string, key: Values): Promise<Row | undefined> {
  const select = db.selectFrom(table).selectAll()
  return select
    .where((eb) => eb.and(key))
    .forUpdate()
    .executeTakeFirst()
}

/**
 * A server that is not in strict mode shortens long text and replaces characters instead of rejecting them. Two users
 * could then share a key.
 */
function checkStored(given: Row, stored: Row | undefined): Row {
  const restored = stored && restoreNames(stored, keys)
  const changed = keys.find(
    (name) => typeof given[name] === 'string' && given[name] !== String(restored?.[name]),
  )
  if (stored && changed === undefined) return stored
  throw new Error(`\`${changed}\` is too long for its column, or has characters that the column cannot store`)
}

/** mysql2 would bind an object as `[object Object]`, and a list as several values. */
function bindAll(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isJson(value) ? JSON.stringify(value) : value]),
  )
}

function isJson(value: unknown): boolean {
  return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]'
}
