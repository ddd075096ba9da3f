import type { SqliteDatabase } from 'kysely'

/** The members of `DatabaseSync` of `node:sqlite` that the adapter uses. */
export interface NodeSqliteDatabase {
  /** Closes the database. */
  close(): void
  /** Prepares a statement. */
  prepare(sql: string): NodeSqliteStatement
}

interface NodeSqliteStatement {
  columns(): readonly unknown[]
  all(...parameters: unknown[]): unknown[]
  iterate(...parameters: unknown[]): IterableIterator<unknown>
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
}

/**
 * Adapts a database of `node:sqlite` (Node 22.16 and newer) to Kysely's SqliteDialect. You can pass a database of
 * better-sqlite3 directly.
 *
 * @param database an open database
 * @returns the database, with the methods that Kysely calls
 * @example
 * new SqliteDialect({ database: nodeSqlite(new DatabaseSync('auth.db')) })
 */
export function nodeSqlite(database: NodeSqliteDatabase): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...parameters),
        iterate: (parameters) => statement.iterate(...parameters),
        run: (parameters) => statement.run(...parameters),
      }
    },
  }
}
