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
 * Returns the session for server components. They cannot set cookies, so `proxy.ts` and the session route, which
 * `watchSession` of `authmachine/client` requests, extend the session.
 */
export async function findUser() {
  const session = await auth.getSession(
    new Request(process.env.AUTH_URL ?? 'http://localhost:3000', { headers: await headers() }),
  )
  return session?.user
}
