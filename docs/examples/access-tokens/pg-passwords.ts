import PostgresAdapter from '@auth/pg-adapter'
import type { Pool } from 'pg'
import type { Adapter } from '../../../src/adapters.ts'

export function createAdapter(pool: Pool): Adapter {
  return {
    ...(PostgresAdapter(pool) as Adapter),
    async getPassword(userId) {
      const { rows } = await pool.query<{ hash: string }>('select hash from passwords where "userId" = $1', [
        userId,
      ])
      return rows[0]?.hash ?? null
    },
    async setPassword(userId, hash, held) {
      const { rowCount } = held
        ? await pool.query('update passwords set hash = $2 where "userId" = $1 and hash = $3', [
            userId,
            hash,
            held.hash,
          ])
        : await pool.query(
            'insert into passwords ("userId", hash) values ($1, $2) on conflict ("userId") do update set hash = $2',
            [userId, hash],
          )
      return rowCount === 1
    },
    async deletePassword(userId) {
      await pool.query('delete from passwords where "userId" = $1', [userId])
    },
    async listSessionsByUserId(userId) {
      const { rows } = await pool.query('select * from sessions where "userId" = $1', [userId])
      return rows
    },
  }
}
