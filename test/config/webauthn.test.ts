import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import Passkey from '../../src/providers/passkey.ts'
import WebAuthn from '../../src/providers/webauthn.ts'
import { derive, passkeyProvider } from './derive.ts'

const experimental = { enableWebAuthn: true }

/** The name and message of the configuration error for these providers. */
function faultOf(...providers: object[]): string | undefined {
  const { fault } = derive({ adapter: memoryAdapter(), experimental, providers })
  return fault && `${fault.type}: ${fault.message}`
}

describe('a configuration with WebAuthn', () => {
  it('CF-01 accepts the built-in providers, alone and together', () => {
    expect(faultOf(Passkey())).toBeUndefined()
    expect(faultOf(WebAuthn())).toBeUndefined()
    expect(faultOf(Passkey(), WebAuthn({ enableConditionalUI: false }))).toBeUndefined()
    expect(faultOf(passkeyProvider)).toBeUndefined()
  })

  it('CF-01 ATN-002 CFG-014 requires the experimental flag and an adapter', () => {
    const bare = { adapter: memoryAdapter(), providers: [Passkey()] }
    for (const given of [undefined, {}, { enableWebAuthn: false }])
      expect(derive({ ...bare, experimental: given }).fault?.type).toBe('ExperimentalFeatureNotEnabled')
    expect(derive({ experimental, providers: [Passkey()] }).fault?.type).toBe('MissingAdapter')
  })

  it('CF-01 FI-04 requires every method that the ceremonies call', () => {
    const operations = [
      'createUser getUserByEmail getUserByAccount linkAccount',
      'getAuthenticator createAuthenticator listAuthenticatorsByUserId updateAuthenticatorCounter',
    ].flatMap((line) => line.split(' '))
    for (const operation of operations) {
      const adapter = { ...memoryAdapter(), [operation]: undefined }
      const { fault } = derive({ adapter, experimental, providers: [Passkey()] })
      expect(fault?.type).toBe('MissingAdapterMethods')
      expect(fault?.message).toContain(operation)
    }
  })

  it('CF-01 allows conditional UI at one provider only', () => {
    expect(faultOf(Passkey(), WebAuthn())).toMatch(/^DuplicateConditionalUI/)
  })

  it('CF-01 allows conditional UI only if a form field requests it', () => {
    const fields = [
      {},
      { email: {} },
      { email: { autocomplete: 'username' } },
      { email: { autocomplete: true } },
    ]
    for (const formFields of fields) {
      const provider = { ...Passkey(), formFields }
      expect(faultOf(provider)).toMatch(/^MissingWebAuthnAutocomplete.*"passkey"/)
      expect(faultOf({ ...provider, enableConditionalUI: false })).toBeUndefined()
    }
    expect(faultOf({ ...Passkey(), formFields: undefined })).toMatch(/^MissingWebAuthnAutocomplete/)
  })

  it('CF-01 accepts a version of the browser script in the documented format', () => {
    for (const version of ['v9', 'v14.0', 'v14.0.0', false, undefined] as const)
      expect(faultOf(Passkey({ simpleWebAuthnBrowserVersion: version }))).toBeUndefined()
    for (const version of ['14.0.0', 'v', 'v1.', 'v1.2.3.4', 'latest', 'v1.0.0/../evil', 9, true])
      expect(faultOf(Passkey({ simpleWebAuthnBrowserVersion: version as never }))).toMatch(
        /^InvalidConfig.*simpleWebAuthnBrowserVersion/,
      )
  })

  it('SEA-012 reports parameters that the library overwrites, and lists of which it uses one entry', () => {
    const { unknownOptions, warnings, fault } = derive({
      adapter: memoryAdapter(),
      experimental,
      providers: [
        Passkey({
          relayingParty: {
            id: ['a.test', 'b.test'],
            name: ['A'],
            origin: ['https://a.test', 'https://b.test'],
          },
          verifyAuthenticationOptions: { expectedOrigin: ['https://b.test'], requireUserVerification: true },
          registrationOptions: { challenge: 'c', attestationType: 'direct' },
        }),
      ],
    })
    expect(fault).toBeUndefined()
    expect(warnings).toContain('unknown-option')
    expect(unknownOptions).toEqual([
      '`registrationOptions.challenge` of provider "passkey" has no effect, because the library sets it',
      '`verifyAuthenticationOptions.expectedOrigin` of provider "passkey" has no effect, because the library sets it. Set `relayingParty.origin`',
      '`relayingParty.id` of provider "passkey" has no effect, beyond its first entry. Set `getRelayingParty`',
    ])
  })

  it('CF-01 DEC-30a names a missing function of SimpleWebAuthn', () => {
    expect(faultOf({ id: 'keys', name: 'Keys', type: 'webauthn' })).toMatch(
      /^InvalidConfig.*generateAuthenticationOptions.*"keys"/,
    )
    const { verifyRegistrationResponse: _, ...others } = passkeyProvider.simpleWebAuthn
    expect(faultOf({ ...passkeyProvider, simpleWebAuthn: others })).toMatch(/verifyRegistrationResponse/)
  })
})
