import type { Check, CookiePurpose, CookieTable, OAuthSettings } from '../config/settings.ts'
import { clearCookie, type CookieChange } from '../cookies/cookie-change.ts'
import { forFormPost } from '../cookies/form-post.ts'
import { readChunked, writeChunked } from '../cookies/chunks.ts'
import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import type { Visit } from '../http/visit.ts'
import type { Keyring } from '../token/keyring.ts'

/** Seconds that a sign-in may take at the provider. */
export const checkMaxAge = 900

/** The cookie of each check, in the order in which they are made. */
export const checkPurposes = {
  state: 'state',
  pkce: 'pkceCodeVerifier',
  nonce: 'nonce',
} as const satisfies Record<Check, CookiePurpose>
/** All checks there are. */
export const allChecks = Object.keys(checkPurposes) as readonly Check[]

/** What a check cookie seals: the value, for which provider, and what else this sign-in was given. */
export interface SealedCheck {
  readonly value: string
  readonly provider: string
  /** The checks of the sign-in; the callback demands them all. */
  readonly checks?: readonly string[]
  /** Id of the user who was signed in when it started, if the identity may be linked to them. */
  readonly user?: string
}

/** The cookie of a check in this sign-in: several that go on at once have different ends of its name. */
function cookieOf(check: Check, transaction: string, { cookieTable }: Visit): CookieTable[CookiePurpose] {
  const cookie = cookieTable[checkPurposes[check]]
  return { ...cookie, name: cookie.name + transaction }
}

/** Seals one check into its cookie. */
export function sealCheck(
  check: Check,
  sealed: SealedCheck,
  transaction: string,
  visit: Visit,
  provider: OAuthSettings,
  keys: Keyring,
  now: number,
): MaybePromise<CookieChange[]> {
  const cookie = cookieOf(check, transaction, visit)
  const options = provider.responseMode === 'form_post' ? forFormPost(cookie) : cookie.options
  const expires = new Date(now + checkMaxAge * 1000)
  return whenReady(keys.seal({ ...sealed }, { salt: cookie.name, maxAge: checkMaxAge, now }), (value) =>
    writeChunked(visit.cookies, { name: cookie.name, options }, value, expires),
  )
}

/** Does the browser hold a cookie for this check? */
export function holdsCheck(check: Check, transaction: string, visit: Visit): boolean {
  return readChunked(visit.cookies, cookieOf(check, transaction, visit).name) !== undefined
}

/** Opens a check cookie; undefined when it is missing, expired, forged, or not for this provider. */
export function openCheck(
  check: Check,
  transaction: string,
  visit: Visit,
  provider: string,
  keys: Keyring,
  now: number,
): MaybePromise<SealedCheck | undefined> {
  const { name } = cookieOf(check, transaction, visit)
  const held = readChunked(visit.cookies, name)
  if (held === undefined) return undefined
  return whenReady(keys.open(held, { salt: name, now }), (opened) => {
    if (!('claims' in opened)) return undefined
    const { value, provider: mintedFor, checks, user } = opened.claims
    if (typeof value !== 'string' || value === '' || mintedFor !== provider) return undefined
    return {
      value,
      provider,
      checks: Array.isArray(checks) ? checks.filter((each) => typeof each === 'string') : undefined,
      user: typeof user === 'string' ? user : undefined,
    }
  })
}

/** Clears the check cookies of a sign-in that the browser holds, whatever became of it (decision 12). */
export function clearChecks(visit: Visit, transaction = ''): CookieChange[] {
  return allChecks
    .map((check) => cookieOf(check, transaction, visit))
    .filter(({ name }) => visit.cookies.names.some((held) => held === name || held.startsWith(`${name}.`)))
    .map((cookie) => clearCookie(cookie))
}
