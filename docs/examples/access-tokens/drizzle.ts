import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { and, eq } from 'drizzle-orm'
import type { Adapter, AdapterAccount } from '../../../src/adapters.ts'
import { accounts, db, sessions, users } from './drizzle-schema.ts'

const tables = { usersTable: users, accountsTable: accounts, sessionsTable: sessions }

/** DrizzleAdapter has `getAccount` itself. */
export const adapter: Adapter = {
  ...(DrizzleAdapter(db, tables) as Adapter),
  async updateAccount({ provider, providerAccountId, ...tokens }, held) {
    const { access_token, refresh_token, expires_at, id_token, scope, token_type } = tokens
    // One statement: of many that replace the same refresh token, one succeeds. Undefined members stay as they are.
    const [account] = await db
      .update(accounts)
      .set({ provider, access_token, refresh_token, expires_at, id_token, scope, token_type })
      .where(
        and(
          eq(accounts.provider, provider),
          eq(accounts.providerAccountId, providerAccountId),
          held && eq(accounts.refresh_token, held.refresh_token),
        ),
      )
      .returning()
    return (account ?? null) as AdapterAccount | null
  },
}
