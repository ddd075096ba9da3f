import type { Kysely } from 'kysely'
import { databaseOf } from './kysely-database.ts'
import { loadKysely } from './load-kysely.ts'

/** How long another process may take, in milliseconds. */
const patience = 60_000

/**
 * Runs `work` in a transaction that locks an SQLite file. Kysely's migrator locks only databases on a server, and would
 * otherwise keep the tables of a migration that failed halfway. Other databases need no change.
 */
export async function lockFile<DB, T>(db: Kysely<DB>, work: (db: Kysely<DB>) => Promise<T>): Promise<T> {
  if (databaseOf(db) !== 'sqlite') return work(db)
  const { sql } = await loadKysely()
  return db.connection().execute(async (connection) => {
    await waitForLock(() => sql`begin immediate`.execute(connection))
    try {
      const result = await work(connection)
      await waitForLock(() => sql`commit`.execute(connection))
      return result
    } catch (error) {
      await sql`rollback`.execute(connection)
      throw error
    }
  })
}

/**
 * Waits without blocking the process, because the holder of the lock may run in the same process. SQLite itself would
 * block it.
 */
async function waitForLock(execute: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + patience
  for (;;) {
    try {
      await execute()
      return
    } catch (error) {
      const isLocked = error instanceof Error && /database is locked/.test(error.message)
      if (!isLocked || Date.now() > deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
