import { CredentialsSignin } from '@auth/core/errors'
import { QwikAuth$ } from '@auth/qwik'
import Credentials from '@auth/qwik/providers/credentials'

export const { onRequest, useSession, useSignIn, useSignOut } = QwikAuth$(({ env }) => {
  class WrongPin extends CredentialsSignin {
    code = 'wrong-pin'
  }
  return {
    secret: env.get('AUTH_SECRET'),
    trustHost: true,
    providers: [
      {
        id: 'demo',
        name: 'Demo ID',
        type: 'oidc',
        issuer: env.get('AUTH_DEMO_ISSUER'),
        clientId: env.get('AUTH_DEMO_ID'),
        clientSecret: env.get('AUTH_DEMO_SECRET'),
      },
      Credentials({
        credentials: { name: { label: 'Name' }, pin: { label: 'PIN', type: 'password' } },
        authorize({ name, pin }) {
          if (pin !== '2718-2818') throw new WrongPin()
          return { id: String(name), name: String(name) }
        },
      }),
    ],
  }
})
