import { afterEach, describe, expect, it, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import browser from '../../node_modules/@simplewebauthn/browser/package.json' with { type: 'json' }
import Passkey from '../../src/providers/passkey.ts'
import WebAuthn, {
  DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION,
  DEFAULT_WEBAUTHN_TIMEOUT,
} from '../../src/providers/webauthn.ts'

describe('WebAuthn', () => {
  it('PRV-002 ATN-001 has an id, a name, and the user’s options under `options`', () => {
    const options = { name: 'Keys', relayingParty: { name: 'Example' } }
    const provider = WebAuthn(options)
    expect(provider).toMatchObject({ id: 'webauthn', name: 'WebAuthn', type: 'webauthn' })
    expect(provider.options).toBe(options)
  })

  it('WIR-048 has the defaults of the ecosystem', () => {
    expect(DEFAULT_WEBAUTHN_TIMEOUT).toBe(300_000)
    expect(DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION).toBe(`v${browser.version}`)
    expect(WebAuthn()).toMatchObject({
      enableConditionalUI: true,
      simpleWebAuthnBrowserVersion: DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION,
      formFields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
      authenticationOptions: { timeout: 300_000 },
      registrationOptions: { timeout: 300_000 },
    })
  })
})

describe('Passkey', () => {
  it('WA-04 PRV-002 is WebAuthn with a discoverable credential and user verification', () => {
    const options = { name: 'Keys' }
    const provider = Passkey(options)
    expect(provider).toMatchObject({
      id: 'passkey',
      name: 'Passkey',
      type: 'webauthn',
      enableConditionalUI: true,
      authenticationOptions: { timeout: 300_000, userVerification: 'required' },
      registrationOptions: {
        timeout: 300_000,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
      verifyAuthenticationOptions: { requireUserVerification: true },
      verifyRegistrationOptions: { requireUserVerification: true },
    })
    expect(provider.options).toBe(options)
  })
})

describe('@simplewebauthn/server', () => {
  afterEach(() => {
    vi.doUnmock('@simplewebauthn/server')
  })

  it('DEC-30a is an optional peer', () => {
    expect(packageJson.peerDependencies).toHaveProperty(['@simplewebauthn/server'])
    expect(packageJson.peerDependenciesMeta).toMatchObject({ '@simplewebauthn/server': { optional: true } })
    expect(packageJson.dependencies).not.toHaveProperty(['@simplewebauthn/server'])
  })

  it('DEC-30a is loaded when it is first called, and named if it is missing', async () => {
    let loads = 0
    vi.doMock('@simplewebauthn/server', () => {
      loads += 1
      throw new Error('Cannot find package')
    })
    vi.resetModules()
    const { default: provide } = await import('../../src/providers/passkey.ts')
    const { simpleWebAuthn } = provide()
    expect(loads).toBe(0)
    for (const name of [
      'generateAuthenticationOptions',
      'generateRegistrationOptions',
      'verifyAuthenticationResponse',
      'verifyRegistrationResponse',
    ] as const) {
      const failure: unknown = await simpleWebAuthn?.[name]?.({}).catch((error: unknown) => error)
      expect(failure).toMatchObject({ type: 'InvalidConfig' })
      expect(String(failure)).toContain('npm install @simplewebauthn/server')
    }
    expect(loads).toBeGreaterThan(0)
  })
})
