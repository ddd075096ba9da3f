import type { AuthConfig } from '../../../src/index.ts'

export const callbacks: AuthConfig['callbacks'] = {
  jwt({ token, account, profile }) {
    // Only at a sign-in is there an account; afterwards the token holds what was put there.
    if (account) token['groups'] = profile?.['groups'] ?? []
    return token
  },
  session({ session, token }) {
    return { ...session, user: { ...session.user, id: token.sub }, groups: token['groups'] }
  },
}
