import Credentials from 'authmachine/providers/credentials'
import { serverAuth$ } from 'authmachine/qwik'

// AUTH_SECRET, AUTH_DEMO_ISSUER, AUTH_DEMO_ID and AUTH_DEMO_SECRET come from the environment.
export const { onRequest, useSession, useSignIn, useSignOut } = serverAuth$(() => ({
  providers: [
    { id: 'demo', name: 'Demo ID', type: 'oidc' },
    Credentials({
      credentials: { name: { label: 'Name' }, pin: { label: 'PIN', type: 'password' } },
      // None of this code reaches the browser, not even the PIN.
      authorize: ({ name, pin }) => (pin === '2718-2818' ? { id: String(name), name: String(name) } : null),
    }),
  ],
}))
