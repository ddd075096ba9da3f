import { asError } from '../../errors/as-error.ts'
import { formatUuid } from '../../crypto/random.ts'
import { AccountNotLinked, CallbackRouteError, WebAuthnVerificationError } from '../../errors/classes.ts'
import { makePlaceholder } from '../../text/placeholder-address.ts'
import { isSameId, readSessionAndUser, readUser } from '../../session/stored.ts'
import type { AdapterAccount, AdapterAuthenticator } from '../../types/adapter.ts'
import { readAuthenticator } from '../../webauthn/authenticator.ts'
import { findRelyingParty } from '../../webauthn/ceremony-options.ts'
import { verifyRegistrationResponse } from '../../webauthn/verify.ts'
import { tell } from '../../policy/tell.ts'
import { storeUser } from '../../flows/shared/store-user.ts'
import { respondInTime } from '../../flows/engine/deadline.ts'
import { requireStore, type World } from '../../flows/engine/world.ts'
import { step } from '../../flows/engine/step.ts'

/** Verifies the new credential. */
export const verifyRegistration = step({
  needs: ['visit', 'webauthnProvider', 'credential', 'challenge'],
  says: { 'registration.verified': ['enrolled', 'account'], 'registration.unverified': ['failure'] },
  async run({ visit, webauthnProvider, credential, challenge }, world) {
    const { id: provider } = webauthnProvider
    const party = await findRelyingParty(webauthnProvider, visit, requireStore(world))
    const answer = await verifyRegistrationResponse(credential, {
      provider: webauthnProvider,
      party,
      challenge,
    })
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
  const store = requireStore(world)
  if (readAuthenticator(await store.getAuthenticator(credentialID), 'getAuthenticator')) return true
  const owner = await store.getUserByAccount({ provider, providerAccountId })
  return readUser(owner, 'getUserByAccount') !== null
}

/**
 * Identifies the user who registers. A user who was signed in at the start must still be signed in; anyone else is a
 * new user. The address that a new user typed is not verified: it is only a display name, and data for the
 * application's callbacks (decision 39). The id is created here, because an id in the challenge could belong to the
 * user of an earlier response to it.
 */
export const identifyRegistrant = step({
  needs: ['challenge'],
  may: ['currentUser'],
  says: {
    'registrant.identified': ['candidate', 'currentUser'],
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
      return { type: 'registrant.identified', candidate: currentUser, currentUser }
    return { type: 'registrant.gone', failure: goneRegistrant() }
  },
})

function goneRegistrant(): AccountNotLinked {
  return new AccountNotLinked('The user who started the registration is no longer signed in')
}

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

/** Stores a new user without an address, even if the application has set one. */
export const createNewcomer = step({
  needs: ['candidate'],
  says: { 'user.created': ['createdUser', 'member'], 'user.unconfirmed': ['conflict'] },
  run: ({ candidate }, world) =>
    storeUser({ ...candidate, email: makePlaceholder(candidate.id ?? '') }, world),
})

/** Stores the account. The events are announced only after the authenticator has also been stored. */
export const linkCredential = step({
  needs: ['account', 'member'],
  says: { 'account.linked': ['linked'], 'account.conflicting': ['conflict'] },
  async run({ account: { provider, providerAccountId }, member }, world) {
    const linked: AdapterAccount = { provider, providerAccountId, type: 'webauthn', userId: member.id }
    const link = async () => requireStore(world).linkAccount(linked)
    try {
      await respondInTime(link(), 'linkAccount', world.platform)
      return { type: 'account.linked', linked }
    } catch (error) {
      return { type: 'account.conflicting', conflict: asError(error) }
    }
  },
})

/**
 * Stores public key and counter. If the store reports a failure, the credential is looked up, because it may be stored
 * although the response was lost. A stored credential without its account could neither sign in nor be registered
 * again.
 */
export const storeAuthenticator = step({
  needs: ['enrolled', 'member'],
  says: { 'authenticator.stored': ['authenticator'], 'authenticator.conflicting': ['conflict'] },
  async run({ enrolled, member }, world) {
    const authenticator = { ...enrolled, userId: member.id }
    const create = async () => requireStore(world).createAuthenticator(authenticator)
    try {
      await respondInTime(create(), 'createAuthenticator', world.platform)
    } catch (error) {
      if (!(await isStored(authenticator, world)))
        return { type: 'authenticator.conflicting', conflict: asError(error) }
    }
    return { type: 'authenticator.stored', authenticator }
  },
})

/** No other request can have stored it, because this request has stored its account. */
async function isStored({ credentialID, userId }: AdapterAuthenticator, world: World): Promise<boolean> {
  const find = async () => requireStore(world).getAuthenticator(credentialID)
  try {
    const row = await respondInTime(find(), 'getAuthenticator', world.platform)
    return isSameId(readAuthenticator(row, 'getAuthenticator')?.userId, userId)
  } catch (error) {
    world.logger.error(new CallbackRouteError(asError(error)))
    return false
  }
}

/** Looks up the session again after the credential of a signed-in user was stored. JWT sessions are not stored. */
export const recheckSession = step({
  needs: [],
  may: ['heldCookie', 'createdUser'],
  says: { 'session.kept': [], 'session.ended': [] },
  async run({ heldCookie, createdUser }, world) {
    if (createdUser || !heldCookie || world.settings.session.strategy === 'jwt')
      return { type: 'session.kept' }
    try {
      const row = await requireStore(world).getSessionAndUser(heldCookie)
      return { type: readSessionAndUser(row) ? 'session.kept' : 'session.ended' }
    } catch (error) {
      // The session may have ended, so the passkey is removed.
      world.logger.error(new CallbackRouteError(asError(error)))
      return { type: 'session.ended' }
    }
  },
})

/** Announces the events of a new credential, and of its user. */
export const announceEnrolment = step({
  needs: ['visit', 'linked', 'member', 'candidate'],
  may: ['createdUser', 'typedAddress'],
  says: { 'newcomer.announced': [], 'passkey.announced': [] },
  run({ visit, linked, member, candidate, createdUser, typedAddress }, { out }) {
    // The address that a new user typed, for applications that verify it.
    const profile = typedAddress === undefined ? candidate : { ...candidate, email: typedAddress || null }
    const linking = { event: 'linkAccount', message: { user: member, account: linked, profile } } as const
    if (!createdUser) {
      tell('add-passkey', linking, { user: member, visit }, out)
      return { type: 'passkey.announced' }
    }
    out.announce({ event: 'createUser', message: { user: createdUser } })
    out.announce(linking)
    return { type: 'newcomer.announced' }
  },
})

/**
 * Removes the new credential of a user whose session ended before it was stored. The request that ended the session, such
 * as the first verification of an address, may also have removed the user's credentials, and missed this one.
 */
export const abandonEnrolment = step({
  needs: ['authenticator', 'linked'],
  says: { 'registrant.gone': ['failure'] },
  async run({ authenticator, linked }, world) {
    const store = requireStore(world)
    if (store.has('deleteAuthenticator')) await store.deleteAuthenticator(authenticator.credentialID)
    if (store.has('unlinkAccount')) await store.unlinkAccount(linked)
    return { type: 'registrant.gone', failure: goneRegistrant() }
  },
})

/** Removes the account and user that this run has stored, as far as the adapter supports it. */
export const withdrawEnrolment = step({
  needs: ['member'],
  may: ['linked', 'createdUser'],
  says: { 'enrolment.withdrawn': [] },
  async run({ member, linked, createdUser }, world) {
    const store = requireStore(world)
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
