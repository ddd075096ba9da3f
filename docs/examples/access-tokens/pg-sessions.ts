import PostgresAdapter from '@auth/pg-adapter'
import type { Pool } from 'pg'
import type { Adapter } from '../../../src/adapters.ts'

export function createAdapter(pool: Pool): Adapter {
  return {
    ...(PostgresAdapter(pool) as Adapter),
    async listSessionsByUserId(userId) {
      const { rows } = await pool.query('select * from sessions where "userId" = $1', [userId])
      return rows
    },
  }
}
