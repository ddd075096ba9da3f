import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { bitsOf } from '../../fuzz/properties/support/entropy.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Values that a generator draws from this many letters. */
function draw(length: number, letters: number): string[] {
  const letter = () => alphabet.charAt(randomInt(letters))
  return Array.from({ length: 24 }, () => Array.from({ length }, letter).join(''))
}

it('estimates the random bits of a value from its letters, and not from its length', () => {
  // Twelve letters and digits, as in Django, have 71 bits.
  expect(bitsOf(draw(12, 62))).toBeGreaterThan(64)
  expect(bitsOf(draw(12, 62))).toBeLessThan(75)
  expect(bitsOf(draw(6, 62))).toBeLessThan(40)
  expect(bitsOf(Array.from({ length: 24 }, () => 'the-same-state-of-every-sign-in'))).toBe(0)
})
