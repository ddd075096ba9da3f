import { expect, it } from 'vitest'
import { openAuthenticator } from '../../fuzz/world/webauthn/authenticator.ts'
import { origin } from '../support/app.ts'

it('the software authenticator signs with full integers, which SimpleWebAuthn 9 verifies', () => {
  const device = openAuthenticator(origin)
  const challenge = 'c29tZXRoaW5n'
  device.create({ challenge, user: { id: 'dXNlcg', name: 'ada' } })
  const lengths = new Set<number>()
  // One in 128 would be shorter.
  for (let signed = 0; signed < 2000; signed++) {
    const { signature } = device.get({ challenge }).response
    for (const length of lengthsOf(Buffer.from(String(signature), 'base64url'))) lengths.add(length)
  }
  expect([...lengths]).toEqual([32])
})

/** The lengths of r and s without leading zeros: DER is a sequence, and r and s have a tag and a length. */
function lengthsOf(signature: Buffer): number[] {
  const r = signature.subarray(4, 4 + (signature[3] ?? 0))
  const s = signature.subarray(6 + r.length)
  return [r, s].map((integer) => integer.length - integer.findIndex((byte) => byte !== 0))
}
