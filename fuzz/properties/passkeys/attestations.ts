import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import { enrol, openDevice, perform, signInWith } from '../../world/passkeys.ts'
import {
  attestSelf,
  attestWith,
  attestWithCertificate,
  attestWithList,
} from '../../world/webauthn/attestations.ts'
import type { Attestation, Made } from '../../world/webauthn/authenticator.ts'
import { property, type Property } from '../property.ts'
import { checkNobody, passkeySetup, seeRows, withPasskeys } from '../support/passkeys.ts'

/** A host inside the application's network. */
const inside = 'http://169.254.169.254/latest/meta-data'

/** Attestations that prove nothing, by name. */
const worthless: Readonly<Record<string, (made: Made) => Attestation>> = {
  'a revocation list': (made) => attestWithList(made, inside),
  'a forged signature': () => attestWith('packed', { sig: Buffer.alloc(70) }),
  'a certificate of many elements': () => attestWithCertificate(Buffer.alloc(10_000, Buffer.from([5, 0]))),
  'a FIDO U2F statement without a certificate': () => attestWith('fido-u2f', {}),
  'a TPM statement without a certificate': () => attestWith('tpm', {}),
  'an Apple statement without a certificate': () => attestWith('apple', {}),
  'an Android statement without a response': () => attestWith('android-safetynet', {}),
  'an unknown format': () => attestWith('unknown', {}),
  'a statement although its format is none': () => attestWith('none', {}),
}
const names = Object.keys(worthless)

/** Returns how to create the attestation with this name, which may be a valid one. */
function attestationOf(name: string): (made: Made) => Attestation {
  return worthless[name] ?? attestSelf
}

export const webauthnAttestationProperties: readonly Property[] = [
  property({
    proves: ['WA-13'],
    name: 'sends no request for an attestation that nobody asked for',
    story: 'A visitor posts a certificate whose revocation list is a URL inside the application’s network.',
    advice: 'Replace the statement with that of `none` unless your options ask for an attestation.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 20,
    input: fc.boolean(),
    async run(world, isUser) {
      const { ada } = world.people
      const browser = world.browser('ada')
      world.prove(browser, ada, 'passkey')
      if (isUser) await enrol(world, browser, openDevice(world, ada))
      const fields = { action: 'register', ...(!isUser && { email: ada.address.passkey }) }
      const faults = { attest: (made: Made) => attestWithList(made, inside) }
      await perform(world, browser, openDevice(world, ada), 'register', { fields, faults })
      const [sent] = world.network.sent
      world.check(
        'WA-13',
        sent === undefined,
        `the certificate of a passkey causes a request to ${sent?.url}`,
      )
    },
  }),
  property({
    proves: ['DEC-30i'],
    name: 'ignores the statement of an attestation that nobody asked for',
    story: 'Authenticators that always send a statement cannot register.',
    advice: 'Treat every attestation as `none` unless your options ask for one.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 30,
    ...eachOf(['a valid signature', ...names]),
    async run(world, name) {
      const { ada } = world.people
      const browser = world.browser('ada')
      world.prove(browser, ada, 'passkey')
      const fields = { action: 'register', email: ada.address.passkey }
      const device = openDevice(world, ada)
      await perform(world, browser, device, 'register', { fields, faults: { attest: attestationOf(name) } })
      const me = await browser.whoAmI()
      world.check(
        'DEC-30i',
        me === 'ada',
        `ada registers a passkey whose attestation has ${name}, and ${me ?? 'nobody'} is signed in`,
      )
      await signInWith(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['DEC-30i'],
    name: 'verifies the statement of an attestation that the site asks for',
    story: 'A site that accepts certain authenticators only accepts a forged attestation.',
    advice: 'Verify the statement if `attestationType` is `direct`, `enterprise` or `indirect`.',
    severity: 'hardening',
    needs: ['passkey'],
    setups: { direct: passkeySetup({ registrationOptions: { attestationType: 'direct' } }) },
    runs: 30,
    ...eachOf(names),
    async run(world, name) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const before = seeRows(world)
      const fields = { action: 'register', email: ada.address.passkey }
      const faults = { attest: attestationOf(name) }
      await perform(world, browser, openDevice(world, ada), 'register', { fields, faults })
      await checkNobody(world, 'DEC-30i', browser, before, `a registration with ${name}`)
      await enrol(world, world.browser('ada'), openDevice(world, ada), { attest: attestSelf })
    },
  }),
]
