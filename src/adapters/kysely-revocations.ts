import type { Kysely } from 'kysely'
import type { RevocationStore } from '../types/revocation.ts'
import { authTables } from './kysely-row.ts'
import { retryConflict } from './kysely-retry.ts'

/**
 * Stores revoked JWT sessions in SQL. Needs the table `authmachine_revocations`, which the guide to sessions shows. Rows are
 * only inserted, so that concurrent additions cannot overwrite each other. Each addition deletes expired rows.
 *
 * @param db any database of Kysely. The application need not use the adapter
 * @returns a store for `jwt.revocations`
 * @example
 * Auth(request, { jwt: { revocations: kyselyRevocations(db) }, ... })
 */
export function kyselyRevocations<DB>(db: Kysely<DB>): RevocationStore {
  const tables = authTables(db)
  return {
    async find(keys) {
      const rows = await tables
        .selectFrom(table)
        .select(({ fn }) => ['subject', fn.max('value').as('highest')])
        .where('subject', 'in', keys)
        .groupBy('subject')
        .execute()
      // Drivers return large integers as text.
      const values = new Map(rows.map(({ subject, highest }) => [subject, Number(highest)]))
      return keys.map((key) => values.get(key) ?? null)
    },
    async add(subject, value, seconds) {
      // Whole seconds since 1970.
      const now = Math.floor(Date.now() / 1000)
      const row = { subject, value, expires: now + seconds }
      await retryConflict(() => tables.insertInto(table).values(row).execute())
      await retryConflict(() => tables.deleteFrom(table).where('expires', '<=', now).execute())
    },
  }
}

const table = 'authmachine_revocations'
