import type { SqliteDatabase } from 'kysely'

/** What is used of a `DatabaseSync` of `node:sqlite`. */
export interface NodeSqliteDatabase {
  /** As there. */
  close(): void
  /** As there. */
  prepare(sql: string): NodeSqliteStatement
}

interface NodeSqliteStatement {
  columns(): readonly unknown[]
  all(...parameters: unknown[]): unknown[]
  iterate(...parameters: unknown[]): IterableIterator<unknown>
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
}

/**
 * A database of `node:sqlite` (Node 22.16 and newer) in the shape that Kysely's SqliteDialect takes. better-sqlite3 has
 * that shape by itself.
 *
 * @example new SqliteDialect({ database: nodeSqlite(new DatabaseSync('auth.db')) })
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
