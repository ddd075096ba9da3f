import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../src/config/derive-settings.ts'
import { randomBytes } from '../../src/crypto/random.ts'
import { mintCode } from '../../src/extend/one-time-code.ts'
import { listOptional } from '../../src/features/all.ts'
import { listMethods } from '../../src/flows/flows.ts'
import { systemPlatform } from '../../src/platform/clock.ts'
import { mailProvider } from '../support/mail.ts'

describe('a mailed code', () => {
  const mint = (random: typeof randomBytes) => mintCode({ ...systemPlatform, randomBytes: random })

  it('CD-01 has six digits, whatever the random bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => {
        expect(mint(() => Uint8Array.from(bytes))).toMatch(/^\d{6}$/)
      }),
    )
    expect(mint(() => new Uint8Array(8))).toBe('000000')
    expect(mint(() => new Uint8Array(8).fill(255))).toBe('551615')
  })

  it('CD-01 SU-05 has each digit equally often at each position', () => {
    const counts = Array.from({ length: 6 }, () => Array.from({ length: 10 }, () => 0))
    const count = 20_000
    for (let n = 0; n < count; n++)
      [...mint(randomBytes)].forEach((digit, position) => {
        const at = counts[position] ?? []
        at[Number(digit)] = (at[Number(digit)] ?? 0) + 1
      })
    // Chi-squared with 9 degrees of freedom: above 40, the digits are uniform with a probability of 8 in a million.
    for (const at of counts) {
      const expected = count / 10
      const chi = at.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0)
      expect(chi).toBeLessThan(45)
    }
  })
})

describe('a provider that mails codes', () => {
  it('FT-30 CD-01 leaves the other routes of the library as they are', () => {
    const providers = [mailProvider([]), mailProvider([], { id: 'code', method: 'code' })]
    const settings = settingsOf({ providers, secret: 'x'.repeat(32) })
    const methodsOf = (action: string, providerId?: string) =>
      listMethods({ action, ...(providerId && { providerId }) }, listOptional(settings), settings)
    expect(methodsOf('signin')).toEqual(['GET', 'POST'])
    expect(methodsOf('callback')).toEqual([])
    expect(methodsOf('verify-request')).toEqual(['GET'])
    for (const id of ['mail', 'code']) {
      expect(methodsOf('signin', id)).toEqual(['POST'])
      expect(methodsOf('callback', id)).toEqual(['GET', 'POST'])
      expect(methodsOf('verify-request', id)).toEqual([])
    }
  })
})
