import PostgresAdapter from '@auth/pg-adapter'
import type { Pool } from 'pg'
import type { Adapter, AdapterAccount } from '../../../src/adapters.ts'

export function createAdapter(pool: Pool): Adapter {
  return {
    ...(PostgresAdapter(pool) as Adapter),
    async getAccount(providerAccountId, provider) {
      const found = await pool.query(
        'select * from accounts where provider = $1 and "providerAccountId" = $2',
        [provider, providerAccountId],
      )
      return readAccount(found.rows[0])
    },
    async updateAccount({ provider, providerAccountId, ...tokens }, held) {
      // A single statement: if several replace the same refresh token at once, one succeeds.
      const updated = await pool.query(
        `update accounts set
           access_token = coalesce($4, access_token), refresh_token = coalesce($5, refresh_token),
           expires_at = coalesce($6, expires_at), id_token = coalesce($7, id_token),
           scope = coalesce($8, scope), token_type = coalesce($9, token_type)
         where provider = $1 and "providerAccountId" = $2 and ($3::text is null or refresh_token = $3)
         returning *`,
        [
          ...[provider, providerAccountId, held?.refresh_token, tokens.access_token, tokens.refresh_token],
          ...[tokens.expires_at, tokens.id_token, tokens.scope, tokens.token_type],
        ],
      )
      return readAccount(updated.rows[0])
    },
  }
}

/** The driver returns 64-bit integers as strings. */
function readAccount(row: AdapterAccount | undefined): AdapterAccount | null {
  if (!row) return null
  return { ...row, expires_at: row.expires_at ? Number(row.expires_at) : undefined }
}
