import { requireStore, type World } from '../flows/engine/world.ts'
import { loadRevocations } from '../session/load-revocations.ts'
import { isLive, readUserSessions } from '../session/user-sessions.ts'
import type { AdapterSession } from '../types/adapter.ts'

/**
 * Removes sessions of a user from the store, as far as the adapter can, and reports the end of each live one as a
 * sign-out does.
 */
export async function endRows(userId: string, { sessions, heldCookie }: Scope, world: World): Promise<void> {
  if (world.settings.session.strategy !== 'database') return
  const store = requireStore(world)
  if (store.has('listSessionsByUserId')) {
    const ended = await readUserSessions(userId, store)
    await removeEach(
      ended.filter(({ sessionToken }) => sessionToken !== heldCookie),
      world,
    )
  } else if (sessions === 'all' && store.has('deleteSessionsByUserId'))
    await store.deleteSessionsByUserId(userId)
}

async function removeEach(ended: readonly AdapterSession[], world: World): Promise<void> {
  const { settings, out } = world
  const removals = ended.map(async (session) => {
    await requireStore(world).deleteSession(session.sessionToken)
    if (isLive(session, settings)) out.announce({ event: 'signOut', message: { session } })
  })
  // After a failure, the remaining sessions must still end.
  const failed = (await Promise.allSettled(removals)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/** Revokes session tokens of a user. Without a list of revocations, they stay valid. */
export async function endTokens(userId: string, { sessions, token }: Scope, { settings }: World) {
  if (settings.session.strategy !== 'jwt' || !settings.jwt.revocations) return
  const { revokeEarlier, revokeUser } = await loadRevocations()
  if (sessions === 'all') await revokeEarlier(userId, settings)
  else await revokeUser(userId, settings, token)
}

/** Which sessions of a user end. Of credentials, only unproven ones do. */
export interface Scope {
  /** All sessions of the user, or all but the one of this browser. */
  readonly sessions: 'all' | 'others'
  /** The session cookie and the claims of this browser, whose session is spared with `others`. */
  readonly heldCookie?: string | undefined
  readonly token?: Readonly<Record<string, unknown>> | undefined
}
