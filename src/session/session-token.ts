import type { Settings } from '../config/settings.ts'
import { type MaybePromise, whenReady } from '../maybe-promise.ts'
import type { Claims, Opened, Refusal } from '../token/decrypt-token.ts'
import type { Keyring } from '../token/keyring.ts'
import type { SessionOptions } from '../types/config.ts'
import type { JWT } from '../types/jwt.ts'
import type { ProviderSession } from './provider-session.ts'

type Lifetimes = Pick<Settings, 'session' | 'jwt'>
type SignIn = Parameters<NonNullable<SessionOptions['signInMaxAge']>>[0]

/** The claim that holds the lifetime chosen at the sign-in. The application's callbacks cannot change it. */
const claim = 'signInMaxAge'

/**
 * Returns the lifetime that the application chooses for the session of a sign-in, in whole seconds. Returns undefined
 * if it does not choose.
 * @throws TypeError if it is not a positive number
 */
export async function askLifetime({ session }: Lifetimes, ask: () => SignIn): Promise<number | undefined> {
  const chosen = session.signInMaxAge && (await session.signInMaxAge(ask()))
  if (chosen === undefined || chosen === null) return undefined
  if (!(Number.isFinite(chosen) && chosen > 0))
    throw new TypeError('session.signInMaxAge must return a positive number of seconds, or undefined')
  return Math.max(1, Math.floor(Math.min(chosen, session.maxAge)))
}

/** What revokes a session, with `jwt.revocations`. Every copy of its token has the same. */
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
export interface OwnClaims {
  /** The lifetime that the application chose at the sign-in, in seconds. */
  readonly signInMaxAge?: number
  readonly revocable?: Revocable
}

/** Returns the claims that callbacks cannot change, if there can be any. Read them before a callback gets the claims. */
export function ownClaims(claims: Claims, settings: Lifetimes): OwnClaims | undefined {
  if (!settings.session.signInMaxAge && !settings.jwt.revocations) return undefined
  const lifetime = lifetimeOf(claims, settings)
  const revocable = settings.jwt.revocations && readRevocable(claims)
  return { ...(lifetime !== undefined && { [claim]: lifetime }), ...(revocable && { revocable }) }
}

/** Sets the claims that callbacks cannot change. */
export function setOwnClaims(claims: Claims, own: OwnClaims | undefined): Claims {
  return own ? { ...claims, ...own } : claims
}

/** Reads what revokes a session as a copy, which a callback that changes the claims in place cannot reach. */
export function readRevocable({ revocable }: Claims): Revocable | undefined {
  const { session, user, at, opened } = (revocable ?? {}) as Partial<Revocable>
  if (typeof session !== 'string' || typeof at !== 'number') return undefined
  return { session, at, ...(typeof user === 'string' && { user }), ...(opened && { opened: { ...opened } }) }
}

/** Returns the lifetime that was chosen at the sign-in. */
function lifetimeOf(claims: Claims, { session }: Lifetimes): number | undefined {
  const chosen = session.signInMaxAge && claims[claim]
  return typeof chosen === 'number' && chosen > 0 ? chosen : undefined
}

/** Returns the lifetime of a token with these claims in seconds. */
function tokenLifetime(claims: Claims, settings: Lifetimes): number {
  const { maxAge } = settings.jwt
  return Math.min(lifetimeOf(claims, settings) ?? maxAge, maxAge)
}

/**
 * Adds the chosen lifetime to the id of a session row, because every store keeps the id and no client can change it.
 */
export function nameLifetime(sessionToken: string, lifetime: number | undefined): string {
  return lifetime === undefined ? sessionToken : `${sessionToken}.max${lifetime}`
}

/**
 * Returns the idle lifetime of a session row and the time between two extensions, in seconds. The token comes from the
 * client. In a database that ignores case, it may differ from the row's token in case, but not in blanks, which
 * `isSessionId` rejects.
 */
export function rowLifetime(
  sessionToken: string,
  { session }: Lifetimes,
): { readonly maxAge: number; readonly updateAge: number } {
  const chosen = session.signInMaxAge && /\.max(\d+)$/i.exec(sessionToken)?.[1]
  if (!chosen) return session
  const maxAge = Math.min(Number(chosen), session.maxAge)
  return { maxAge, updateAge: Math.min(session.updateAge, maxAge / 2) }
}

type TokenSettings = Pick<Settings, 'jwt' | 'session'>

/**
 * Decrypts a session token. Returns its claims, or the reason for refusing it. No clock skew is allowed (decision 24).
 */
export function openSessionToken(
  value: string,
  salt: string,
  { jwt }: TokenSettings,
  keys: Keyring,
  now: number,
): MaybePromise<Opened> {
  const opened = jwt.decode
    ? decodeWith(jwt.decode, value, salt, jwt.secrets)
    : keys.open(value, { salt, now })
  const { audience } = jwt
  if (audience === undefined) return opened
  return whenReady<Opened, Opened>(opened, (answer) =>
    'claims' in answer && answer.claims['aud'] !== audience ? { refused: 'other-audience' } : answer,
  )
}

/** Calls the application's decoder. If it throws, the token counts as invalid. */
async function decodeWith(
  decode: NonNullable<Settings['jwt']['decode']>,
  token: string,
  salt: string,
  secrets: readonly string[],
): Promise<{ readonly claims: JWT } | { readonly refused: Refusal }> {
  try {
    const claims = await decode({ token, salt, secret: oneOrAll(secrets) })
    return claims ? { claims } : { refused: 'malformed' }
  } catch {
    return { refused: 'forged' }
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
 * Encrypts the claims of a session token. It expires after `jwt.maxAge` seconds, or after the lifetime chosen at the
 * sign-in.
 */
export function sealSessionToken(
  claims: Claims,
  salt: string,
  settings: TokenSettings,
  keys: Keyring,
  now: number,
): MaybePromise<string> {
  const { jwt } = settings
  const maxAge = tokenLifetime(claims, settings)
  const named = jwt.audience === undefined ? claims : { ...claims, aud: jwt.audience }
  if (!jwt.encode) return keys.seal(named, { salt, maxAge, now })
  const encoded = jwt.encode({ token: named, salt, maxAge, secret: oneOrAll(jwt.secrets) })
  return whenReady(encoded instanceof Promise ? encoded : Promise.resolve(encoded), demandText)
}

function demandText(token: unknown): string {
  if (typeof token === 'string' && token !== '') return token
  throw new TypeError('jwt.encode must return a non-empty string')
}

function oneOrAll(secrets: readonly string[]): string | string[] {
  return secrets.length === 1 && secrets[0] !== undefined ? secrets[0] : [...secrets]
}

/** Returns when a session token that is sealed now expires, in whole seconds like its `exp` claim. */
export function tokenExpiry(claims: Claims, now: number, settings: TokenSettings): Date {
  return new Date((Math.floor(now / 1000) + tokenLifetime(claims, settings)) * 1000)
}
