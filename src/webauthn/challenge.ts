import { sha256Base64url } from '../crypto/hash.ts'
import type { Visit } from '../http/visit.ts'
import { sealedCookie } from '../token/sealed.ts'
import type { User } from '../types/records.ts'

export type CeremonyKind = 'authenticate' | 'register'

/** The content of the challenge cookie: the challenge and its purpose (decision 30). */
export interface Challenge {
  /** base64url, as the browser signs it. */
  readonly value: string
  readonly ceremony: CeremonyKind
  /** Id of the provider. */
  readonly provider: string
  /** Id of the user who was signed in when the challenge was created. */
  readonly startedBy?: string
  /** Id of the user whose credential must be used. Without it, any user's may be used. */
  readonly user?: string
  /** Digests of credential ids, from `digestOffered`. If there are any, one of these credentials must be used. */
  readonly offered: readonly string[]
  /** The new user, if the visitor registers without being signed in. */
  readonly newcomer?: User
}

/** Shortens a credential id for the cookie, which has no room for many ids of up to 1023 bytes. */
export async function digestOffered(credentialID: string): Promise<string> {
  return (await sha256Base64url(credentialID)).slice(0, 22)
}

/** The cookie of a challenge. A browser has one challenge at a time. */
export const challengePlace = {
  cookie: ({ cookieTable }: Visit) => cookieTable.webauthnChallenge,
  /** Seconds that a ceremony may take. */
  maxAge: 900,
}

/** The challenge of a sign-in or of a new passkey. Whatever the result, clear the cookie: a challenge may be used once. */
export const challengeCookie = sealedCookie<Challenge, 'ceremony' | 'provider'>({
  ...challengePlace,
  boundTo: ['ceremony', 'provider'],
  read: (claims) => (claims.factor === undefined ? readChallenge(claims) : undefined),
})

/** The library sealed the claims, so only the members that every challenge has are checked. */
export function readChallenge(claims: object): Challenge | undefined {
  const { value, offered } = claims as Partial<Challenge>
  if (typeof value !== 'string' || value === '' || !Array.isArray(offered)) return undefined
  return claims as Challenge
}
