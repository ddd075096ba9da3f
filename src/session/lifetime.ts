import type { Settings } from '../config/settings.ts'
import { type MaybePromise, settle, whenReady } from '../async/maybe-promise.ts'
import type { Claims } from '../token/decrypt-token.ts'
import type { SessionOptions } from '../types/session-options.ts'
import { parseRow } from './row-id.ts'

type Lifetimes = Pick<Settings, 'session' | 'jwt'>
type SignIn = Parameters<NonNullable<SessionOptions['signInMaxAge']>>[0]

/** How long the session of a sign-in lasts. The application's callbacks cannot change it. */
export interface Lifetime {
  /** The idle lifetime that the application chose, in seconds. */
  readonly maxAge?: number
  /** When the user signed in, in seconds since 1970, if sessions have an absolute end. */
  readonly since?: number
}

const undecided: Lifetime = {}

/** The claims that contain the lifetime. */
const maxAgeClaim = 'signInMaxAge'
const sinceClaim = 'signedInAt'

/**
 * Returns the lifetime of the session that a sign-in creates. Asks the application if it sets `session.signInMaxAge`.
 *
 * @param now milliseconds since 1970
 * @throws TypeError (or rejects) if the application returns a value that is neither a positive number nor undefined
 * or null
 */
export function askLifetime({ session }: Lifetimes, now: number, ask: () => SignIn): MaybePromise<Lifetime> {
  const since = session.absoluteMaxAge === undefined ? undefined : Math.floor(now / 1000)
  const { signInMaxAge } = session
  if (!signInMaxAge) return { since }
  return whenReady(settle(signInMaxAge(ask())), (chosen) => {
    if (chosen === undefined || chosen === null) return { since }
    if (!(Number.isFinite(chosen) && chosen > 0))
      throw new TypeError('session.signInMaxAge must return a positive number of seconds, or undefined')
    return { since, maxAge: Math.max(1, Math.floor(Math.min(chosen, session.maxAge))) }
  })
}

/** Returns the claims with the lifetime added. */
export function chooseLifetime(claims: Claims, { maxAge, since }: Lifetime): Claims {
  if (maxAge === undefined && since === undefined) return claims
  return {
    ...claims,
    ...(maxAge !== undefined && { [maxAgeClaim]: maxAge }),
    ...(since !== undefined && { [sinceClaim]: since }),
  }
}

/** Returns the lifetime in the claims. Call it before passing the claims to a callback, which may change them. */
export function lifetimeOf(claims: Claims, { session }: Lifetimes): Lifetime {
  if (!session.signInMaxAge && session.absoluteMaxAge === undefined) return undecided
  const maxAge = session.signInMaxAge && claims[maxAgeClaim]
  const since = session.absoluteMaxAge !== undefined && claims[sinceClaim]
  return {
    maxAge: typeof maxAge === 'number' && maxAge > 0 ? maxAge : undefined,
    since: typeof since === 'number' ? since : undefined,
  }
}

/**
 * Returns the lifetime of a token with these claims in seconds: its idle lifetime, or the time until its absolute end
 * if that is shorter.
 */
export function tokenLifetime(claims: Claims, settings: Lifetimes, now: number): number {
  const { maxAge } = settings.jwt
  const lifetime = lifetimeOf(claims, settings)
  // Whole seconds, like the claims.
  const left = endOf(lifetime, settings) / 1000 - Math.floor(now / 1000)
  return Math.min(lifetime.maxAge ?? maxAge, maxAge, left)
}

/** Returns when a session ends even if it is in use, in milliseconds since 1970, or Infinity without a limit. */
export function endOf({ since }: Lifetime, { session }: Lifetimes): number {
  if (session.absoluteMaxAge === undefined) return Infinity
  // If a session has no sign-in time, its age is unknown.
  return since === undefined ? -Infinity : (since + session.absoluteMaxAge) * 1000
}

/**
 * Returns the idle lifetime of a session row and the time between two extensions, in seconds, and its absolute end in
 * milliseconds since 1970. The token comes from the client. In a database that ignores case, the token may differ from
 * the row's token in case, but not in blanks, which `isSessionId` rejects.
 */
export function rowLifetime(
  sessionToken: string,
  settings: Lifetimes,
): { readonly maxAge: number; readonly updateAge: number; readonly end: number } {
  const { session } = settings
  const { since, maxAge: chosen } = parseRow(sessionToken)
  const end = endOf({ since }, settings)
  if (!session.signInMaxAge || chosen === undefined)
    return { maxAge: session.maxAge, updateAge: session.updateAge, end }
  const maxAge = Math.min(chosen, session.maxAge)
  return { maxAge, updateAge: Math.min(session.updateAge, maxAge / 2), end }
}
