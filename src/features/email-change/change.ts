import { asError } from '../../errors/as-error.ts'
import { EmailSignInError, Verification } from '../../errors/classes.ts'
import { withRequest } from '../../http/rebuild-request.ts'
import { requireCurrentUser, isSameId } from '../../session/stored.ts'
import { respondInTime } from '../../flows/engine/deadline.ts'
import { endKept } from '../../policy/end-kept.ts'
import { tell } from '../../policy/tell.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import { type Given, step } from '../../flows/engine/step.ts'
import { requireStore, type World } from '../../flows/engine/world.ts'
import { chosenOptions } from './chosen-options.ts'
import { findByAddress, findTypedAddress } from '../../flows/shared/linking.ts'

function findHolderWith(find: typeof findByAddress) {
  return step({
    needs: ['identifier'],
    says: {
      'address.free': [],
      'address.contested': ['claimant'],
      'address.taken': ['addressee', 'addressObjection', 'failure'],
    },
    async run({ identifier }, world) {
      const { addressee, claimant } = await find(identifier, requireStore(world), world.settings)
      if (addressee) return { type: 'address.taken', addressee, ...taken() }
      return claimant ? { type: 'address.contested', claimant } : { type: 'address.free' }
    },
  })
}

/** Looks up the user of the new address, which the visitor has proven. */
export const findHolder = findHolderWith(findByAddress)

/** Looks up the user of the new address, which the visitor has typed. Neither the response nor the time reveals it. */
export const findTypedHolder = findHolderWith(findTypedAddress)

function taken() {
  const failure = new Verification('The e-mail address belongs to another user')
  return { addressObjection: 'taken', failure } as const
}

const confirming = 'confirm-address'

/** Ends the classes of the change, except for its own link, which works again if the change fails. */
export const endSessions = {
  ...step({
    needs: ['currentUser', 'heldCookie', 'linkToken'],
    may: ['token'],
    says: { 'sessions.ended': [] },
    async run({ currentUser, ...spared }, world) {
      await endKept(confirming, currentUser.id, world, spared)
      return { type: 'sessions.ended' }
    },
  }),
  change: confirming,
}

/** Stores the address as verified. If that fails, another request may have taken the address. */
export const changeAddress = step({
  needs: ['visit', 'currentUser', 'identifier'],
  says: { 'address.changed': ['member'], 'user.conflicting': ['conflict'] },
  async run({ visit, currentUser, identifier }, world) {
    const patch = { id: currentUser.id, email: identifier, emailVerified: new Date(world.platform.now()) }
    try {
      const answer = requireCurrentUser(await requireStore(world).updateUser(patch), 'updateUser')
      const member = { ...currentUser, ...answer }
      tellChange(member, { visit, currentUser, identifier }, world)
      return { type: 'address.changed', member }
    } catch (error) {
      return { type: 'user.conflicting', conflict: asError(error) }
    }
  },
})

function tellChange(
  member: AdapterUser,
  { visit, currentUser: user, identifier: newAddress }: Given<'visit' | 'currentUser' | 'identifier', never>,
  { out }: World,
): void {
  const announcement = { event: 'updateUser', message: { user: member } } as const
  tell(confirming, announcement, { user, newAddress, visit }, out)
}

/**
 * Reads the user of the address again after a failed write, because the store may have written the address before it
 * failed.
 */
export const rereadHolder = step({
  needs: ['visit', 'identifier', 'currentUser', 'conflict'],
  says: {
    'address.changed': ['member'],
    'address.taken': ['addressObjection', 'failure'],
    'conflict.unexplained': ['fault'],
  },
  async run({ visit, identifier, currentUser, conflict }, world) {
    const { addressee } = await findByAddress(identifier, requireStore(world), world.settings)
    if (!addressee) return { type: 'conflict.unexplained', fault: conflict }
    if (!isSameId(addressee.id, currentUser.id)) return { type: 'address.taken', ...taken() }
    tellChange(addressee, { visit, currentUser, identifier }, world)
    return { type: 'address.changed', member: addressee }
  },
})

/** Notifies the previous address of the change. A failure does not undo the change. */
export const sendNotice = step({
  needs: ['visit', 'currentUser', 'member', 'identifier'],
  says: { 'notice.settled': [] },
  async run({ visit, currentUser: { email: to }, member: user, identifier }, world) {
    const { platform, logger } = world
    if (!to) return { type: 'notice.settled' }
    const notice = withRequest({ type: 'changed', to, newAddress: identifier, user } as const, visit)
    try {
      const send = async () => chosenOptions(world).sendNotice(notice)
      await respondInTime(send(), 'emailChange.sendNotice', platform)
    } catch (error) {
      logger.error(
        new EmailSignInError('The notice to the previous address could not be sent', asError(error)),
      )
    }
    return { type: 'notice.settled' }
  },
})
