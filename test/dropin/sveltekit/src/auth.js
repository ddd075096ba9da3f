import { CredentialsSignin, SvelteKitAuth } from '@auth/sveltekit'
import Credentials from '@auth/sveltekit/providers/credentials'
import { env } from '$env/dynamic/private'

class WrongPin extends CredentialsSignin {
  code = 'wrong-pin'
}

export const { handle, signIn, signOut } = SvelteKitAuth(async () => ({
  trustHost: true,
  providers: [
    { id: 'demo', name: 'Demo ID', type: 'oidc', issuer: env.AUTH_DEMO_ISSUER },
    Credentials({
      credentials: { name: { label: 'Name' }, pin: { label: 'PIN', type: 'password' } },
      authorize({ name, pin }) {
        if (pin !== '2718-2818') throw new WrongPin()
        return { id: name, name }
      },
    }),
  ],
}))
