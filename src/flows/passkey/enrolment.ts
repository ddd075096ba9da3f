import { asError } from '../../as-error.ts'
import { formatUuid } from '../../crypto/random.ts'
import { AccountNotLinked, WebAuthnVerificationError } from '../../errors.ts'
import { makePlaceholder } from '../../email-address.ts'
import { isSameId, readUser } from '../../session/stored.ts'
import type { AdapterAccount } from '../../types/adapter.ts'
import { readAuthenticator } from '../../webauthn/authenticator.ts'
import { findRelyingParty } from '../../webauthn/ceremony-options.ts'
import { verifyRegistration as verify } from '../../webauthn/verify.ts'
import { storeUser } from '../shared/store-user.ts'
import { answerInTime } from '../engine/deadline.ts'
import { demandStore, type World } from '../engine/world.ts'
import { step } from '../engine/step.ts'

/** Verifies the new credential. */
export const verifyRegistration = step({
  needs: ['visit', 'webauthnProvider', 'credential', 'challenge'],
  says: { 'registration.verified': ['enrolled', 'account'], 'registration.unverified': ['failure'] },
  async run({ visit, webauthnProvider, credential, challenge }, world) {
    const { id: provider } = webauthnProvider
    const party = await findRelyingParty(webauthnProvider, visit, demandStore(world))
    const answer = await verify(credential, { provider: webauthnProvider, party, challenge })
    if ('unverified' in answer) {
      const failure = new WebAuthnVerificationError(
        'The registration could not be verified',
        answer.unverified,
      )
      return { type: 'registration.unverified', failure }
    }
    const { authenticator: enrolled } = answer
    const { providerAccountId } = enrolled
    const account = { provider, providerAccountId, type: 'webauthn' as const }
    return { type: 'registration.verified', enrolled, account }
  },
})

/**
 * Looks up the credential, which must be new. Without attestation, nothing proves that someone who registers a
 * credential owns it, so registering a known one signs nobody in.
 */
export const findCredential = step({
  needs: ['account', 'enrolled'],
  says: { 'credential.new': [], 'account.taken': ['failure'] },
  async run({ account, enrolled }, world) {
    if (await isTaken(account, enrolled.credentialID, world))
      return { type: 'account.taken', failure: new AccountNotLinked('The credential is already registered') }
    return { type: 'credential.new' }
  },
})

async function isTaken(
  { provider, providerAccountId }: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  credentialID: string,
  world: World,
): Promise<boolean> {
  const store = demandStore(world)
  if (readAuthenticator(await store.getAuthenticator(credentialID), 'getAuthenticator')) return true
  const owner = await store.getUserByAccount({ provider, providerAccountId })
  return readUser(owner, 'getUserByAccount') !== null
}

/**
 * Identifies the user who registers. A user who was signed in at the start must still be signed in; anyone else is new.
 * The address that a new user typed is not verified: it is only a display name, and data for the application's
 * callbacks (decision 39). The id is created here, because an id in the challenge could belong to the user of an
 * earlier response to it.
 */
export const identifyRegistrant = step({
  needs: ['challenge'],
  may: ['currentUser'],
  says: {
    'registrant.identified': ['candidate'],
    'newcomer.identified': ['candidate', 'typedAddress'],
    'registrant.gone': ['failure'],
  },
  run({ challenge: { startedBy, newcomer }, currentUser }, { platform }) {
    if (startedBy === undefined && newcomer) {
      const { email, ...rest } = newcomer
      const id = formatUuid(platform.randomBytes(16))
      const candidate = { ...rest, id, name: rest.name ?? email ?? null }
      return { type: 'newcomer.identified', candidate, typedAddress: email ?? '' }
    }
    if (currentUser && isSameId(startedBy, currentUser.id))
      return { type: 'registrant.identified', candidate: currentUser }
    const failure = new AccountNotLinked('The user who started the registration is no longer signed in')
    return { type: 'registrant.gone', failure }
  },
})

/** Decides which user gets the credential: the one who was signed in at the start, or a new one. */
export const decideMember = step({
  needs: ['challenge'],
  may: ['currentUser'],
  says: { 'link.allowed': ['member'], 'user.new': [] },
  run({ challenge, currentUser }) {
    const member = isSameId(challenge.startedBy, currentUser?.id) ? currentUser : undefined
    return member ? { type: 'link.allowed', member } : { type: 'user.new' }
  },
})

/** Stores a new user without an address, whatever the application has changed. */
export const createNewcomer = step({
  needs: ['candidate'],
  says: { 'user.created': ['createdUser', 'member'], 'user.unconfirmed': ['conflict'] },
  run: ({ candidate }, world) =>
    storeUser({ ...candidate, email: makePlaceholder(candidate.id ?? '') }, world),
})

/** Stores the account. Events are announced only after the authenticator is stored, too. */
export const linkCredential = step({
  needs: ['account', 'member'],
  says: { 'account.linked': ['linked'], 'account.conflicting': ['conflict'] },
  async run({ account: { provider, providerAccountId }, member }, world) {
    const linked: AdapterAccount = { provider, providerAccountId, type: 'webauthn', userId: member.id }
    const link = async () => demandStore(world).linkAccount(linked)
    try {
      await answerInTime(link(), 'linkAccount', world.platform)
      return { type: 'account.linked', linked }
    } catch (error) {
      return { type: 'account.conflicting', conflict: asError(error) }
    }
  },
})

/** Stores public key and counter, and then announces the events of what is committed. */
export const storeAuthenticator = step({
  needs: ['enrolled', 'linked', 'member', 'candidate'],
  may: ['createdUser', 'typedAddress'],
  says: { 'authenticator.stored': [], 'authenticator.conflicting': ['conflict'] },
  async run({ enrolled, linked, member, candidate, createdUser, typedAddress }, world) {
    const create = async () => demandStore(world).createAuthenticator({ ...enrolled, userId: member.id })
    try {
      await answerInTime(create(), 'createAuthenticator', world.platform)
    } catch (error) {
      return { type: 'authenticator.conflicting', conflict: asError(error) }
    }
    if (createdUser) world.out.announce({ event: 'createUser', message: { user: createdUser } })
    // The address that a new user typed, for applications that verify it.
    const claimed = typedAddress === undefined ? candidate : { ...candidate, email: typedAddress || null }
    const message = { user: member, account: linked, profile: claimed }
    world.out.announce({ event: 'linkAccount', message })
    return { type: 'authenticator.stored' }
  },
})

/** Removes the account and user that this run has stored, as far as the adapter supports it. */
export const withdrawEnrolment = step({
  needs: ['member'],
  may: ['linked', 'createdUser'],
  says: { 'enrolment.withdrawn': [] },
  async run({ member, linked, createdUser }, world) {
    const store = demandStore(world)
    if (linked && store.has('unlinkAccount')) await store.unlinkAccount(linked)
    if (member.id === createdUser?.id && store.has('deleteUser')) await store.deleteUser(member.id)
    return { type: 'enrolment.withdrawn' }
  },
})

/** Reads again after a failed write whether the credential now belongs to someone. */
export const explainConflict = step({
  needs: ['account', 'enrolled', 'conflict'],
  says: { 'account.taken': ['failure'], 'conflict.unexplained': ['fault'] },
  async run({ account, enrolled, conflict }, world) {
    if (await isTaken(account, enrolled.credentialID, world))
      return {
        type: 'account.taken',
        failure: new AccountNotLinked('Another request registered the credential first', conflict),
      }
    return { type: 'conflict.unexplained', fault: conflict }
  },
})
