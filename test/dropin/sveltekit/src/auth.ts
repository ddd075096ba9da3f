import { CredentialsSignin, SvelteKitAuth, type DefaultSession } from '@auth/sveltekit'
import Credentials from '@auth/sveltekit/providers/credentials'
import { env } from '$env/dynamic/private'

declare module '@auth/sveltekit' {
  interface Session {
    user: { id: string } & DefaultSession['user']
  }
}
declare module '@auth/core/jwt' {
  interface JWT {
    role?: string
  }
}

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
        return { id: String(name), name: String(name) }
      },
    }),
  ],
  callbacks: {
    jwt({ token, trigger, session }) {
      if (trigger === 'signUp') token.role = 'member'
      if (trigger === 'update') token.name = session.user.name
      return token
    },
    session({ session, token }) {
      session.user.id = token.sub ?? ''
      return session
    },
  },
}))
