import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

export const auth = createAuth({
  adapter: memoryAdapter(),
  providers: [GitHub],
  session: { strategy: 'database', maxAge: 7 * 24 * 60 * 60, updateAge: 60 * 60 },
  // With a database, the callback gets a session with `user.id`, which the methods need. The default leaves it out.
  callbacks: { session: ({ session }) => session },
})
