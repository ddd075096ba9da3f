import { clearChunked, readChunked, writeChunked } from '../cookies/chunks.ts'
import type { CookieChange } from '../cookies/cookie.ts'
import { sha256Base64url } from '../crypto/hash.ts'
import type { Visit } from '../http/visit.ts'
import type { Keyring } from '../token/keyring.ts'
import type { Account, Profile } from '../types/records.ts'

/** A sign-in whose first factor was accepted, as the sealed cookie of its browser holds it. It is not a session. */
export interface PendingSignIn {
  readonly userId: string
  readonly account: Account
  /** What the provider told, for the callbacks of the application. */
  readonly profile?: Profile | undefined
  /** The claims of the id_token that name the session at the provider. */
  readonly claims?: Profile | undefined
  /** The binding of the second factor. With another one, the sign-in has ended. */
  readonly binding: string
  /** A hash of the CSRF token of the browser. */
  readonly browser: string
  readonly callbackUrl: string
}

/** Seconds within which the second factor must be entered. */
const maxAge = 600

/** Opens the pending sign-in of a browser, unless the cookie is missing, expired or forged. */
export async function readPending(
  visit: Visit,
  keys: Keyring,
  now: number,
): Promise<PendingSignIn | undefined> {
  const { name } = visit.cookieTable.pendingSignIn
  const held = readChunked(visit.cookies, name)
  const opened = held === undefined ? undefined : await keys.open(held, { salt: name, now })
  return opened && 'claims' in opened ? (opened.claims['pending'] as PendingSignIn | undefined) : undefined
}

/** Names the pending sign-in of a browser. No two have the same name, because each is sealed with random bytes. */
export async function namePending(visit: Visit): Promise<string> {
  return sha256Base64url(`pending ${readChunked(visit.cookies, visit.cookieTable.pendingSignIn.name)}`)
}

/** Seals a pending sign-in in a cookie, which replaces an older one. */
export async function writePending(
  pending: PendingSignIn,
  visit: Visit,
  keys: Keyring,
  now: number,
): Promise<CookieChange[]> {
  const cookie = visit.cookieTable.pendingSignIn
  const value = await keys.seal({ pending }, { salt: cookie.name, maxAge, now })
  return writeChunked(visit.cookies, cookie, value, new Date(now + maxAge * 1000))
}

/** Removes the cookie. */
export function clearPending(visit: Visit): CookieChange[] {
  return clearChunked(visit.cookies, visit.cookieTable.pendingSignIn)
}
