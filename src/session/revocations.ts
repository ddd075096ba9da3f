import type { Settings } from '../config/settings.ts'
import { encodeBase64url } from '../crypto/bytes.ts'
import { sha256Base64url } from '../crypto/hash.ts'
import { InvalidConfig } from '../errors/classes.ts'
import type { Claims } from '../token/decrypt-token.ts'
import type { RevocationStore } from '../types/revocation.ts'
import type { ProviderSession } from './provider-session.ts'
import { type Revocable, readRevocable } from './session-token.ts'

type TokenSettings = Pick<Settings, 'jwt' | 'platform'>

/** A session with this value never counts as signed in again. */
const forever = Number.MAX_SAFE_INTEGER

/**
 * Seconds for which an entry outlives the last token: a request that opened a token just before it was revoked can still
 * reissue it.
 */
const allowance = 600

/** Returns the key of all sessions of a user. */
export async function keyOfUser(userId: string): Promise<string> {
  return sha256Base64url(JSON.stringify(['user', String(userId)]))
}

/**
 * Returns the claim by which a new session can be revoked. It stays the same when the token is reissued.
 *
 * @param at when the sign-in began, in milliseconds since 1970: a later revocation ends the session
 */
export async function makeRevocable(
  userId: string | undefined,
  opened: ProviderSession | undefined,
  at: number,
  { platform }: TokenSettings,
): Promise<Revocable> {
  const session = encodeBase64url(platform.randomBytes(16))
  const user = userId === undefined ? undefined : await keyOfUser(userId)
  return { session, at, ...(user !== undefined && { user }), ...(opened && { opened }) }
}

/**
 * Returns whether a token is revoked. A token without the claim counts as revoked, because no entry could revoke it.
 */
export async function isListed(claims: Claims, settings: TokenSettings): Promise<boolean> {
  const { jwt, platform } = settings
  const held = readRevocable(claims)
  // An entry outlives only tokens with the current lifetime. The application's encoder may keep the `iat` of the sign-in.
  const isTooOld =
    !jwt.encode && typeof claims.iat === 'number' && claims.iat + jwt.maxAge <= platform.now() / 1000
  if (!held || isTooOld) return true
  const { session, user, at, opened } = held
  const keys = [session, user, opened?.account, opened?.part].filter((key) => key !== undefined)
  const found = readValues(await requireList(settings).find(keys), keys.length)
  const values = new Map(keys.map((key, n) => [key, found[n] ?? 0]))
  const valueOf = (key = '') => values.get(key) ?? 0
  // The session that ended all others counts as started since then.
  const countsFrom = valueOf(session)
  if (countsFrom === forever || valueOf(user) >= Math.max(at, countsFrom)) return true
  return opened !== undefined && Math.max(valueOf(opened.account), valueOf(opened.part)) >= opened.issuedAt
}

/** Revokes all tokens with one of these keys that a provider issued until this time, in seconds. */
export async function revokeKeys(
  keys: readonly string[],
  issuedAt: number,
  settings: TokenSettings,
): Promise<void> {
  const list = requireList(settings)
  await Promise.all(keys.map(async (key) => list.add(key, issuedAt, lifetime(settings))))
}

/** Revokes all copies of a token. */
export async function revokeToken(claims: Claims, settings: TokenSettings): Promise<void> {
  const held = readRevocable(claims)
  if (held) await requireList(settings).add(held.session, forever, lifetime(settings))
}

/** Revokes all tokens of a user whose sessions have started, except one that is not revoked yet. */
export async function revokeUser(userId: string, settings: TokenSettings, except?: Claims): Promise<void> {
  const list = requireList(settings)
  const user = await keyOfUser(userId)
  const now = settings.platform.now()
  const kept = except && !(await isListed(except, settings)) ? readRevocable(except) : undefined
  // First, and for longer, so that the session does not end in between.
  if (kept?.user === user) await list.add(kept.session, now + 1, lifetime(settings) + allowance)
  await list.add(user, now, lifetime(settings))
}

/**
 * Revokes all tokens of a user whose sessions started before this millisecond, in which the session that follows may
 * start.
 */
export async function revokeEarlier(userId: string, settings: TokenSettings): Promise<void> {
  await requireList(settings).add(await keyOfUser(userId), settings.platform.now() - 1, lifetime(settings))
}

function lifetime({ jwt }: TokenSettings): number {
  return Math.ceil(jwt.maxAge) + allowance
}

/** @throws InvalidConfig if no list is configured, which callers check first */
function requireList({ jwt }: TokenSettings): RevocationStore {
  if (jwt.revocations) return jwt.revocations
  throw new InvalidConfig('Set `jwt.revocations` to revoke JWT sessions')
}

/** A missing value must not count as "not revoked" if the store does not respond as it should. */
function readValues(found: unknown, count: number): readonly (number | null)[] {
  const isValue = (value: unknown) => value === null || Number.isSafeInteger(value)
  if (Array.isArray(found) && found.length === count && found.every(isValue)) return found
  throw new TypeError('`find` of `jwt.revocations` must return an integer or null for each key')
}
