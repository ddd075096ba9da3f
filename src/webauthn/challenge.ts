import { clearChunked, readChunked, writeChunked } from '../cookies/chunks.ts'
import type { CookieChange } from '../cookies/cookie-change.ts'
import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import type { Visit } from '../http/visit.ts'
import type { Claims, Keyring } from '../token/keyring.ts'
import type { User } from '../types/records.ts'

export type CeremonyKind = 'authenticate' | 'register'

/** What the challenge cookie seals: the challenge, and all that it was minted for (decision 30). */
export interface Challenge {
  /** base64url, as the browser signs it. */
  readonly value: string
  readonly ceremony: CeremonyKind
  /** Id of the provider. */
  readonly provider: string
  /** Id of the user who was signed in when it was minted. */
  readonly startedBy?: string
  /** Id of the user whose credential has to answer; any user's may, without one. */
  readonly user?: string
  /** Credential ids in base64; when there are any, one of them has to answer. */
  readonly offered: readonly string[]
  /** Who registers without being signed in. */
  readonly newcomer?: User
}

/** Seconds that a ceremony may take. */
const challengeMaxAge = 900

/** Seals a challenge into its cookie. */
export function sealChallenge(
  challenge: Challenge,
  visit: Visit,
  keys: Keyring,
  now: number,
): MaybePromise<CookieChange[]> {
  const cookie = visit.cookieTable.webauthnChallenge
  const expires = new Date(now + challengeMaxAge * 1000)
  const options = { salt: cookie.name, maxAge: challengeMaxAge, now }
  return whenReady(keys.seal({ ...challenge }, options), (value) =>
    writeChunked(visit.cookies, cookie, value, expires),
  )
}

/** Does the browser hold a challenge at all? */
export function holdsChallenge(visit: Visit): boolean {
  return readChunked(visit.cookies, visit.cookieTable.webauthnChallenge.name) !== undefined
}

/** The challenge that the browser holds; undefined when it is missing, expired, forged, or for another ceremony. */
export function openChallenge(
  { ceremony, provider }: Pick<Challenge, 'ceremony' | 'provider'>,
  visit: Visit,
  keys: Keyring,
  now: number,
): MaybePromise<Challenge | undefined> {
  const { name } = visit.cookieTable.webauthnChallenge
  const held = readChunked(visit.cookies, name)
  if (held === undefined) return undefined
  return whenReady(keys.open(held, { salt: name, now }), (opened) => {
    const challenge = 'claims' in opened ? read(opened.claims) : undefined
    return challenge?.ceremony === ceremony && challenge.provider === provider ? challenge : undefined
  })
}

/** What was sealed was ours; only what every challenge has is looked at. */
function read(claims: Claims): Challenge | undefined {
  const { value, offered } = claims
  if (typeof value !== 'string' || value === '' || !Array.isArray(offered)) return undefined
  return claims as unknown as Challenge
}

/** Takes the challenge back, whatever became of the ceremony: it is good for one answer. */
export function clearChallenge(visit: Visit): CookieChange[] {
  return clearChunked(visit.cookies, visit.cookieTable.webauthnChallenge)
}
