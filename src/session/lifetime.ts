import type { Settings } from '../config/settings.ts'
import type { Claims } from '../token/keyring.ts'
import type { SessionOptions } from '../types/config.ts'

type Lifetimes = Pick<Settings, 'session' | 'jwt'>
type SignIn = Parameters<NonNullable<SessionOptions['signInMaxAge']>>[0]

/** The claim that holds what a sign-in chose; the application's jwt callback cannot drop it. */
const claim = 'signInMaxAge'

/**
 * What the application lets the session of a sign-in live, in whole seconds; undefined where it does not say.
 * @throws TypeError when it answers no positive number
 */
export async function askLifetime({ session }: Lifetimes, ask: () => SignIn): Promise<number | undefined> {
  const chosen = session.signInMaxAge && (await session.signInMaxAge(ask()))
  if (chosen === undefined || chosen === null) return undefined
  if (!(Number.isFinite(chosen) && chosen > 0))
    throw new TypeError('session.signInMaxAge has to answer a positive number of seconds, or undefined')
  return Math.max(1, Math.floor(Math.min(chosen, session.maxAge)))
}

/** The claims, with what their sign-in chose. */
export function chooseLifetime(claims: Claims, lifetime: number | undefined): Claims {
  return lifetime === undefined ? claims : { ...claims, [claim]: lifetime }
}

/** Claims that an application made of others, with the lifetime that those had. */
export function keepLifetime(before: Claims, after: Claims, { session }: Lifetimes): Claims {
  return session.signInMaxAge && before[claim] !== undefined ? { ...after, [claim]: before[claim] } : after
}

/** Seconds that a token with these claims is sealed for. */
export function tokenLifetime(claims: Claims, { session, jwt }: Lifetimes): number {
  const chosen = session.signInMaxAge && claims[claim]
  return typeof chosen === 'number' && chosen > 0 ? Math.min(chosen, jwt.maxAge) : jwt.maxAge
}

/** The id of a session row says what its sign-in chose: every store keeps it, and nobody else can write it. */
export function nameLifetime(sessionToken: string, lifetime: number | undefined): string {
  return lifetime === undefined ? sessionToken : `${sessionToken}.max${lifetime}`
}

/** Seconds that a session row lives when idle, and seconds between two extensions of it. */
export function rowLifetime(
  sessionToken: string,
  { session }: Lifetimes,
): { readonly maxAge: number; readonly updateAge: number } {
  const chosen = session.signInMaxAge && /\.max(\d+)$/.exec(sessionToken)?.[1]
  if (!chosen) return session
  const maxAge = Math.min(Number(chosen), session.maxAge)
  return { maxAge, updateAge: Math.min(session.updateAge, maxAge / 2) }
}
