import { asError } from '../../as-error.ts'
import { writeChunked } from '../../cookies/chunks.ts'
import { isSameAddress } from '../../email-address.ts'
import { EmailSignInError, Verification } from '../../errors.ts'
import { withRequest } from '../../http/rebuild-request.ts'
import { ownClaims, sealSessionToken, setOwnClaims, tokenExpiry } from '../../session/session-token.ts'
import { demandUser, isSameId } from '../../session/stored.ts'
import { answerInTime } from '../engine/deadline.ts'
import { step } from '../engine/step.ts'
import { demandStore } from '../engine/world.ts'
import { findByAddress, findTypedAddress } from '../shared/linking.ts'

function findHolderWith(find: typeof findByAddress) {
  return step({
    needs: ['identifier'],
    says: {
      'address.free': [],
      'address.contested': ['claimant'],
      'address.taken': ['addressee', 'addressObjection', 'failure'],
    },
    async run({ identifier }, world) {
      const { addressee, claimant } = await find(identifier, demandStore(world), world.settings)
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

/** Stores the address as verified. If that fails, another request may have taken the address. */
export const changeAddress = step({
  needs: ['currentUser', 'identifier'],
  says: { 'address.changed': ['member'], 'user.conflicting': ['conflict'] },
  async run({ currentUser, identifier }, world) {
    const patch = { id: currentUser.id, email: identifier, emailVerified: new Date(world.platform.now()) }
    try {
      const answer = demandUser(await demandStore(world).updateUser(patch), 'updateUser')
      const member = { ...currentUser, ...answer }
      world.out.announce({ event: 'updateUser', message: { user: member } })
      return { type: 'address.changed', member }
    } catch (error) {
      return { type: 'user.conflicting', conflict: asError(error) }
    }
  },
})

/** Reads the user of the address again after a failed write. It may have been stored before it failed. */
export const rereadHolder = step({
  needs: ['identifier', 'currentUser', 'conflict'],
  says: {
    'address.changed': ['member'],
    'address.taken': ['addressObjection', 'failure'],
    'conflict.unexplained': ['fault'],
  },
  async run({ identifier, currentUser, conflict }, world) {
    const { addressee } = await findByAddress(identifier, demandStore(world), world.settings)
    if (!addressee) return { type: 'conflict.unexplained', fault: conflict }
    if (!isSameId(addressee.id, currentUser.id)) return { type: 'address.taken', ...taken() }
    world.out.announce({ event: 'updateUser', message: { user: addressee } })
    return { type: 'address.changed', member: addressee }
  },
})

/** Notifies the previous address of the change. A failure does not undo the change. */
export const sendNotice = step({
  needs: ['visit', 'currentUser', 'member', 'identifier'],
  says: { 'notice.settled': [] },
  async run({ visit, currentUser: { email: to }, member: user, identifier }, { settings, platform, logger }) {
    if (!to) return { type: 'notice.settled' }
    const notice = withRequest({ type: 'changed', to, newAddress: identifier, user } as const, visit)
    try {
      const send = async () => settings.emailChange?.sendNotice(notice)
      await answerInTime(send(), 'emailChange.sendNotice', platform)
    } catch (error) {
      logger.error(
        new EmailSignInError('The notice to the previous address could not be sent', asError(error)),
      )
    }
    return { type: 'notice.settled' }
  },
})

/** Replaces the address in the session token of this browser. A database session reads it from the user. */
export const refreshSession = step({
  needs: ['visit', 'currentUser', 'member'],
  may: ['token'],
  says: { 'session.refreshed': [] },
  async run({ visit, currentUser, member, token }, { settings, keys, platform, out }) {
    // The jwt callback may have removed the address, or replaced it by another one.
    if (!token || !isSameAddress(currentUser.email ?? '', token.email ?? ''))
      return { type: 'session.refreshed' }
    const now = platform.now()
    const renewed = setOwnClaims({ ...token, email: member.email }, ownClaims(token, settings))
    const cookie = visit.cookieTable.sessionToken
    const value = await sealSessionToken(renewed, cookie.name, settings, keys, now)
    out.setCookies(writeChunked(visit.cookies, cookie, value, tokenExpiry(renewed, now, settings)))
    return { type: 'session.refreshed' }
  },
})
