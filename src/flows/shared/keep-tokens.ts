import type { OAuthSettings } from '../../config/settings.ts'
import type { TokenSet } from '../../types/records.ts'
import { withoutUndefined } from '../../copies/copy-handed-out.ts'

/** Columns that identify the user and account of a row. */
const identity: ReadonlySet<string> = new Set(['id', 'userId', 'type', 'provider', 'providerAccountId'])

/**
 * Returns the tokens selected by the provider's account callback. The callback may return the whole token response,
 * which may contain any member. Members that name a user are removed, so that the account is not assigned to another
 * user.
 */
export async function keepTokens(
  provider: Pick<OAuthSettings, 'account'>,
  tokens: TokenSet,
): Promise<Readonly<Record<string, unknown>>> {
  const { account } = provider
  const kept = await account(tokens)
  const members = Object.entries(withoutUndefined(kept ?? {})).filter(([name]) => !identity.has(name))
  return Object.fromEntries(members.map(([name, value]) => [name, toStored(name, value)]))
}

function toStored(name: string, value: unknown): unknown {
  return name === 'refresh_token' && typeof value === 'string' ? writeUnclaimed(value) : value
}

/** The content of an account's `refresh_token`. */
export interface HeldToken {
  /** The provider's token; undefined when there is none. */
  readonly token?: string
  /** Milliseconds since 1970 until which another request is about to send it; 0 if none is. */
  readonly claimedUntil: number
}

const claim = /^refreshing:(\d+):(.+)$/s

/**
 * Returns a refresh token that is about to be sent, as it is stored until then. The request that replaces the token by
 * this claims it. The claim is stored in the token's own column, so that one comparison in the store is enough.
 */
export function writeClaim(token: string, until: number): string {
  return `refreshing:${until}:${token}`
}

/** Reads a stored token, claimed or not. */
export function readClaim(stored: string | null | undefined): HeldToken {
  if (!stored) return { claimedUntil: 0 }
  const [, until, token] = claim.exec(stored) ?? []
  return token === undefined ? { token: stored, claimedUntil: 0 } : { token, claimedUntil: Number(until) }
}

/**
 * Returns a refresh token that nobody claims, as it is stored. A provider may choose any text, and
 * one that looks like a claim would never be released: it becomes a claim that has ended, from which `readClaim` reads
 * the token.
 */
export function writeUnclaimed(token: string): string {
  return claim.test(token) ? writeClaim(token, 0) : token
}
