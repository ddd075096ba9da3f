import Credentials from 'authmachine/providers/credentials'
import type { SolidAuthConfig } from 'authmachine/solid-start'

/** On the server only. AUTH_SECRET is read from the environment, the rest is named here. */
export const authOptions: SolidAuthConfig = {
  prefix: '/api/auth',
  providers: [
    {
      id: 'demo',
      name: 'Demo ID',
      type: 'oidc',
      issuer: process.env.AUTH_DEMO_ISSUER,
      clientId: process.env.AUTH_DEMO_ID,
      clientSecret: process.env.AUTH_DEMO_SECRET,
    },
    Credentials({
      credentials: { name: { label: 'Name' }, pin: { label: 'PIN', type: 'password' } },
      authorize: ({ name, pin }) => (pin === '2718-2818' ? { id: String(name), name: String(name) } : null),
    }),
  ],
}
