import { UnstorageAdapter } from '@auth/unstorage-adapter'
import NextAuth, { CredentialsSignin } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import Passkey from 'next-auth/providers/passkey'
import { createStorage } from 'unstorage'
import memoryDriver from 'unstorage/drivers/memory'

class WrongPin extends CredentialsSignin {
  code = 'wrong-pin'
}

export const { handlers, auth, signIn, signOut } = NextAuth({
  adapter: UnstorageAdapter(createStorage({ driver: memoryDriver() })),
  session: { strategy: 'jwt' },
  providers: [
    { id: 'demo', name: 'Demo ID', type: 'oidc', issuer: process.env.AUTH_DEMO_ISSUER },
    Credentials({
      credentials: { name: { label: 'Name' }, pin: { label: 'PIN', type: 'password' } },
      authorize({ name, pin }) {
        if (pin !== '2718-2818') throw new WrongPin()
        return { id: String(name), name: String(name) }
      },
    }),
    Passkey,
  ],
  callbacks: {
    authorized({ request, auth }) {
      return request.nextUrl.pathname !== '/members' || !!auth
    },
    jwt({ token, trigger, session }) {
      if (trigger === 'update') token.name = session.user.name
      return token
    },
  },
  experimental: { enableWebAuthn: true },
})
