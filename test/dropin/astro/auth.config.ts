import { CredentialsSignin } from '@auth/core/errors'
import Credentials from '@auth/core/providers/credentials'
import { defineConfig } from 'auth-astro'

const { AUTH_SECRET, AUTH_DEMO_ISSUER, AUTH_DEMO_ID, AUTH_DEMO_SECRET } = process.env

class WrongPin extends CredentialsSignin {
  code = 'wrong-pin'
}

export default defineConfig({
  secret: AUTH_SECRET,
  trustHost: true,
  providers: [
    {
      id: 'demo',
      name: 'Demo ID',
      type: 'oidc',
      issuer: AUTH_DEMO_ISSUER,
      clientId: AUTH_DEMO_ID,
      clientSecret: AUTH_DEMO_SECRET,
    },
    Credentials({
      credentials: { name: { label: 'Name' }, pin: { label: 'PIN', type: 'password' } },
      authorize({ name, pin }) {
        if (pin !== '2718-2818') throw new WrongPin()
        return { id: String(name), name: String(name) }
      },
    }),
  ],
})
