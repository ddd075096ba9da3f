import { asError } from '../errors/as-error.ts'
import type { Settings } from '../config/settings.ts'
import { defaultScope, nameScope } from '../cookies/scope.ts'
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import type { Claims, Opened, Refusal } from '../token/decrypt-token.ts'
import type { Keyring } from '../token/keyring.ts'
import type { CookieOption } from '../types/cookies.ts'
import type { JWT } from '../types/jwt.ts'
import type { Authentication } from '../types/authentication.ts'
import { chooseLifetime, endOf, type Lifetime, lifetimeOf, tokenLifetime } from './lifetime.ts'
import type { ProviderSession } from './provider-session.ts'

type TokenSettings = Pick<Settings, 'jwt' | 'session'>
type ClaimSettings = Pick<Settings, 'jwt' | 'session' | 'recordsAuthentication'>

/** The claim by which a session is revoked, with `jwt.revocations`. It is the same in every copy of the token. */
export interface Revocable {
  /** The random key of the session. */
  readonly session: string
  /** The key of the user, if the user has an id. */
  readonly user?: string
  /** Milliseconds since 1970 of the sign-in. */
  readonly at: number
  /** The session at the provider, if the provider may end it. */
  readonly opened?: ProviderSession
}

/** The claims that callbacks cannot change. */
interface OwnClaims {
  readonly lifetime: Lifetime
  readonly revocable?: Revocable | undefined
  /** Absent if sessions do not record it. */
  readonly authentication?: Authentication | undefined
  /** Where the browser keeps the token. */
  readonly cookieScope?: unknown
}

/** Returns the claims that callbacks cannot change. Call it before a callback gets the claims. */
export function ownClaims(claims: Claims, settings: ClaimSettings): OwnClaims {
  const revocable = settings.jwt.revocations && readRevocable(claims)
  const authentication = settings.recordsAuthentication ? readAuthentication(claims) : undefined
  return {
    lifetime: lifetimeOf(claims, settings),
    revocable,
    authentication,
    cookieScope: claims['cookieScope'],
  }
}

/** Sets the claims that callbacks cannot change. */
export function setOwnClaims(claims: Claims, own: OwnClaims): Claims {
  const { lifetime, revocable, authentication, cookieScope } = own
  const chosen = chooseLifetime(claims, lifetime)
  if (!revocable && !authentication && !cookieScope) return chosen
  return {
    ...chosen,
    ...(revocable && { revocable }),
    ...authentication,
    ...(cookieScope !== undefined && { cookieScope }),
  }
}

/** Reads how the user authenticated. Unknown members are undefined, and so replace the values that a callback sets. */
export function readAuthentication({ amr, auth_time }: Claims): Authentication {
  const isKnown = Array.isArray(amr) && typeof auth_time === 'number'
  return isKnown ? { amr: amr.map(String), auth_time } : { amr: undefined, auth_time: undefined }
}

/** Reads the claim by which a session is revoked, as a copy, so that a callback that mutates the claims cannot change it. */
export function readRevocable({ revocable }: Claims): Revocable | undefined {
  const { session, user, at, opened } = (revocable ?? {}) as Partial<Revocable>
  if (typeof session !== 'string' || typeof at !== 'number') return undefined
  return { session, at, ...(typeof user === 'string' && { user }), ...(opened && { opened: { ...opened } }) }
}

/**
 * Decrypts a session token. Returns its claims, or the reason for refusing it. No clock skew is allowed (decision 24).
 */
export function openSessionToken(
  value: string,
  salt: string,
  settings: TokenSettings,
  keys: Keyring,
  now: number,
): MaybePromise<Opened> {
  const { jwt, session } = settings
  const opened = jwt.decode
    ? decodeWith(jwt.decode, value, salt, jwt.secrets)
    : keys.open(value, { salt, now })
  if (jwt.audience === undefined && session.absoluteMaxAge === undefined) return opened
  return whenReady<Opened, Opened>(opened, (answer) =>
    'claims' in answer ? checkClaims(answer, settings, now) : answer,
  )
}

/** Refuses the claims of another application, and of a session that has reached its absolute end. */
function checkClaims(
  opened: Extract<Opened, { readonly claims: unknown }>,
  settings: TokenSettings,
  now: number,
): Opened {
  const { audience } = settings.jwt
  if (audience !== undefined && opened.claims['aud'] !== audience) return { refused: 'other-audience' }
  return endOf(lifetimeOf(opened.claims, settings), settings) <= now ? { refused: 'expired' } : opened
}

/** Calls the application's decoder. If it throws, the token counts as invalid. `thrown` is for the log. */
async function decodeWith(
  decode: NonNullable<Settings['jwt']['decode']>,
  token: string,
  salt: string,
  secrets: readonly string[],
): Promise<{ readonly claims: JWT } | { readonly refused: Refusal; readonly thrown?: Error }> {
  try {
    const claims = await decode({ token, salt, secret: oneOrAll(secrets) })
    return claims ? { claims } : { refused: 'malformed' }
  } catch (error) {
    return { refused: 'forged', thrown: asError(error) }
  }
}

/**
 * Validates the result of a jwt callback: claims, or null for no session.
 * @throws TypeError for anything else
 */
export function readAnswer(answer: unknown): JWT | null {
  if (typeof answer === 'object') return answer as JWT | null
  throw new TypeError(`The jwt callback must return an object or null, got ${typeof answer}`)
}

/**
 * Encrypts the claims of a session token. It expires after `jwt.maxAge` seconds, or earlier if the lifetime of the sign-in
 * says so. Its salt is the name of the cookie, and a scope other than the default becomes a claim, because a request does
 * not show it (decision 63).
 */
export function sealSessionToken(
  claims: Claims,
  { name: salt, options }: CookieOption,
  settings: TokenSettings,
  keys: Keyring,
  now: number,
): MaybePromise<string> {
  const { jwt } = settings
  const maxAge = tokenLifetime(claims, settings, now)
  const scope = nameScope(options)
  const cookieScope = scope === defaultScope ? undefined : scope
  const placed = claims['cookieScope'] === cookieScope ? claims : { ...claims, cookieScope }
  const named = jwt.audience === undefined ? placed : { ...placed, aud: jwt.audience }
  const { encode } = jwt
  if (!encode) return keys.seal(named, { salt, maxAge, now })
  const encoded = encode({ token: named, salt, maxAge, secret: oneOrAll(jwt.secrets) })
  return whenReady(encoded instanceof Promise ? encoded : Promise.resolve(encoded), requireText)
}

function requireText(token: unknown): string {
  if (typeof token === 'string' && token !== '') return token
  throw new TypeError('jwt.encode must return a non-empty string')
}

function oneOrAll(secrets: readonly string[]): string | string[] {
  return secrets.length === 1 && secrets[0] !== undefined ? secrets[0] : [...secrets]
}

/** Returns when a session token that is sealed now expires, in whole seconds like its `exp` claim. */
export function tokenExpiry(claims: Claims, now: number, settings: TokenSettings): Date {
  return new Date((Math.floor(now / 1000) + tokenLifetime(claims, settings, now)) * 1000)
}
