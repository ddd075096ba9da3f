import type { Kysely } from 'kysely'

/** The databases that the adapter knows. MariaDB speaks the dialect of MySQL. */
export type Database = 'postgres' | 'sqlite' | 'mysql'

/** Tells databases apart by what Kysely says about them, whatever the dialect is called: drivers may bring their own. */
export function databaseOf<DB>(db: Kysely<DB>): Database {
  const { supportsReturning, supportsTransactionalDdl } = db.getExecutor().adapter
  if (!supportsReturning) return 'mysql'
  return supportsTransactionalDdl ? 'postgres' : 'sqlite'
}
