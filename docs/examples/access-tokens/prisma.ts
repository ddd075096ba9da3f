import { PrismaAdapter } from '@auth/prisma-adapter'
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from '@prisma/client'
import type { Adapter, AdapterAccount } from '../../../src/adapters.ts'

export const prisma = new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env['DATABASE_URL'] }),
})

/** PrismaAdapter has `getAccount` itself. */
export const adapter: Adapter = {
  ...(PrismaAdapter(prisma) as Adapter),
  async updateAccount({ provider, providerAccountId, ...tokens }, held) {
    const { access_token, refresh_token, expires_at, id_token, scope, token_type } = tokens
    // A single statement: if several replace the same refresh token, one succeeds. Undefined fields are not changed.
    const { count } = await prisma.account.updateMany({
      where: { provider, providerAccountId, ...held },
      data: { access_token, refresh_token, expires_at, id_token, scope, token_type },
    })
    if (count === 0) return null
    return (await prisma.account.findFirst({
      where: { provider, providerAccountId },
    })) as AdapterAccount | null
  },
  // Prisma ignores a condition that is undefined, and would return the sessions of all users.
  listSessionsByUserId: (userId) => prisma.session.findMany({ where: { userId: String(userId) } }),
}
