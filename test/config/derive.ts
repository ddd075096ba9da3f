import { deriveSettings } from '../../src/config/derive-settings.ts'
import type { Environment } from '../../src/config/environment.ts'
import type { Settings } from '../../src/config/settings.ts'

export const secret = 'a secret of 32 bytes for the tests'

/** Settings of a minimal configuration with the given options. */
export function derive(config: object = {}, environment: Environment = {}): Settings {
  return deriveSettings({ providers: [], trustHost: true, secret, ...config }, environment)
}

/** A minimal OAuth provider. */
export const oauthProvider = {
  id: 'acme',
  name: 'Acme',
  type: 'oauth',
  clientId: 'client',
  clientSecret: 'client-secret',
  authorization: 'https://acme.test/authorize',
  token: 'https://acme.test/token',
  userinfo: 'https://acme.test/userinfo',
} as const

/** A minimal OpenID Connect provider. */
export const oidcProvider = {
  id: 'open',
  name: 'Open',
  type: 'oidc',
  clientId: 'client',
  issuer: 'https://open.test',
} as const

const ceremony = () => undefined

/** A minimal WebAuthn provider. */
export const passkeyProvider = {
  id: 'passkey',
  name: 'Passkey',
  type: 'webauthn',
  formFields: { email: { label: 'Email', autocomplete: 'username webauthn' } },
  enableConditionalUI: false,
  simpleWebAuthnBrowserVersion: false,
  getUserInfo: ceremony,
  getRelayingParty: ceremony,
  simpleWebAuthn: {
    generateAuthenticationOptions: ceremony,
    generateRegistrationOptions: ceremony,
    verifyAuthenticationResponse: ceremony,
    verifyRegistrationResponse: ceremony,
  },
} as const

/** The resolved OAuth settings of one provider. */
export function deriveProvider(provider: object, config: object = {}, environment: Environment = {}) {
  const settings = derive({ providers: [provider], ...config }, environment)
  if (settings.fault) throw settings.fault
  const [resolved] = settings.providers.values()
  if (resolved?.kind !== 'oauth') throw new Error('not an OAuth provider')
  return resolved
}
