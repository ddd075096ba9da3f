import { isSessionId } from '../../config/store.ts'
import { demandSession, isSameId } from '../../session/stored.ts'
import { isLive } from '../../session/user-sessions.ts'
import { step } from '../engine/step.ts'
import { demandStore, type World } from '../engine/world.ts'
import { endDevices } from './end-devices.ts'
import { loadRevocations } from './recognition.ts'

/** Ends the sessions of the signed-in user except this one. Without a list of revocations, tokens stay valid. */
export const endOtherSessions = step({
  needs: ['currentUser', 'heldCookie'],
  may: ['token'],
  says: { 'sessions.ended': [] },
  async run({ currentUser, heldCookie, token }, world) {
    const { settings } = world
    await endDevices(currentUser.id, world)
    if (settings.session.strategy === 'database') await endAll(currentUser.id, heldCookie, world)
    else if (settings.jwt.revocations)
      await (await loadRevocations()).revokeUser(currentUser.id, settings, token)
    return { type: 'sessions.ended' }
  },
})

/** Removes the sessions of a user from the store, and reports the end of each live one as a sign-out does. */
export async function endAll(userId: string, kept: string | undefined, world: World): Promise<void> {
  const store = demandStore(world)
  const sessions = (await store.listSessionsByUserId(userId)).map((row) =>
    demandSession(row, 'listSessionsByUserId'),
  )
  const others = sessions.filter(
    ({ sessionToken, userId: owner }) =>
      sessionToken !== kept && isSameId(owner, userId) && isSessionId(sessionToken),
  )
  const removals = others.map(async (session) => {
    await store.deleteSession(session.sessionToken)
    if (isLive(session, world.settings)) world.out.announce({ event: 'signOut', message: { session } })
  })
  // A failure must not spare the sessions after it.
  const failed = (await Promise.allSettled(removals)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
