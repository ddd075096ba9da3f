/** Milliseconds after which a claim counts as given up: more than all steps of a refresh may take. */
export const claimTime = 120_000

/** What an account's `refresh_token` holds. */
export interface HeldToken {
  /** The provider's token; undefined when there is none. */
  readonly token?: string
  /** Milliseconds since 1970 until which somebody else is about to send it; 0 when nobody is. */
  readonly claimedUntil: number
}

/**
 * A refresh token that is about to be sent, as the store holds it meanwhile. Whoever replaces the token by this has it
 * alone; it is in the same place, so that one comparison in the store is enough.
 */
export function writeClaim(token: string, until: number): string {
  return `refreshing:${until}:${token}`
}

/** Reads what the store holds, claimed or not. */
export function readClaim(stored: string | null | undefined): HeldToken {
  if (!stored) return { claimedUntil: 0 }
  const [, until, token] = /^refreshing:(\d+):(.+)$/s.exec(stored) ?? []
  return token === undefined ? { token: stored, claimedUntil: 0 } : { token, claimedUntil: Number(until) }
}
