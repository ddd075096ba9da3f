import { createAuth } from 'authmachine'
import { createNextAuth } from 'authmachine/next'
import Credentials from 'authmachine/providers/credentials'

// AUTH_SECRET, AUTH_DEMO_ISSUER, AUTH_DEMO_ID and AUTH_DEMO_SECRET come from the environment, and so does AUTH_URL.
const instance = createAuth({
  basePath: '/api/auth',
  providers: [
    { id: 'demo', name: 'Demo ID', type: 'oidc' },
    Credentials({
      credentials: { name: { label: 'Name' }, pin: { label: 'PIN', type: 'password' } },
      authorize: ({ name, pin }) => (pin === '2718-2818' ? { id: String(name), name: String(name) } : null),
    }),
  ],
  callbacks: {
    // The new name comes from the server action on the members page.
    jwt: ({ token, trigger, session }) =>
      trigger === 'update' ? { ...token, name: String(session.name) } : token,
  },
})

export type Auth = typeof instance
export const { auth, handlers, proxy, signIn, signOut, update } = createNextAuth(instance)
