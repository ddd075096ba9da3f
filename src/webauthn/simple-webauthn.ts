/** Where the calls of `@simplewebauthn/server` differ between the versions 9 to 14. */
import { encodeBase64url } from '../crypto/base64url.ts'
import type { WebAuthnRegistration } from '../types/provider.ts'

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
export function nameCredential(id: string, publicKey: Uint8Array): object {
  return {
    credential: { id, publicKey, counter: 0 },
    authenticator: { credentialID: id, credentialPublicKey: publicKey, counter: 0 },
  }
}

/** Reads what `verifyRegistrationResponse` found: nested since version 11, with bytes as the id in version 9. */
export function readRegistered(registration: WebAuthnRegistration): Registered {
  if ('credential' in registration) return registration.credential
  const { credentialID, credentialPublicKey, counter } = registration
  const id = typeof credentialID === 'string' ? credentialID : encodeBase64url(credentialID)
  return { id, publicKey: credentialPublicKey, counter }
}
