/** A program that depends on the types of next-auth, which come from the package in place of `@auth/core`. */
import NextAuth, { type DefaultSession, type NextAuthConfig, type Session } from 'next-auth'
import type { Adapter } from 'next-auth/adapters'
import type { JWT } from 'next-auth/jwt'
import Credentials from 'next-auth/providers/credentials'
import GitHub from 'next-auth/providers/github'

declare module 'next-auth' {
  interface Session {
    user: { role: string } & DefaultSession['user']
  }
}
declare module 'next-auth/jwt' {
  interface JWT {
    role?: string
  }
}

const config: NextAuthConfig = {
  providers: [
    GitHub,
    Credentials({ credentials: { pin: {} }, authorize: ({ pin }) => ({ id: String(pin) }) }),
  ],
  callbacks: {
    session({ session, token }) {
      session.user.role = token.role ?? 'none'
      return session
    },
    jwt: ({ token, trigger }) => (trigger === 'signIn' ? { ...token, role: 'member' } : token),
  },
}

export const { auth, handlers } = NextAuth(config)
export const roleOf = (session: Session): string => session.user.role
// @ts-expect-error: a name is a string or missing. If the types were lost, it would be any.
export const nameOf = (session: Session): number => session.user.name
export const subjectOf = (token: JWT): string | undefined => token.sub
export const open = (adapter: Adapter): NextAuthConfig => ({ ...config, adapter })
