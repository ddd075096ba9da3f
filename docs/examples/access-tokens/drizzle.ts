import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { and, eq } from 'drizzle-orm'
import type { Adapter, AdapterAccount } from '../../../src/adapters.ts'
import { accounts, db, sessions, users, verificationTokens } from './drizzle-schema.ts'

const tables = {
  usersTable: users,
  accountsTable: accounts,
  sessionsTable: sessions,
  verificationTokensTable: verificationTokens,
}

/** DrizzleAdapter has `getAccount` itself. */
export const adapter: Adapter = {
  ...(DrizzleAdapter(db, tables) as Adapter),
  async updateAccount({ provider, providerAccountId, ...tokens }, held) {
    const { access_token, refresh_token, expires_at, id_token, scope, token_type } = tokens
    // A single statement: if several replace the same refresh token, one succeeds. Undefined fields are not changed.
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
  listSessionsByUserId: (userId) => db.select().from(sessions).where(eq(sessions.userId, userId)),
}
