import type { GivenId, Identified, WebAuthnConfig, WebAuthnUserConfig } from '../types/provider.ts'
import WebAuthn, { DEFAULT_WEBAUTHN_TIMEOUT } from './webauthn.ts'

/**
 * Signs users in with a passkey: a WebAuthn credential that the authenticator finds by itself, after its owner enters a PIN
 * or shows a finger or face. Experimental, like `WebAuthn`. It requires user verification and a discoverable credential, and
 * does not reveal to signed-out visitors which credentials an address has.
 *
 * Options: any of `WebAuthnUserConfig`, such as `relayingParty`.
 *
 * @see https://passkeys.dev
 * @example providers: [Passkey], experimental: { enableWebAuthn: true }
 */
export default function Passkey<const Id extends GivenId = GivenId>(
  options: WebAuthnUserConfig & { id?: Id } = {},
): Identified<WebAuthnConfig, 'passkey', Id> {
  return {
    ...WebAuthn(),
    id: 'passkey',
    name: 'Passkey',
    authenticationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT, userVerification: 'required' },
    registrationOptions: {
      timeout: DEFAULT_WEBAUTHN_TIMEOUT,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    },
    verifyAuthenticationOptions: { requireUserVerification: true },
    verifyRegistrationOptions: { requireUserVerification: true },
    options,
  }
}
