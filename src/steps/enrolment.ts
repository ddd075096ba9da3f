import { asError } from '../as-error.ts'
import { AccountNotLinked, WebAuthnVerificationError } from '../errors.ts'
import { makePlaceholder } from '../email/unproven-address.ts'
import { isSameId, readUser } from '../session/stored.ts'
import type { AdapterAccount } from '../types/adapter.ts'
import { readAuthenticator } from '../webauthn/authenticator.ts'
import { findRelyingParty } from '../webauthn/relying-party.ts'
import { verifyRegistration as verify } from '../webauthn/verify.ts'
import { storeUser } from './admission.ts'
import { answerInTime } from './answer-in-time.ts'
import { demandStore } from './demand-store.ts'
import { step } from './step.ts'
import type { World } from './world.ts'

/** Has the new credential verified. */
export const verifyRegistration = step({
  needs: ['visit', 'webauthnProvider', 'credential', 'challenge'],
  says: { 'registration.verified': ['enrolled', 'account'], 'registration.unverified': ['failure'] },
  async run({ visit, webauthnProvider, credential, challenge }, world) {
    const { id: provider } = webauthnProvider
    const party = await findRelyingParty(webauthnProvider, visit, demandStore(world))
    const answer = await verify(credential, { provider: webauthnProvider, party, challenge })
    if ('unverified' in answer) {
      const failure = new WebAuthnVerificationError('The registration proves nothing', answer.unverified)
      return { type: 'registration.unverified', failure }
    }
    const { authenticator: enrolled } = answer
    const { providerAccountId } = enrolled
    const account = { provider, providerAccountId, type: 'webauthn' as const }
    return { type: 'registration.verified', enrolled, account }
  },
})

/**
 * A credential is registered once. Anybody can say that they have one, since nothing proves it without attestation, so
 * that a known one lets nobody in.
 */
export const findCredential = step({
  needs: ['account', 'enrolled'],
  says: { 'credential.new': [], 'account.taken': ['failure'] },
  async run({ account, enrolled }, world) {
    if (await isTaken(account, enrolled.credentialID, world))
      return { type: 'account.taken', failure: new AccountNotLinked('The credential is registered already') }
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
 * The user who asked has to be signed in still; who asked without being signed in is a newcomer. Nobody has proven the
 * address that a newcomer typed: it is a name to show, and a claim for the application's callbacks (decision 39).
 */
export const identifyRegistrant = step({
  needs: ['challenge'],
  may: ['currentUser'],
  says: {
    'registrant.identified': ['candidate'],
    'newcomer.identified': ['candidate', 'typedAddress'],
    'registrant.gone': ['failure'],
  },
  run({ challenge: { startedBy, newcomer }, currentUser }) {
    if (startedBy === undefined && newcomer) {
      const { email, ...rest } = newcomer
      const candidate = { ...rest, name: rest.name ?? email ?? null }
      return { type: 'newcomer.identified', candidate, typedAddress: email ?? '' }
    }
    if (currentUser && isSameId(startedBy, currentUser.id))
      return { type: 'registrant.identified', candidate: currentUser }
    const failure = new AccountNotLinked('The user who asked to register is not signed in any more')
    return { type: 'registrant.gone', failure }
  },
})

/** Decides which user the credential goes to: the one who asked for it while signed in, or a new one. */
export const decideMember = step({
  needs: ['challenge'],
  may: ['currentUser'],
  says: { 'link.allowed': ['member'], 'user.new': [] },
  run({ challenge, currentUser }) {
    const member = isSameId(challenge.startedBy, currentUser?.id) ? currentUser : undefined
    return member ? { type: 'link.allowed', member } : { type: 'user.new' }
  },
})

/** Stores a new user without an address, whatever the application made of the candidate. */
export const createNewcomer = step({
  needs: ['candidate'],
  says: { 'user.created': ['createdUser', 'member'], 'user.conflicting': ['conflict'] },
  run: ({ candidate }, world) =>
    storeUser({ ...candidate, email: makePlaceholder(candidate.id ?? '') }, world),
})

/** Stores the account with its user. Nothing is announced before the authenticator is there too. */
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

/** Stores public key and counter, and announces what is then committed. */
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
    // The address that a newcomer typed, for an application that has it proven.
    const claimed = typedAddress === undefined ? candidate : { ...candidate, email: typedAddress || null }
    const message = { user: member, account: linked, profile: claimed }
    world.out.announce({ event: 'linkAccount', message })
    return { type: 'authenticator.stored' }
  },
})

/** Takes back the account and the user that this run stored, as far as the adapter can. */
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

/** Looks again, after storing failed: is the credential somebody's by now? */
export const explainConflict = step({
  needs: ['account', 'enrolled', 'conflict'],
  says: { 'account.taken': ['failure'], 'conflict.unexplained': ['fault'] },
  async run({ account, enrolled, conflict }, world) {
    if (await isTaken(account, enrolled.credentialID, world))
      return { type: 'account.taken', failure: new AccountNotLinked('Another request was faster', conflict) }
    return { type: 'conflict.unexplained', fault: conflict }
  },
})
