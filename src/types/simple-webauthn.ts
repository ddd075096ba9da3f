/**
 * SimpleWebAuthn's data about a registered credential. It is nested since version 11. In version 9, the id is bytes.
 */
export type WebAuthnRegistration = (
  | { credential: { id: string; publicKey: Uint8Array; counter: number } }
  | { credentialID: string | Uint8Array; credentialPublicKey: Uint8Array; counter: number }
) & { credentialDeviceType: string; credentialBackedUp: boolean }

/** The functions of `@simplewebauthn/server` (9 to 14) that the library calls. */
export interface SimpleWebAuthn {
  /** As in the package. */
  generateAuthenticationOptions(options: object): Promise<object>
  /** As in the package. */
  generateRegistrationOptions(options: object): Promise<object>
  /** As in the package. */
  verifyAuthenticationResponse(options: object): Promise<{
    verified: boolean
    authenticationInfo?: { newCounter: number; credentialBackedUp?: boolean }
  }>
  /** As in the package. */
  verifyRegistrationResponse(
    options: object,
  ): Promise<{ verified: boolean; registrationInfo?: WebAuthnRegistration }>
}
