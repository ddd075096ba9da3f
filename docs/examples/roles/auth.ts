import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

export type Role = 'admin' | 'member'

/** Replace this with a table of your application. */
export const roles = new Map<string, Role>()

export const auth = createAuth({
  adapter: memoryAdapter(),
  providers: [GitHub],
  callbacks: {
    session({ session, user }) {
      const role: Role = roles.get(user.id) ?? 'member'
      return { ...session, user: { ...session.user, id: user.id, role } }
    },
  },
})

/** Returns the session of an administrator, or the response for everyone else. */
export async function requireAdmin(request: Request) {
  const found = await auth.requireSession(request)
  if (!('session' in found)) return found
  // The compiler knows `role`, and rejects any other value than 'admin' and 'member'.
  if (found.session.user.role !== 'admin') return new Response('For administrators only', { status: 403 })
  return found
}
