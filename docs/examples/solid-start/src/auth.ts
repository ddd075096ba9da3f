import Credentials from 'authmachine/providers/credentials'
import type { SolidAuthConfig } from 'authmachine/solid-start'

// The library reads AUTH_SECRET from the environment. All other values are set here.
const { AUTH_DEMO_ISSUER: issuer, AUTH_DEMO_ID: clientId, AUTH_DEMO_SECRET: clientSecret } = process.env

/** Runs on the server only. */
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
