import { isPlaceholder } from '../email/unproven-address.ts'
import { AdapterError } from '../errors.ts'
import { timeOf } from '../time-of.ts'
import type { AdapterSession, AdapterUser } from '../types/adapter.ts'

/**
 * What an adapter answered, parsed: stores may hand out anything, and what is not a user, a session or a date fails
 * closed (decision 16).
 * @throws AdapterError
 */
export function readUser(value: unknown, operation: string): AdapterUser | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'object' && isId((value as { id?: unknown }).id))
    return withoutPlaceholder(value as AdapterUser)
  throw new AdapterError(`The adapter's ${operation} answered a user without an id`)
}

/** An address that is only a placeholder is none, whoever reads the user. */
function withoutPlaceholder(user: AdapterUser): AdapterUser {
  return isPlaceholder(user.email) ? ({ ...user, email: null } as object as AdapterUser) : user
}

/** As `readUser`, where there has to be one. @throws AdapterError */
export function demandUser(value: unknown, operation: string): AdapterUser {
  const user = readUser(value, operation)
  if (user) return user
  throw new AdapterError(`The adapter's ${operation} answered no user`)
}

/** A session with a usable expiry. @throws AdapterError */
export function demandSession(value: unknown, operation: string): AdapterSession {
  const session = value as Partial<AdapterSession> | null | undefined
  const { expires } = session ?? {}
  if (timeOf(expires) !== undefined && isId(session?.userId)) return session as AdapterSession
  throw new AdapterError(
    `The adapter's ${operation} answered a session whose expires is no Date, or without userId`,
  )
}

/** The session and its user. @throws AdapterError when they do not belong together */
export function readSessionAndUser(
  value: unknown,
): { readonly session: AdapterSession; readonly user: AdapterUser } | null {
  if (value === null || value === undefined) return null
  const pair = value as { session?: unknown; user?: unknown }
  const session = demandSession(pair.session, 'getSessionAndUser')
  const user = demandUser(pair.user, 'getSessionAndUser')
  if (isSameId(session.userId, user.id)) return { session, user }
  throw new AdapterError("The adapter's getSessionAndUser answered a session with somebody else's user")
}

/** Stores may count their users, and number them. */
function isId(id: unknown): id is string {
  return (typeof id === 'string' && id !== '') || (typeof id === 'number' && Number.isFinite(id))
}

export function isSameId(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && String(a) === String(b)
}
