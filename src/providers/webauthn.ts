import { asError } from '../errors/as-error.ts'
import { InvalidConfig } from '../errors/classes.ts'
import { onceLoaded } from '../async/once.ts'
import type { GivenId, Identified, WebAuthnConfig, WebAuthnUserConfig } from '../types/provider.ts'
import type { SimpleWebAuthn } from '../types/simple-webauthn.ts'

export type { RelayingParty, WebAuthnConfig, WebAuthnProviderType } from '../types/provider.ts'

/** Timeout of a ceremony in milliseconds. */
export const DEFAULT_WEBAUTHN_TIMEOUT = 300_000

/** The version of `@simplewebauthn/browser` in the sign-in page's script. */
export const DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION = 'v14.0.0'

/**
 * Signs users in with a security key, or a passkey of a device or password manager. Experimental: it needs
 * `experimental.enableWebAuthn`, an adapter that keeps authenticators, and the package `@simplewebauthn/server` (9 to 14).
 *
 * `action=register` creates a user, or adds an authenticator to the signed-in user. The typed address becomes the name of
 * the new user, not their address, because nobody has proven it. Responses do not reveal whether an address is known,
 * unless you set `getUserInfo` to look it up. Security keys that cannot store a credential need it.
 *
 * Options: any of `WebAuthnUserConfig`, such as `relayingParty`, `formFields`, and the options of SimpleWebAuthn.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 * @example providers: [WebAuthn({ relayingParty: { name: 'Example' } })], experimental: { enableWebAuthn: true }
 */
export default function WebAuthn<const Id extends GivenId = GivenId>(
  options: WebAuthnUserConfig & { id?: Id } = {},
): Identified<WebAuthnConfig, 'webauthn', Id> {
  return {
    id: 'webauthn',
    name: 'WebAuthn',
    type: 'webauthn',
    enableConditionalUI: true,
    simpleWebAuthnBrowserVersion: DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION,
    formFields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
    authenticationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT },
    registrationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT },
    simpleWebAuthn: { ...whenCalled },
    options,
  }
}

/**
 * The package is an optional peer dependency. It is loaded on the first passkey sign-in, and bundled only with this
 * provider.
 */
const whenCalled: SimpleWebAuthn = {
  generateAuthenticationOptions: async (options) => (await load()).generateAuthenticationOptions(options),
  generateRegistrationOptions: async (options) => (await load()).generateRegistrationOptions(options),
  verifyAuthenticationResponse: async (options) => (await load()).verifyAuthenticationResponse(options),
  verifyRegistrationResponse: async (options) => (await load()).verifyRegistrationResponse(options),
}

const load = onceLoaded(async (): Promise<SimpleWebAuthn> => {
  try {
    return await import('@simplewebauthn/server')
  } catch (error) {
    const inner = asError(error)
    throw new InvalidConfig(
      'A WebAuthn provider needs the package @simplewebauthn/server: run `npm install @simplewebauthn/server`',
      inner,
    )
  }
})
