import type { AuthConfig } from '../../../src/index.ts'

export const callbacks: AuthConfig['callbacks'] = {
  jwt({ token, account, profile }) {
    // `account` is set at sign-in only. Later calls receive the token with its claims.
    if (account) token['groups'] = profile?.['groups'] ?? []
    return token
  },
  session({ session, token }) {
    return { ...session, user: { ...session.user, id: token.sub }, groups: token['groups'] }
  },
}
