/**
 * The same under this library's own name. The program imports nothing else of the package, and the augmentations still
 * take effect.
 */
import {
  createAuth,
  type Account,
  type AuthConfig,
  type DefaultSession,
  type JWT,
  type Profile,
  type Session,
  type User,
} from 'authmachine'

declare module 'authmachine' {
  interface Session {
    user: { id: string; role: string } & DefaultSession['user']
  }
  interface User {
    role?: string
  }
  interface Account {
    realm?: string
  }
  interface Profile {
    department?: string
  }
}
declare module 'authmachine/jwt' {
  interface JWT {
    role?: string
  }
}

const config: AuthConfig = {
  providers: [],
  callbacks: {
    jwt({ token, user, account, profile, trigger, session }) {
      if (trigger === 'update') token.name = session.user.name
      const realm: string | undefined = account?.realm
      const department: string | undefined = profile?.department
      return user ? { ...token, role: user.role ?? realm ?? department } : token
    },
    session({ session, token }) {
      session.user.role = token.role ?? 'none'
      return session
    },
  },
}
export const auth = createAuth(config)
export const found: Promise<Session | null> = auth.getSession(new Request('https://app.test/'))
export const idOf = async (request: Request): Promise<string | undefined> =>
  (await auth.getSession(request))?.user.id
export const roleOf = (session: Session): string => session.user.role
export const types: { user?: User; account?: Account; profile?: Profile; token?: JWT } = {}

// @ts-expect-error: the augmented role is a string
export const wrong = (token: JWT): number | undefined => token.role
// @ts-expect-error: and so is the session's role
export const wrongToo = (session: Session): number => session.user.role
