import type { Settings, Store } from '../config/settings.ts'
import { isSessionId } from '../config/store.ts'
import { sha256Hex } from '../crypto/hash.ts'
import { AdapterError } from '../errors/classes.ts'
import type { AdapterSession } from '../types/adapter.ts'
import type { ListedSession } from '../types/listed-session.ts'
import { readDescription } from './description.ts'
import { rowLifetime } from './lifetime.ts'
import { requireLiveSession, isSameId } from './stored.ts'

/** Reads the sessions of a user, including expired ones. Omits those that no cookie can hold. */
export async function readUserSessions(userId: string, store: Store): Promise<AdapterSession[]> {
  const name = 'listSessionsByUserId'
  const rows: unknown = await store[name](userId)
  if (!Array.isArray(rows)) throw new AdapterError(`The adapter's ${name} did not return a list`)
  const sessions = rows.map((row: unknown) => requireLiveSession(row, name))
  if (sessions.some((session) => !isSameId(session.userId, userId)))
    throw new AdapterError(`The adapter's ${name} returned a session of another user`)
  return sessions.filter(({ sessionToken }) => isSessionId(sessionToken))
}

/** Returns the live sessions without their tokens, sorted by expiry, latest first. */
export async function presentSessions(
  sessions: readonly AdapterSession[],
  held: string | undefined,
  settings: Settings,
): Promise<ListedSession[]> {
  return Promise.all(
    sessions
      .filter((session) => isLive(session, settings))
      .toSorted((a, b) => b.expires.getTime() - a.expires.getTime())
      .map(async ({ sessionToken, expires, description }) => ({
        id: await identifySession(sessionToken),
        expires,
        isCurrent: sessionToken === held,
        ...(settings.session.describe && readDescription(description)),
      })),
  )
}

/**
 * Identifies a session by a hash of its token, because anyone with the token itself could sign in. A token is random,
 * so its hash reveals nothing.
 */
export async function identifySession(sessionToken: string): Promise<string> {
  return sha256Hex(sessionToken)
}

/** Finds the sessions with this id. Only a store that breaks its contract has more than one. */
export async function chooseSessions(
  sessions: readonly AdapterSession[],
  id: string,
): Promise<AdapterSession[]> {
  const ids = await Promise.all(sessions.map(({ sessionToken }) => identifySession(sessionToken)))
  return sessions.filter((_, n) => ids[n] === id)
}

export function isLive({ expires, sessionToken }: AdapterSession, settings: Settings): boolean {
  return Math.min(expires.getTime(), rowLifetime(sessionToken, settings).end) > settings.platform.now()
}
