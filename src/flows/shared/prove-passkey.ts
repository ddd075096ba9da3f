import type { WebAuthnSettings } from '../../config/settings.ts'
import { AccountNotLinked, AdapterError, WebAuthnVerificationError } from '../../errors/classes.ts'
import { isSameId, readUser } from '../../session/stored.ts'
import type { AdapterAuthenticator } from '../../types/adapter.ts'
import { readAuthenticator, toBase64 } from '../../webauthn/authenticator.ts'
import { type CeremonyKind, type Challenge, digestOffered } from '../../webauthn/challenge.ts'
import type { Credential } from '../../webauthn/credential.ts'
import { admitsUser, findRelyingParty, makeAuthenticationOptions } from '../../webauthn/ceremony-options.ts'
import { type SignatureState, verifyAuthenticationResponse } from '../../webauthn/verify.ts'
import { step } from '../engine/step.ts'
import { requireStore } from '../engine/world.ts'
import { ask, says } from './rate-limit.ts'

/** The facts of a ceremony. */
declare module '../engine/facts.ts' {
  interface Facts {
    readonly webauthnProvider: WebAuthnSettings
    /** Stored authenticators, to offer or to exclude. */
    readonly authenticators: readonly AdapterAuthenticator[]
    /** The ceremony and its options, for the page's script. */
    readonly ceremony: { readonly action: CeremonyKind; readonly options: object }
    /** A challenge, with everything that it is bound to. */
    readonly challenge: Challenge
    /** The response of an authenticator. */
    readonly credential: Credential
    /** The stored authenticator that sent it. */
    readonly authenticator: AdapterAuthenticator
    /** The signature counter and the backup state in it. */
    readonly signatureState: SignatureState
  }
}

/** Asks whether the options of a passkey ceremony may be created, which costs lookups and a challenge. */
export const checkOptionsRateLimit = step({
  needs: ['visit', 'webauthnProvider'],
  says,
  run: ({ visit, webauthnProvider }, world) =>
    ask(visit, () => ({ type: 'passkey-options', provider: webauthnProvider.id }), world),
})

/** Builds the options of an authentication, with the user's credentials, if any. */
export const buildAuthenticationOptions = step({
  needs: ['visit', 'webauthnProvider', 'authenticators'],
  may: ['currentUser', 'addressee'],
  says: { 'options.built': ['ceremony', 'challenge'] },
  async run({ visit, webauthnProvider, authenticators, currentUser, addressee }, world) {
    const party = await findRelyingParty(webauthnProvider, visit, requireStore(world))
    const { randomBytes } = world.platform
    const terms = { provider: webauthnProvider, party, randomBytes, credentials: authenticators }
    const { options, challenge: value } = await makeAuthenticationOptions(terms)
    const offered: string[] = []
    for (const { credentialID } of authenticators) offered.push(await digestOffered(credentialID))
    return {
      type: 'options.built',
      ceremony: { action: 'authenticate', options },
      challenge: {
        value,
        ceremony: 'authenticate',
        provider: webauthnProvider.id,
        startedBy: currentUser?.id,
        user: (currentUser ?? addressee)?.id,
        offered,
      },
    }
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
 * Compares the counter with the stored one, and stores it with the backup state (WebAuthn L3 7.2). Requests with the same signature are serialised within this
 * process; for other processes, the adapter compares again. Authenticators without a counter stay at 0.
 */
export const advanceCounter = step({
  needs: ['authenticator', 'signatureState'],
  says: { 'counter.advanced': [], 'counter.stale': ['failure'] },
  async run({ authenticator, signatureState: { counter, isBackedUp } }, world) {
    const { credentialID } = authenticator
    const store = requireStore(world)
    const isCounting = counter > 0 || authenticator.counter > 0
    const readCurrent = async () =>
      readAuthenticator(await store.getAuthenticator(credentialID), 'getAuthenticator') ?? authenticator
    const stale = () => ({
      type: 'counter.stale' as const,
      failure: new WebAuthnVerificationError(
        'The signature counter did not increase. The passkey may have been copied',
      ),
    })
    return store.turn(['credential', credentialID], async () => {
      const held = isCounting ? await readCurrent() : authenticator
      if (isCounting && counter <= held.counter) return stale()
      try {
        const condition = { counter: held.counter }
        const state = { credentialBackedUp: isBackedUp }
        const answer = await store.updateAuthenticatorCounter(credentialID, counter, condition, state)
        const stored = readAuthenticator(answer, 'updateAuthenticatorCounter')
        if (stored?.counter === counter) return { type: 'counter.advanced' }
      } catch (error) {
        // Another process may have stored a counter in the meantime.
        if (isCounting && counter <= (await readCurrent()).counter) return stale()
        throw error
      }
      throw new AdapterError("The adapter's updateAuthenticatorCounter did not store the counter")
    })
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
