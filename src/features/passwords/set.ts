import { tell } from '../../policy/tell.ts'
import { step } from '../../flows/engine/step.ts'
import { requireStore } from '../../flows/engine/world.ts'

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

/** Hashes the new password, which nothing keeps from here on. */
export const hashPassword = step({
  needs: ['passwordProvider', 'password'],
  says: { 'password.hashed': ['passwordHash'] },
  async run({ passwordProvider, password }) {
    return { type: 'password.hashed', passwordHash: await passwordProvider.passwords.hash(password) }
  },
})

/**
 * Decides which user the address belongs to. A user who never verified it loses it to the user who has just verified
 * it.
 */
export const decideUser = step({
  may: ['addressee', 'claimant'],
  says: { 'user.known': ['member'], 'user.new': [], 'address.contested': ['claimant'] },
  run({ addressee, claimant }) {
    if (addressee) return { type: 'user.known', member: addressee }
    return claimant ? { type: 'address.contested', claimant } : { type: 'user.new' }
  },
})

/** Stores the password that the owner of the address chose, in place of any earlier one. */
export const storePassword = step({
  needs: ['visit', 'member', 'passwordHash'],
  may: ['createdUser'],
  says: { 'password.stored': [] },
  async run({ visit, member: user, passwordHash, createdUser }, world) {
    await requireStore(world).setPassword(user.id, passwordHash)
    const announcement = { event: 'updatePassword', message: { user, isReset: true } } as const
    // A new user has just chosen the first password, and needs no notice.
    if (createdUser) world.out.announce(announcement)
    else tell('reset-password', announcement, { user, visit }, world.out)
    return { type: 'password.stored' }
  },
})

/** Compares the current password of the signed-in user. A user without a password needs a mailed link instead. */
export const checkCurrent = step({
  needs: ['visit', 'passwordProvider', 'currentUser'],
  says: { 'password.matched': ['storedHash'], 'password.refused': ['objection'] },
  async run({ visit, passwordProvider, currentUser }, world) {
    const storedHash = await requireStore(world).getPassword(currentUser.id)
    const current = visit.body.currentPassword
    const { matches } = await passwordProvider.passwords.verify(
      typeof current === 'string' ? current : '',
      storedHash,
      world.logger,
    )
    return matches
      ? { type: 'password.matched', storedHash }
      : { type: 'password.refused', objection: 'mismatch' }
  },
})

/** Replaces only the password that was compared, so that a reset in the meantime wins. */
export const replacePassword = step({
  needs: ['visit', 'passwordProvider', 'currentUser', 'password', 'storedHash'],
  says: { 'password.stored': [], 'password.refused': ['objection'] },
  async run({ visit, passwordProvider, currentUser: user, password, storedHash }, world) {
    const hash = await passwordProvider.passwords.hash(password)
    const held = { hash: storedHash ?? '' }
    const isStored = await requireStore(world).setPassword(user.id, hash, held)
    if (!isStored) return { type: 'password.refused', objection: 'mismatch' }
    const message = { user, isReset: false }
    tell('change-password', { event: 'updatePassword', message }, { user, visit }, world.out)
    return { type: 'password.stored' }
  },
})
