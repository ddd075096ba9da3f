import { asError } from '../as-error.ts'
import type { WebAuthnSettings } from '../config/settings.ts'
import { AuthError } from '../errors.ts'
import type { AdapterAuthenticator } from '../types/adapter.ts'
import type { RelayingParty } from '../types/provider.ts'
import { isCount, publicKeyOf } from './authenticator.ts'
import { encodeBase64, toBase64, toBase64url } from './base64.ts'
import { demandsVerification, functionOf } from './ceremony-options.ts'
import type { Challenge } from './challenge.ts'
import type { Credential } from './credential.ts'
import { nameCredential, readRegistered } from './simple-webauthn.ts'

/** What an answer is held against. */
export interface Expectation {
  readonly provider: WebAuthnSettings
  readonly party: RelayingParty
  readonly challenge: Challenge
}

/** Why an answer proves nothing. */
export interface Unverified {
  readonly unverified: Error
}

/** A new authenticator, without the user whose it will be. */
export type NewAuthenticator = Omit<AdapterAuthenticator, 'userId'>

/**
 * Verifies that the authenticator signed the challenge, for this site (WebAuthn L3 7.2). The counter is told, and judged
 * elsewhere. @throws AuthError for what is wrong on our side
 */
export async function verifyAuthentication(
  credential: Credential,
  authenticator: AdapterAuthenticator,
  expectation: Expectation,
): Promise<{ readonly counter: number } | Unverified> {
  const { config } = expectation.provider
  const { verifyAuthenticationOptions: given = {} } = config
  const verify = functionOf(config, 'verifyAuthenticationResponse')
  return attempt(async () => {
    demandOwnFrame(credential, given.expectedTopOrigin)
    const { verified, authenticationInfo } = await verify({
      ...given,
      ...(demandsVerification('authenticate', config) && { requireUserVerification: true }),
      // It would waive the user's presence.
      advancedFIDOConfig: undefined,
      ...expected(credential, expectation),
      ...nameCredential(toBase64url(authenticator.credentialID), publicKeyOf(authenticator)),
    })
    const counter = authenticationInfo?.newCounter
    if (verified && isCount(counter)) return { counter }
    throw new Error('The signature is not that of the credential')
  })
}

/**
 * Verifies that an authenticator made a credential for this site and this challenge (WebAuthn L3 7.1).
 * @throws AuthError for what is wrong on our side
 */
export async function verifyRegistration(
  credential: Credential,
  expectation: Expectation,
): Promise<{ readonly authenticator: NewAuthenticator } | Unverified> {
  const { config } = expectation.provider
  const { verifyRegistrationOptions: given = {}, registrationOptions = {} } = config
  const { supportedAlgorithmIDs } = registrationOptions
  const verify = functionOf(config, 'verifyRegistrationResponse')
  return attempt(async () => {
    demandOwnFrame(credential, given.expectedTopOrigin)
    const { verified, registrationInfo } = await verify({
      ...(supportedAlgorithmIDs !== undefined && { supportedAlgorithmIDs }),
      ...given,
      ...(demandsVerification('register', config) && { requireUserVerification: true }),
      requireUserPresence: true,
      ...expected(credential, expectation),
    })
    if (!verified || !registrationInfo) throw new Error('The attestation could not be verified')
    const { credentialBackedUp, credentialDeviceType } = registrationInfo
    const made = readRegistered(registrationInfo)
    const credentialID = toBase64(made.id)
    if (credentialID === undefined || made.id !== credential.id || !isCount(made.counter))
      throw new Error('The answer speaks of another credential than its attestation')
    const credentialPublicKey = encodeBase64(made.publicKey)
    const transports = credential.transports.join(',')
    return {
      authenticator: {
        credentialID,
        credentialPublicKey,
        counter: made.counter,
        credentialBackedUp,
        credentialDeviceType,
        providerAccountId: credentialID,
        transports,
      },
    }
  })
}

function expected({ json }: Credential, { party, challenge }: Expectation) {
  return {
    response: json,
    expectedChallenge: challenge.value,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    expectedType: undefined,
  }
}

/** A page in a foreign frame is refused, unless it is exactly the frame that the configuration expects. */
function demandOwnFrame({ crossOrigin, topOrigin }: Credential, expectedTopOrigin: unknown): void {
  if (!crossOrigin && topOrigin === undefined) return
  const frames: unknown[] = Array.isArray(expectedTopOrigin) ? expectedTopOrigin : [expectedTopOrigin]
  if (topOrigin === undefined || !frames.includes(topOrigin))
    throw new Error('The ceremony took place in a frame of another origin')
}

/** Whatever an answer makes the library throw, it proves nothing; what is wrong on our side goes on as it is. */
async function attempt<T>(verify: () => Promise<T>): Promise<T | Unverified> {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof AuthError) throw error
    return { unverified: asError(error) }
  }
}
