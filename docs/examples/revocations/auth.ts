import { createClient } from 'redis'
import { redisRevocations } from '../../../src/adapters/redis.ts'
import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

export const client = createClient({ url: process.env['REDIS_URL'] })
client.on('error', console.error)
await client.connect()

export const auth = createAuth({
  providers: [GitHub],
  jwt: { revocations: redisRevocations(client) },
  callbacks: {
    // Without an adapter, each sign-in gets a random `sub` unless you set one.
    jwt: ({ token, account }) => (account ? { ...token, sub: `github:${account.providerAccountId}` } : token),
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub ?? '' } }),
  },
})

/** Ends all sessions of the user except the one of the request. */
export async function signOutOthers(request: Request): Promise<void> {
  const session = await auth.getSession(request)
  if (session?.user?.id) await auth.revokeSessions(session.user.id, { except: request })
}
