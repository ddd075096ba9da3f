import { InvalidCheck, WebAuthnVerificationError } from '../../errors/classes.ts'
import { readAuthenticator } from '../../webauthn/authenticator.ts'
import { challengeCookie } from '../../webauthn/challenge.ts'
import { parseCredential } from '../../webauthn/credential.ts'
import { requireStore } from '../../flows/engine/world.ts'
import { step } from '../../flows/engine/step.ts'

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
