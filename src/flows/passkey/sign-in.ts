import { AccountNotLinked, InvalidCheck, WebAuthnVerificationError } from '../../errors/classes.ts'
import { isSameId, readUser } from '../../session/stored.ts'
import { readAuthenticator, toBase64 } from '../../webauthn/authenticator.ts'
import { challengeCookie, digestOffered } from '../../webauthn/challenge.ts'
import { parseCredential } from '../../webauthn/credential.ts'
import { admitsUser, findRelyingParty } from '../../webauthn/ceremony-options.ts'
import { verifyAuthenticationResponse } from '../../webauthn/verify.ts'
import { requireStore } from '../engine/world.ts'
import { step } from '../engine/step.ts'

/** Reads the data posted by the page's script. */
export const readCredential = step({
  needs: ['visit'],
  says: { 'credential.read': ['credential'], 'credential.malformed': ['failure'] },
  run({ visit }) {
    const credential = parseCredential(visit)
    if (credential) return { type: 'credential.read', credential }
    return {
      type: 'credential.malformed',
      failure: new WebAuthnVerificationError('The form contains no response of an authenticator'),
    }
  },
})

/** Opens the challenge cookie. Challenges of another ceremony or provider are rejected. */
export const openChallenge = step({
  needs: ['visit', 'webauthnProvider', 'credential'],
  says: {
    'authentication.challenged': ['challenge'],
    'registration.challenged': ['challenge'],
    'challenge.missing': ['failure'],
    'challenge.invalid': ['failure'],
  },
  async run({ visit, webauthnProvider, credential }, world) {
    if (!challengeCookie.isSent(visit))
      return { type: 'challenge.missing', failure: new InvalidCheck('webauthnChallenge value is missing') }
    const bound = { ceremony: credential.ceremony, provider: webauthnProvider.id }
    const challenge = await challengeCookie.open(visit, bound, world)
    if (!challenge)
      return {
        type: 'challenge.invalid',
        failure: new InvalidCheck('webauthnChallenge value could not be parsed'),
      }
    const isRegistration = challenge.ceremony === 'register'
    return { type: isRegistration ? 'registration.challenged' : 'authentication.challenged', challenge }
  },
})

/** Looks up the credential of the response. */
export const findAuthenticator = step({
  needs: ['credential', 'challenge'],
  says: {
    'authenticator.found': ['authenticator'],
    'authenticator.unknown': ['failure'],
    'credential.unoffered': ['failure'],
  },
  async run({ credential, challenge }, world) {
    const id = toBase64(credential.id) ?? ''
    if (challenge.offered.length > 0 && !challenge.offered.includes(await digestOffered(id))) {
      const failure = new WebAuthnVerificationError('The credential was not among those offered')
      return { type: 'credential.unoffered', failure }
    }
    const authenticator = readAuthenticator(
      await requireStore(world).getAuthenticator(id),
      'getAuthenticator',
    )
    if (authenticator?.credentialID === id) return { type: 'authenticator.found', authenticator }
    return {
      type: 'authenticator.unknown',
      failure: new WebAuthnVerificationError('The credential is unknown'),
    }
  },
})

/** Verifies the response with the public key of the credential. */
export const verifyAuthentication = step({
  needs: ['visit', 'webauthnProvider', 'credential', 'challenge', 'authenticator'],
  says: { 'authentication.verified': ['signatureState'], 'authentication.unverified': ['failure'] },
  async run({ visit, webauthnProvider, credential, challenge, authenticator }, world) {
    const party = await findRelyingParty(webauthnProvider, visit, requireStore(world))
    const expectation = { provider: webauthnProvider, party, challenge }
    const answer = await verifyAuthenticationResponse(credential, authenticator, expectation)
    if ('counter' in answer) return { type: 'authentication.verified', signatureState: answer }
    const failure = new WebAuthnVerificationError(
      'The response of the authenticator could not be verified',
      answer.unverified,
    )
    return { type: 'authentication.unverified', failure }
  },
})

/**
 * Finds the user of the credential. If the challenge was created for a user, it must be the same one. A credential
 * never signs in a different user than the one who was signed in when requesting it.
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
    const owner = readUser(await requireStore(world).getUserByAccount(key), 'getUserByAccount')
    if (
      !owner ||
      !isSameId(owner.id, userId) ||
      !(await admitsUser(credential.userHandle, owner.id, provider))
    )
      return {
        type: 'owner.mismatched',
        failure: new WebAuthnVerificationError('The credential belongs to no user'),
      }
    const { startedBy, user = owner.id } = challenge
    if (isSameId(user, owner.id)) {
      const account = { ...key, type: 'webauthn' as const, userId: owner.id }
      return { type: 'owner.found', member: owner, candidate: owner, account }
    }
    const message = 'The credential belongs to another user than the challenge'
    if (startedBy === undefined)
      return { type: 'owner.mismatched', failure: new WebAuthnVerificationError(message) }
    return { type: 'account.taken', failure: new AccountNotLinked(message) }
  },
})

/**
 * Looks up the passkey again after a session was stored. No other request can know a user that this request has
 * created.
 */
export const recheckPasskey = step({
  needs: ['authenticator'],
  may: ['createdUser'],
  says: { 'passkey.kept': [], 'passkey.removed': ['failure'] },
  async run({ authenticator: { credentialID }, createdUser }, world) {
    if (createdUser) return { type: 'passkey.kept' }
    const held = readAuthenticator(
      await requireStore(world).getAuthenticator(credentialID),
      'getAuthenticator',
    )
    if (held) return { type: 'passkey.kept' }
    const failure = new WebAuthnVerificationError('The credential was removed during the sign-in')
    return { type: 'passkey.removed', failure }
  },
})

/** Removes the session that this run has stored. */
export const withdrawSession = step({
  needs: ['session'],
  says: { 'session.withdrawn': [] },
  async run({ session }, world) {
    await requireStore(world).deleteSession(session.sessionToken)
    return { type: 'session.withdrawn' }
  },
})
