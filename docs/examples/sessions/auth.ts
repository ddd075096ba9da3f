import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

export const auth = createAuth({
  adapter: memoryAdapter(),
  providers: [GitHub],
  session: { strategy: 'database', maxAge: 7 * 24 * 60 * 60, updateAge: 60 * 60 },
  // Adds `user.id`, which the methods need, to the session.
  callbacks: { session: ({ session }) => session },
})
