import { createAuth } from 'authmachine'
import Credentials from 'authmachine/providers/credentials'
import { headers } from 'next/headers'

// AUTH_SECRET, AUTH_DEMO_ISSUER, AUTH_DEMO_ID and AUTH_DEMO_SECRET come from the environment, and so does AUTH_URL.
export const auth = createAuth({
  basePath: '/api/auth',
  providers: [
    { id: 'demo', name: 'Demo ID', type: 'oidc' },
    Credentials({
      credentials: { name: { label: 'Name' }, pin: { label: 'PIN', type: 'password' } },
      authorize: ({ name, pin }) => (pin === '2718-2818' ? { id: String(name), name: String(name) } : null),
    }),
  ],
})

/**
 * Who is signed in, for server components. These cannot set cookies: what extends a session is the session route, which a
 * page asks through `watchSession` of `authmachine/client`, and `proxy.ts`.
 */
export async function findUser() {
  const session = await auth.getSession(
    new Request(process.env.AUTH_URL ?? 'http://localhost:3000', { headers: await headers() }),
  )
  return session?.user
}
