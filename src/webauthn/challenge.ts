import { clearChunked, readChunked, writeChunked } from '../cookies/chunks.ts'
import type { CookieChange } from '../cookies/cookie.ts'
import { sha256Base64url } from '../crypto/hash.ts'
import { whenReady, type MaybePromise } from '../async/maybe-promise.ts'
import type { Visit } from '../http/visit.ts'
import type { Keyring } from '../token/keyring.ts'
import type { User } from '../types/records.ts'

export type CeremonyKind = 'authenticate' | 'register'

/** The content of the challenge cookie: the challenge and what it was created for (decision 30). */
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
  /** Present if the response is a second factor, which does not sign anybody in without the first. */
  readonly factor?: {
    /** Names the sign-in or the browser that the response is for. */
    readonly attempt: string
    /** Milliseconds since 1970. */
    readonly createdAt: number
  }
}

/** Which challenge a request needs. */
type Wanted = Pick<Challenge, 'ceremony' | 'provider'> & {
  /** Whether the response is a second factor. @default false */
  readonly isFactor?: boolean
}

/** Shortens a credential id for the cookie, which has no room for many ids of up to 1023 bytes. */
export async function digestOffered(credentialID: string): Promise<string> {
  return (await sha256Base64url(credentialID)).slice(0, 22)
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

/** Tells whether the browser sent a challenge cookie. */
export function holdsChallenge(visit: Visit): boolean {
  return readChunked(visit.cookies, visit.cookieTable.webauthnChallenge.name) !== undefined
}

/** Opens the challenge cookie. Returns undefined if it is missing, expired, forged, or for another purpose. */
export function openChallenge(
  { ceremony, provider, isFactor = false }: Wanted,
  visit: Visit,
  keys: Keyring,
  now: number,
): MaybePromise<Challenge | undefined> {
  const { name } = visit.cookieTable.webauthnChallenge
  const held = readChunked(visit.cookies, name)
  if (held === undefined) return undefined
  return whenReady(keys.open(held, { salt: name, now }), (opened) => {
    const challenge = 'claims' in opened ? read(opened.claims) : undefined
    const isWanted =
      challenge?.ceremony === ceremony &&
      challenge.provider === provider &&
      (challenge.factor !== undefined) === isFactor
    return isWanted ? challenge : undefined
  })
}

/** The library sealed the claims, so only the members that every challenge has are checked. */
function read(claims: object): Challenge | undefined {
  const { value, offered } = claims as Partial<Challenge>
  if (typeof value !== 'string' || value === '' || !Array.isArray(offered)) return undefined
  return claims as Challenge
}

/** Clears the challenge cookie, whatever the result of the ceremony: a challenge may be used once. */
export function clearChallenge(visit: Visit): CookieChange[] {
  return clearChunked(visit.cookies, visit.cookieTable.webauthnChallenge)
}
