import type { Kysely } from 'kysely'

/** The databases that the adapter supports. MariaDB uses the dialect of MySQL. */
export type Database = 'postgres' | 'sqlite' | 'mysql'

/** Distinguishes databases by their Kysely adapter, not by the name of the dialect: drivers may have their own dialects. */
export function databaseOf<DB>(db: Kysely<DB>): Database {
  const { supportsReturning, supportsTransactionalDdl } = db.getExecutor().adapter
  if (!supportsReturning) return 'mysql'
  return supportsTransactionalDdl ? 'postgres' : 'sqlite'
}
