import { isSessionId } from '../config/store.ts'
import { isPlaceholder } from '../text/placeholder-address.ts'
import { AdapterError } from '../errors/classes.ts'
import type { AdapterSession, AdapterUser, VerificationToken } from '../types/adapter.ts'
import type { User } from '../types/records.ts'

/**
 * Returns the time of a valid Date in milliseconds, and undefined for anything else. It does not use `instanceof`,
 * because on edge runtimes, `structuredClone` makes Dates of another realm.
 */
export function timeOf(value: unknown): number | undefined {
  try {
    const time = Date.prototype.getTime.call(value)
    return Number.isNaN(time) ? undefined : time
  } catch {
    return undefined
  }
}

/** Returns when a token expires. @throws AdapterError for an invalid date */
export function expiryOf({ expires }: VerificationToken): number {
  const time = timeOf(expires)
  if (time !== undefined) return time
  throw new AdapterError("The adapter's useVerificationToken returned an invalid date in `expires`")
}

/**
 * Returns whether a user has verified the address (decision 16). If the column is another library's flag, an adapter
 * may read its 0 as 1 January 1970.
 */
export function isProven({ emailVerified }: Pick<AdapterUser, 'emailVerified'>): boolean {
  return (timeOf(emailVerified) ?? 0) > 0
}

/**
 * Validates a user that an adapter returned (decision 16).
 * @throws AdapterError if it has no id, or one that the library cannot use
 */
export function readUser(value: unknown, operation: string): AdapterUser | null {
  if (value === null || value === undefined) return null
  const { id } = Object(value) as { readonly id?: unknown }
  if (isId(id)) return withoutPlaceholder(value as AdapterUser)
  const isNumeric = typeof id === 'bigint' || typeof id === 'number'
  const what = isNumeric ? `whose id is the ${typeof id} ${id}. Return it as text` : 'without an id'
  throw new AdapterError(`The adapter's ${operation} returned a user ${what}`)
}

/** Replaces a placeholder address with null. The interface of adapters has no such user. */
export function withoutPlaceholder<U extends User>(user: U): U {
  return isPlaceholder(user.email) ? { ...user, email: null } : user
}

/**
 * Like `readUser`, for operations that must return a user.
 * @throws AdapterError if there is none
 */
export function requireCurrentUser(value: unknown, operation: string): AdapterUser {
  const user = readUser(value, operation)
  if (user) return user
  throw new AdapterError(`The adapter's ${operation} returned no user`)
}

/**
 * Validates a session that an adapter returned.
 * @throws AdapterError if `expires` is not a Date, or `userId` is missing
 */
export function requireLiveSession(value: unknown, operation: string): AdapterSession {
  const session = value as Partial<AdapterSession> | null | undefined
  const { expires } = session ?? {}
  if (timeOf(expires) !== undefined && isId(session?.userId)) return session as AdapterSession
  throw new AdapterError(
    `The adapter's ${operation} returned a session without a userId, or whose expires is not a Date`,
  )
}

/**
 * Validates the session that `createSession` returned. Its token becomes the cookie.
 * @throws AdapterError as `requireLiveSession` does, or if there is no usable `sessionToken`
 */
export function requireNewSession(value: unknown): AdapterSession {
  const session = requireLiveSession(value, 'createSession')
  if (isSessionId(session.sessionToken)) return session
  throw new AdapterError("The adapter's createSession returned a session without a usable sessionToken")
}

/**
 * Validates a session and its user.
 * @throws AdapterError if they do not belong together
 */
export function readSessionAndUser(
  value: unknown,
): { readonly session: AdapterSession; readonly user: AdapterUser } | null {
  if (value === null || value === undefined) return null
  const pair = value as { session?: unknown; user?: unknown }
  const session = requireLiveSession(pair.session, 'getSessionAndUser')
  const user = requireCurrentUser(pair.user, 'getSessionAndUser')
  if (isSameId(session.userId, user.id)) return { session, user }
  throw new AdapterError("The adapter's getSessionAndUser returned a session and the user of another session")
}

/**
 * Returns whether a value can be the id of a user. Stores may use integers. JSON has no bigint, and larger numbers are
 * inexact, so that two users would have one id.
 */
export function isId(id: unknown): id is string {
  return (typeof id === 'string' && id !== '') || Number.isSafeInteger(id)
}

export function isSameId(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && String(a) === String(b)
}
