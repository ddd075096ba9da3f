import Credentials from 'authmachine/providers/credentials'
import type { SolidAuthConfig } from 'authmachine/solid-start'

// AUTH_SECRET is read from the environment by the library, the rest is named here.
const { AUTH_DEMO_ISSUER: issuer, AUTH_DEMO_ID: clientId, AUTH_DEMO_SECRET: clientSecret } = process.env

/** On the server only. */
export const authOptions: SolidAuthConfig = {
  prefix: '/api/auth',
  providers: [
    { id: 'demo', name: 'Demo ID', type: 'oidc', issuer, clientId, clientSecret },
    Credentials({
      credentials: { name: { label: 'Name' }, pin: { label: 'PIN', type: 'password' } },
      authorize: ({ name, pin }) => (pin === '2718-2818' ? { id: String(name), name: String(name) } : null),
    }),
  ],
}
