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
 * Signs users in with a security key, or with what a device or password manager keeps. Experimental: it needs
 * `experimental.enableWebAuthn`, an adapter that keeps authenticators, and the package `@simplewebauthn/server` (9 to 14).
 *
 * `action=register` makes a new user, or adds an authenticator to the user who is signed in. The typed address is the new
 * user's name and no address of theirs, because nobody has proven it. Whether an address is known does not show, unless you
 * give a `getUserInfo` to look it up, which security keys that cannot store a credential need.
 *
 * Options: any of `WebAuthnUserConfig`, among them `relayingParty`, `formFields`, and what is handed to SimpleWebAuthn.
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
