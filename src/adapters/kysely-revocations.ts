import { type Kysely, sql } from 'kysely'
import type { RevocationStore } from '../types/revocation.ts'
import { retryConflict } from './kysely-retry.ts'

/**
 * Keeps revoked JWT sessions in SQL. Needs the table `authmachine_revocations` of the guide. Rows are only inserted, so that
 * concurrent additions cannot overwrite each other, and each addition deletes the expired ones.
 *
 * @param db any database of Kysely, also without the adapter
 * @returns a store for `jwt.revocations`
 * @example
 * Auth(request, { jwt: { revocations: kyselyRevocations(db) }, ... })
 */
export function kyselyRevocations<DB>(db: Kysely<DB>): RevocationStore {
  return {
    async find(keys) {
      const { rows } = await sql<{ readonly subject: string; readonly value: number | string }>`
        select subject, max(value) as value from authmachine_revocations
        where subject in (${sql.join(keys)}) group by subject`.execute(db)
      // Drivers return large integers as text.
      const values = new Map(rows.map(({ subject, value }) => [subject, Number(value)]))
      return keys.map((key) => values.get(key) ?? null)
    },
    async add(subject, value, seconds) {
      // Whole seconds since 1970.
      const now = Math.floor(Date.now() / 1000)
      const row = sql.join([subject, value, now + seconds])
      const insert = sql`insert into authmachine_revocations (subject, value, expires) values (${row})`
      const clean = sql`delete from authmachine_revocations where expires <= ${now}`
      await retryConflict(() => insert.execute(db))
      await retryConflict(() => clean.execute(db))
    },
  }
}
