import { whenReady } from '../crypto/maybe-promise.ts'
import { AccountNotLinked, AdapterError, InvalidCheck, WebAuthnVerificationError } from '../errors.ts'
import { isSameId, readUser } from '../session/stored.ts'
import { readAuthenticator } from '../webauthn/authenticator.ts'
import { toBase64 } from '../webauthn/base64.ts'
import { holdsChallenge, openChallenge as open } from '../webauthn/challenge.ts'
import { readCredential as read } from '../webauthn/credential.ts'
import { findRelyingParty } from '../webauthn/relying-party.ts'
import { admitsUser } from '../webauthn/user-handle.ts'
import { verifyAuthentication as verify } from '../webauthn/verify.ts'
import { demandStore } from './demand-store.ts'
import { step } from './step.ts'

/** Reads what the page's script posted. */
export const readCredential = step({
  needs: ['visit'],
  says: { 'credential.read': ['credential'], 'credential.malformed': ['failure'] },
  run({ visit }) {
    const credential = read(visit)
    if (credential) return { type: 'credential.read', credential }
    return {
      type: 'credential.malformed',
      failure: new WebAuthnVerificationError('The form brings no answer of an authenticator'),
    }
  },
})

/** Opens the challenge cookie; one of another ceremony or provider does not count. */
export const openChallenge = step({
  needs: ['visit', 'webauthnProvider', 'credential'],
  says: {
    'authentication.challenged': ['challenge'],
    'registration.challenged': ['challenge'],
    'challenge.missing': ['failure'],
    'challenge.invalid': ['failure'],
  },
  run({ visit, webauthnProvider, credential }, { keys, platform }) {
    if (!holdsChallenge(visit))
      return { type: 'challenge.missing', failure: new InvalidCheck('webauthnChallenge value is missing') }
    const asked = { ceremony: credential.ceremony, provider: webauthnProvider.id }
    return whenReady(open(asked, visit, keys, platform.now()), (challenge) => {
      if (!challenge)
        return {
          type: 'challenge.invalid',
          failure: new InvalidCheck('webauthnChallenge value could not be parsed'),
        }
      const isRegistration = challenge.ceremony === 'register'
      return { type: isRegistration ? 'registration.challenged' : 'authentication.challenged', challenge }
    })
  },
})

/** Looks up the credential that answered. */
export const findAuthenticator = step({
  needs: ['credential', 'challenge'],
  says: {
    'authenticator.found': ['authenticator'],
    'authenticator.unknown': ['failure'],
    'credential.unoffered': ['failure'],
  },
  async run({ credential, challenge }, world) {
    const id = toBase64(credential.id) ?? ''
    if (challenge.offered.length > 0 && !challenge.offered.includes(id)) {
      const failure = new WebAuthnVerificationError('The credential is none of those that were offered')
      return { type: 'credential.unoffered', failure }
    }
    const authenticator = readAuthenticator(await demandStore(world).getAuthenticator(id), 'getAuthenticator')
    if (authenticator?.credentialID === id) return { type: 'authenticator.found', authenticator }
    return {
      type: 'authenticator.unknown',
      failure: new WebAuthnVerificationError('The credential is unknown'),
    }
  },
})

/** Has the answer verified against the public key of the credential. */
export const verifyAuthentication = step({
  needs: ['visit', 'webauthnProvider', 'credential', 'challenge', 'authenticator'],
  says: { 'authentication.verified': ['counter'], 'authentication.unverified': ['failure'] },
  async run({ visit, webauthnProvider, credential, challenge, authenticator }, world) {
    const party = await findRelyingParty(webauthnProvider, visit, demandStore(world))
    const expectation = { provider: webauthnProvider, party, challenge }
    const answer = await verify(credential, authenticator, expectation)
    if ('counter' in answer) return { type: 'authentication.verified', counter: answer.counter }
    const failure = new WebAuthnVerificationError('The authentication proves nothing', answer.unverified)
    return { type: 'authentication.unverified', failure }
  },
})

/**
 * Compares the counter with the stored one, and stores it. Requests with one signature do so one after the other within this
 * process; across processes the store compares again. Authenticators that do not count stay at 0.
 */
export const advanceCounter = step({
  needs: ['authenticator', 'counter'],
  says: { 'counter.advanced': [], 'counter.stale': ['failure'] },
  async run({ authenticator, counter }, world) {
    const { credentialID } = authenticator
    const store = demandStore(world)
    const isCounting = counter > 0 || authenticator.counter > 0
    const readCurrent = async () =>
      readAuthenticator(await store.getAuthenticator(credentialID), 'getAuthenticator') ?? authenticator
    const stale = () => ({
      type: 'counter.stale' as const,
      failure: new WebAuthnVerificationError('The signature counter went back: there may be a copy'),
    })
    return store.inTurn(['credential', credentialID], async () => {
      const held = isCounting ? await readCurrent() : authenticator
      if (isCounting && counter <= held.counter) return stale()
      try {
        const condition = { counter: held.counter }
        const answer = await store.updateAuthenticatorCounter(credentialID, counter, condition)
        const stored = readAuthenticator(answer, 'updateAuthenticatorCounter')
        if (stored?.counter === counter) return { type: 'counter.advanced' }
      } catch (error) {
        // Another process may have stored a counter since we read it.
        if (isCounting && counter <= (await readCurrent()).counter) return stale()
        throw error
      }
      throw new AdapterError("The adapter's updateAuthenticatorCounter did not store the counter")
    })
  },
})

/**
 * Finds the user of the credential, who has to be the one whom the challenge was for, if it was for one. A credential of
 * one user signs nobody in over another who asked for it while being signed in.
 */
export const findCredentialOwner = step({
  needs: ['webauthnProvider', 'credential', 'challenge', 'authenticator'],
  says: {
    'owner.found': ['member', 'candidate', 'account'],
    'owner.mismatched': ['failure'],
    'account.taken': ['failure'],
  },
  async run({ webauthnProvider, credential, challenge, authenticator }, world) {
    const { id: provider } = webauthnProvider
    const { providerAccountId, userId } = authenticator
    const key = { provider, providerAccountId }
    const owner = readUser(await demandStore(world).getUserByAccount(key), 'getUserByAccount')
    if (
      !owner ||
      !isSameId(owner.id, userId) ||
      !(await admitsUser(credential.userHandle, owner.id, provider))
    )
      return {
        type: 'owner.mismatched',
        failure: new WebAuthnVerificationError('The credential is of no user'),
      }
    const { startedBy, user = owner.id } = challenge
    if (isSameId(user, owner.id)) {
      const account = { ...key, type: 'webauthn' as const, userId: owner.id }
      return { type: 'owner.found', member: owner, candidate: owner, account }
    }
    const message = 'The credential is of another user than the one it was asked of'
    if (startedBy === undefined)
      return { type: 'owner.mismatched', failure: new WebAuthnVerificationError(message) }
    return { type: 'account.taken', failure: new AccountNotLinked(message) }
  },
})
