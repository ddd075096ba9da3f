import type { Check, CookiePurpose, OAuthSettings } from '../config/settings.ts'
import { clearCookie, type CookieChange } from '../cookies/cookie-change.ts'
import { forFormPost } from '../cookies/form-post.ts'
import { readChunked, writeChunked } from '../cookies/chunks.ts'
import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import type { Visit } from '../http/visit.ts'
import type { Keyring } from '../token/keyring.ts'

/** Seconds that a sign-in may take at the provider. */
export const checkMaxAge = 900

const purposes = {
  state: 'state',
  pkce: 'pkceCodeVerifier',
  nonce: 'nonce',
} as const satisfies Record<Check, CookiePurpose>

/** What a check cookie seals: the value, for which provider, and what else this sign-in was given. */
export interface SealedCheck {
  readonly value: string
  readonly provider: string
  /** The checks of the sign-in; the callback demands them all. */
  readonly checks?: readonly string[]
  /** Id of the user who was signed in when it started. */
  readonly user?: string
}

/** Seals one check into its cookie. */
export function sealCheck(
  check: Check,
  sealed: SealedCheck,
  visit: Visit,
  provider: OAuthSettings,
  keys: Keyring,
  now: number,
): MaybePromise<CookieChange[]> {
  const cookie = visit.cookieTable[purposes[check]]
  const options = provider.responseMode === 'form_post' ? forFormPost(cookie) : cookie.options
  const expires = new Date(now + checkMaxAge * 1000)
  return whenReady(keys.seal({ ...sealed }, { salt: cookie.name, maxAge: checkMaxAge, now }), (value) =>
    writeChunked(visit.cookies, { name: cookie.name, options }, value, expires),
  )
}

/** Does the browser hold a cookie for this check? */
export function holdsCheck(check: Check, visit: Visit): boolean {
  return readChunked(visit.cookies, visit.cookieTable[purposes[check]].name) !== undefined
}

/** Opens a check cookie; undefined when it is missing, expired, forged, or not for this provider. */
export function openCheck(
  check: Check,
  visit: Visit,
  provider: string,
  keys: Keyring,
  now: number,
): MaybePromise<SealedCheck | undefined> {
  const { name } = visit.cookieTable[purposes[check]]
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

/** Clears the check cookies that the browser holds, whatever became of the sign-in (decision 12). */
export function clearChecks(visit: Visit): CookieChange[] {
  return Object.values(purposes)
    .map((purpose) => visit.cookieTable[purpose])
    .filter(({ name }) => visit.cookies.names.some((held) => held === name || held.startsWith(`${name}.`)))
    .map((cookie) => clearCookie(cookie))
}
