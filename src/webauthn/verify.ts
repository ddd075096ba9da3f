import { asError } from '../errors/as-error.ts'
import { copyOfOptions } from '../copies/copy-handed-out.ts'
import type { WebAuthnSettings } from '../config/settings.ts'
import { encodeBase64url } from '../crypto/bytes.ts'
import { AuthError } from '../errors/classes.ts'
import type { AdapterAuthenticator } from '../types/adapter.ts'
import type { RelayingParty } from '../types/provider.ts'
import type { WebAuthnRegistration } from '../types/simple-webauthn.ts'
import { dropStatement } from './attestation.ts'
import { encodeBase64, isCount, publicKeyOf, toBase64, toBase64url } from './authenticator.ts'
import { asksForAttestation, demandsVerification, functionOf } from './ceremony-options.ts'
import type { Challenge } from './challenge.ts'
import type { AnswerJson, Credential } from './credential.ts'

/** The credential of a verified registration, in one shape for all versions. */
interface Registered {
  /** base64url */
  readonly id: string
  readonly publicKey: Uint8Array
  readonly counter: number
}

/**
 * Returns the options that name a stored credential to `verifyAuthenticationResponse`. Version 11 and later read
 * `credential`, earlier ones `authenticator`. The counter is 0, because the library compares counters itself.
 */
function nameCredential(id: string, publicKey: Uint8Array): object {
  return {
    credential: { id, publicKey, counter: 0 },
    authenticator: { credentialID: id, credentialPublicKey: publicKey, counter: 0 },
  }
}

/** Reads the credential that `verifyRegistrationResponse` returned: nested since version 11, with bytes as the id in version 9. */
function readRegistered(registration: WebAuthnRegistration): Registered {
  if ('credential' in registration) return registration.credential
  const { credentialID, credentialPublicKey, counter } = registration
  const id = typeof credentialID === 'string' ? credentialID : encodeBase64url(credentialID)
  return { id, publicKey: credentialPublicKey, counter }
}

/** Characters of 1023 bytes in base64, the longest id of a credential (WebAuthn L3 7.1). */
const longestId = 1364

/** The expected values of a response. */
export interface Expectation {
  readonly provider: WebAuthnSettings
  readonly party: RelayingParty
  readonly challenge: Challenge
}

/** The reason why a response could not be verified. */
export interface Unverified {
  readonly unverified: Error
}

/** The state of a credential, from its verified response. */
export interface SignatureState {
  readonly counter: number
  /** Whether the credential exists outside of the authenticator as well (WebAuthn L3 6.1.3). */
  readonly isBackedUp: boolean
}

/** A new authenticator that has no user yet. */
export type NewAuthenticator = Omit<AdapterAuthenticator, 'userId'>

/**
 * Verifies that the authenticator signed the challenge for this site (WebAuthn L3 7.2). Returns the counter without
 * checking it.
 *
 * @throws AuthError for a fault of the configuration or the adapter
 */
export async function verifyAuthenticationResponse(
  credential: Credential,
  authenticator: AdapterAuthenticator,
  expectation: Expectation,
): Promise<SignatureState | Unverified> {
  const { config } = expectation.provider
  const given = copyOfOptions(config.verifyAuthenticationOptions) ?? {}
  const verify = functionOf(config, 'verifyAuthenticationResponse')
  return attempt(async () => {
    requireOwnFrame(credential, given.expectedTopOrigin)
    const { verified, authenticationInfo } = await verify({
      ...given,
      requireUserVerification: demandsVerification('authenticate', config),
      // It would skip the check of user presence.
      advancedFIDOConfig: undefined,
      ...expected(credential, expectation),
      ...nameCredential(toBase64url(authenticator.credentialID), publicKeyOf(authenticator)),
    })
    const counter = authenticationInfo?.newCounter
    const isBackedUp = authenticationInfo?.credentialBackedUp ?? authenticator.credentialBackedUp
    if (verified && isCount(counter)) return { counter, isBackedUp }
    throw new Error('The signature does not match the credential')
  })
}

/**
 * Verifies that an authenticator created a credential for this site and this challenge (WebAuthn L3 7.1).
 *
 * @throws AuthError for a fault of the configuration or the adapter
 */
export async function verifyRegistrationResponse(
  credential: Credential,
  expectation: Expectation,
): Promise<{ readonly authenticator: NewAuthenticator } | Unverified> {
  const { config } = expectation.provider
  const given = copyOfOptions(config.verifyRegistrationOptions) ?? {}
  const { supportedAlgorithmIDs } = copyOfOptions(config.registrationOptions) ?? {}
  const verify = functionOf(config, 'verifyRegistrationResponse')
  return attempt(async () => {
    requireOwnFrame(credential, given.expectedTopOrigin)
    const { verified, registrationInfo } = await verify({
      ...(supportedAlgorithmIDs !== undefined && { supportedAlgorithmIDs }),
      ...given,
      requireUserVerification: demandsVerification('register', config),
      requireUserPresence: true,
      ...expected(credential, expectation),
      ...(!asksForAttestation(config) && { response: withoutStatement(credential.json) }),
    })
    if (!verified || !registrationInfo) throw new Error('The attestation could not be verified')
    const { credentialBackedUp, credentialDeviceType } = registrationInfo
    const made = readRegistered(registrationInfo)
    const credentialID = toBase64(made.id)
    if (credentialID === undefined || made.id !== credential.id || !isCount(made.counter))
      throw new Error('The response and its attestation name different credentials')
    if (credentialID.length > longestId) throw new Error('The id of the credential has more than 1023 bytes')
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

/**
 * Removes an attestation statement that the site did not ask for. The client chooses its format, and for some formats
 * SimpleWebAuthn validates certificates, and sends requests to the URLs in them, before it checks their issuer.
 */
function withoutStatement(json: AnswerJson): AnswerJson {
  const attestationObject = dropStatement(String(json.response['attestationObject']))
  if (attestationObject === undefined) throw new Error('The attestation is malformed')
  return { ...json, response: { ...json.response, attestationObject } }
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

/** Refuses a page in a frame of another origin, unless the configuration expects that frame. */
function requireOwnFrame({ crossOrigin, topOrigin }: Credential, expectedTopOrigin: unknown): void {
  if (!crossOrigin && topOrigin === undefined) return
  const frames: unknown[] = Array.isArray(expectedTopOrigin) ? expectedTopOrigin : [expectedTopOrigin]
  if (topOrigin === undefined || !frames.includes(topOrigin))
    throw new Error('The ceremony took place in a frame of another origin')
}

/** Treats any error as a failed verification, except errors of this library, which report faults on the server. */
async function attempt<T>(verify: () => Promise<T>): Promise<T | Unverified> {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof AuthError) throw error
    return { unverified: asError(error) }
  }
}
