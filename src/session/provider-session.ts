import { sha256Base64url } from '../crypto/hash.ts'
import { parseRow, shorten } from './row-id.ts'

/** The session at an OpenID provider through which a user signed in, for its back-channel logout. */
export interface ProviderSession {
  /** The key of the provider's user. */
  readonly account: string
  /** The key of the provider's session, or of all sessions of that user without an id. */
  readonly part: string
  /** Seconds since 1970 of the id_token, by the clock of the provider. A logout ends sessions that are not newer. */
  readonly issuedAt: number
}

/** The claims of an id_token or a logout token that identify a session at the provider. */
interface Named {
  readonly sub?: unknown
  readonly sid?: unknown
}

/** Names the session at a provider by the claims of its id_token. */
export async function nameProviderSession(
  provider: string,
  claims: Named & { readonly iat?: unknown },
): Promise<ProviderSession> {
  const { sub, sid, iat } = claims
  return {
    account: await keyOf('account', provider, sub),
    part: await keyOfPart(provider, sub, sid),
    // A NumericDate may have a fraction (RFC 7519 2), which neither a session token nor a revocation can hold.
    issuedAt: Math.floor(Number(iat)),
  }
}

/**
 * Returns the keys that a logout revokes. With `sid`, these are the key of the session and that of the user's sessions
 * without a `sid`, because some providers do not send it in id_tokens. Without `sid`, it is the key of the user.
 */
export async function keysOfLogout(provider: string, { sub, sid }: Named): Promise<readonly string[]> {
  if (sid === undefined) return [await keyOf('account', provider, sub)]
  const parts = [
    keyOfPart(provider, sub, sid),
    ...(sub === undefined ? [] : [keyOfPart(provider, sub, undefined)]),
  ]
  return Promise.all(parts)
}

async function keyOfPart(provider: string, sub: unknown, sid: unknown): Promise<string> {
  return typeof sid === 'string' ? keyOf('sid', provider, sid) : keyOf('no sid', provider, sub)
}

async function keyOf(kind: string, provider: string, name: unknown): Promise<string> {
  return sha256Base64url(JSON.stringify([kind, provider, name]))
}

/** Returns whether a session was opened at the provider before a logout, and is named by one of the keys. */
export function wasOpenedBy(sessionToken: string, keys: readonly string[], issuedAt: number): boolean {
  const { opening } = parseRow(sessionToken)
  if (!opening || opening.issuedAt > issuedAt) return false
  return keys.some((key) => [opening.account, opening.part].includes(shorten(key)))
}
