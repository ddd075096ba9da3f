import type { AuthConfig } from '../../../src/index.ts'

/** Sessions from before this time, in milliseconds since 1970, are revoked. With several servers, use a table or Redis. */
const voidBefore = new Map<string, number>()

/** Ends every current session of this user. */
export function signOutEverywhere(userId: string, now = Date.now()): void {
  voidBefore.set(userId, now)
}

export const config: Pick<AuthConfig, 'callbacks' | 'jwt'> = {
  callbacks: {
    // Every read reissues the token, so `iat` is not the time of the sign-in.
    jwt: ({ token, account }) => (account ? { ...token, signedInAt: Date.now() } : token),
  },
  jwt: {
    // Sessions that started before you deployed this callback have no `signedInAt`.
    isRevoked: (token) => Number(token['signedInAt'] ?? 0) <= (voidBefore.get(token.sub ?? '') ?? -1),
  },
}
