import { isSessionId } from '../../config/store.ts'
import { demandSession, isSameId } from '../../session/stored.ts'
import { endDevices } from '../shared/end-devices.ts'
import { loadRevocations } from '../shared/recognition.ts'
import { step } from '../engine/step.ts'
import { demandStore, type World } from '../engine/world.ts'

/** Checks the new password of a form before anything is used up. */
export const checkPassword = step({
  needs: ['visit', 'passwordProvider'],
  says: { 'password.accepted': ['password'], 'password.refused': ['objection'] },
  async run({ visit, passwordProvider }, { platform, logger }) {
    const password = typeof visit.body.password === 'string' ? visit.body.password : ''
    const tools = { fetch: platform.fetch, logger }
    const objection = await passwordProvider.passwords.check(password, tools)
    return objection ? { type: 'password.refused', objection } : { type: 'password.accepted', password }
  },
})

/** Decides which user the address belongs to. A user who never verified it loses it to the one who just did. */
export const decideUser = step({
  may: ['addressee', 'claimant'],
  says: { 'user.known': ['member'], 'user.new': [], 'address.contested': ['claimant'] },
  run({ addressee, claimant }) {
    if (addressee) return { type: 'user.known', member: addressee }
    return claimant ? { type: 'address.contested', claimant } : { type: 'user.new' }
  },
})

/** Stores the password that the owner of the address chose, whatever it was before. */
export const storePassword = step({
  needs: ['passwordProvider', 'member', 'password'],
  says: { 'password.stored': [] },
  async run({ passwordProvider, member, password }, world) {
    await demandStore(world).setPassword(member.id, await passwordProvider.passwords.hash(password))
    return { type: 'password.stored' }
  },
})

/** Compares the current password of the signed-in user. A user without a password needs a mailed link instead. */
export const checkCurrent = step({
  needs: ['visit', 'passwordProvider', 'currentUser'],
  says: { 'password.matched': ['heldHash'], 'password.refused': ['objection'] },
  async run({ visit, passwordProvider, currentUser }, world) {
    const heldHash = await demandStore(world).getPassword(currentUser.id)
    const current = visit.body.currentPassword
    const { matches } = await passwordProvider.passwords.verify(
      typeof current === 'string' ? current : '',
      heldHash,
    )
    return matches
      ? { type: 'password.matched', heldHash }
      : { type: 'password.refused', objection: 'mismatch' }
  },
})

/** Replaces the password that was compared, and no other: a reset in the meantime wins. */
export const replacePassword = step({
  needs: ['passwordProvider', 'currentUser', 'password', 'heldHash'],
  says: { 'password.stored': [], 'password.refused': ['objection'] },
  async run({ passwordProvider, currentUser, password, heldHash }, world) {
    const hash = await passwordProvider.passwords.hash(password)
    const held = { hash: heldHash ?? '' }
    const isStored = await demandStore(world).setPassword(currentUser.id, hash, held)
    return isStored ? { type: 'password.stored' } : { type: 'password.refused', objection: 'mismatch' }
  },
})

/** Ends all sessions and remembered devices of the user whose password was reset. The browser then gets a new one. */
export const endSessions = step({
  needs: ['member'],
  says: { 'sessions.ended': [] },
  async run({ member }, world) {
    const { settings } = world
    await endDevices(member.id, world)
    if (settings.session.strategy === 'database') await endAll(member.id, undefined, world)
    else if (settings.jwt.revocations) await (await loadRevocations()).revokeEarlier(member.id, settings)
    return { type: 'sessions.ended' }
  },
})

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

async function endAll(userId: string, kept: string | undefined, world: World): Promise<void> {
  const store = demandStore(world)
  const now = world.platform.now()
  const sessions = (await store.listSessionsByUserId(userId)).map((row) =>
    demandSession(row, 'listSessionsByUserId'),
  )
  const others = sessions.filter(
    ({ sessionToken, userId: owner }) =>
      sessionToken !== kept && isSameId(owner, userId) && isSessionId(sessionToken),
  )
  const removals = others.map(async (session) => {
    await store.deleteSession(session.sessionToken)
    if (session.expires.getTime() > now) world.out.announce({ event: 'signOut', message: { session } })
  })
  // A failure must not spare the sessions after it.
  const failed = (await Promise.allSettled(removals)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
