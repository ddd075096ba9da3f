import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'
import Google from '../../../src/providers/google.ts'

/** An audit log. In your application, this is a table. */
export const changes: string[] = []

export const auth = createAuth({
  adapter: memoryAdapter(),
  providers: [GitHub, Google],
  accountPage: true,
  session: {
    describe: (request) => ({
      device: request.headers.get('user-agent') ?? undefined,
      // Keep this only if your proxy sets the header. Otherwise, anyone can send it.
      address: request.headers.get('x-real-ip') ?? undefined,
    }),
  },
  events: {
    unlinkAccount: ({ user, account }) => void changes.push(`${user.id} unlinked ${account.provider}`),
    deleteUser: ({ userId }) => void changes.push(`${userId} was deleted`),
  },
})
