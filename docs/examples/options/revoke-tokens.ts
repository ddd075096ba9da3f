import type { AuthConfig } from '../../../src/index.ts'

/** Milliseconds since 1970 before which a user's sessions are void; on several machines, a table or Redis. */
const voidBefore = new Map<string, number>()

/** Ends every session that this user has now. */
export function signOutEverywhere(userId: string, now = Date.now()): void {
  voidBefore.set(userId, now)
}

export const config: Pick<AuthConfig, 'callbacks' | 'jwt'> = {
  callbacks: {
    // A token is sealed anew whenever it is read: when its sign-in was, only a claim of its own can say.
    jwt: ({ token, account }) => (account ? { ...token, signedInAt: Date.now() } : token),
  },
  jwt: {
    isRevoked: (token) => Number(token['signedInAt']) <= (voidBefore.get(token.sub ?? '') ?? 0),
  },
}
