import { clearChunked, readChunked, writeChunked } from '../cookies/chunks.ts'
import type { CookieChange } from '../cookies/cookie.ts'
import { sha256Base64url } from '../crypto/hash.ts'
import type { MaybePromise } from '../async/maybe-promise.ts'
import type { Visit } from '../http/visit.ts'
import type { Keyring } from '../token/keyring.ts'
import type { LinkStarter } from './requested-links.ts'

/** A mailed code, as the sealed cookie of the browser that requested it holds it. */
export interface RequestedCode {
  /** Id of the provider. */
  readonly provider: string
  readonly identifier: string
  /** A hash of the code, with the secret. */
  readonly hash: string
  /** Names the rows of the attempts together with `attempt`. Nobody but this library can read it. */
  readonly nonce: string
  /** The number of the next attempt, from 1. */
  readonly attempt: number
  /** Milliseconds since 1970. */
  readonly expires: number
  /** A hash of the CSRF token of the browser. */
  readonly browser: string
  /** Where the browser goes after the sign-in. */
  readonly callbackUrl: string
  readonly starter?: LinkStarter | undefined
  /** The stamp of the account when the code was mailed. Absent without one, as in cookies of earlier versions. */
  readonly stamp?: string | undefined
}

/** Returns what a code is bound to in the cookies of a browser. */
export function nameBrowser(csrfToken: string): MaybePromise<string> {
  return sha256Base64url(`code ${csrfToken}`)
}

/** Returns the code that this browser requested, unless the cookie is missing, expired or forged. */
export async function readCode(visit: Visit, keys: Keyring, now: number): Promise<RequestedCode | undefined> {
  const { name } = visit.cookieTable.requestedCode
  const held = readChunked(visit.cookies, name)
  const opened = held === undefined ? undefined : await keys.open(held, { salt: name, now })
  const code = opened && 'claims' in opened ? (opened.claims.code as RequestedCode | undefined) : undefined
  return code && code.expires > now ? code : undefined
}

/** Seals the code in a cookie, which replaces the one of an older code. */
export async function writeCode(
  code: RequestedCode,
  visit: Visit,
  keys: Keyring,
  now: number,
): Promise<CookieChange[]> {
  const cookie = visit.cookieTable.requestedCode
  const maxAge = Math.ceil((code.expires - now) / 1000)
  const value = await keys.seal({ code }, { salt: cookie.name, maxAge, now })
  return writeChunked(visit.cookies, cookie, value, new Date(code.expires))
}

/** Removes the cookie. */
export function clearCode(visit: Visit): CookieChange[] {
  return clearChunked(visit.cookies, visit.cookieTable.requestedCode)
}
