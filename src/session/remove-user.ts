import type { Settings, Store } from '../config/settings.ts'
import type { EventCallbacks } from '../types/callbacks.ts'
import { loadRevocations } from './load-revocations.ts'
import { isLive, readUserSessions } from './user-sessions.ts'

type Announced = {
  [E in 'signOut' | 'deleteUser']: { readonly event: E; readonly message: Parameters<EventCallbacks[E]>[0] }
}['signOut' | 'deleteUser']

/**
 * Removes a user with everything that belongs to it, and ends the sessions of either kind.
 *
 * @returns the events to fire
 */
export async function removeUser(userId: string, store: Store, settings: Settings): Promise<Announced[]> {
  const isStored = settings.session.strategy === 'database'
  const ended = isStored && store.has('listSessionsByUserId') ? await readUserSessions(userId, store) : []
  const revoke = async () => {
    if (!isStored && settings.jwt.revocations) await (await loadRevocations()).revokeUser(userId, settings)
  }
  // Revokes the tokens first: if the store removes the user but reports a failure, no token stays valid, and a
  // concurrent sign-in gets none.
  await revoke()
  await store.deleteUser(userId)
  await revoke()
  const live = ended.filter((session) => isLive(session, settings))
  return [
    ...live.map((session) => ({ event: 'signOut', message: { session } }) as const),
    { event: 'deleteUser', message: { userId } },
  ]
}
