import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasShortRows, normalise } from '../src/text/normalise.ts'
import { readRecoveryCode } from '../src/features/second-factor/recovery-codes.ts'
import { readSecret } from '../src/text/typed-secret.ts'

const noise = fc.constantFrom(
  ' ',
  '\t',
  '\n',
  '\u00a0',
  '\u2009',
  '-',
  '\u2010',
  '\u2013',
  '\u2014',
  '\u2212',
  '',
)

/** Writes noise before, between and after the characters of a code. */
function mix(code: string, between: readonly string[]): string {
  return between.map((text, at) => text + (code[at] ?? '')).join('')
}

describe('a typed code', () => {
  it('SF-21 CD-08 is read without white space, dashes and invisible characters', () => {
    const digits = fc.tuple(fc.stringMatching(/^\d{6}$/), fc.array(noise, { minLength: 7, maxLength: 7 }))
    fc.assert(
      fc.property(digits, ([code, between]) => {
        expect(readSecret('code', mix(code, between))).toBe(code)
      }),
    )
    // Mails in Arabic have direction marks around a code.
    expect(readSecret('code', '\u2066\u200f123\u00ad456\u2069')).toBe('123456')
  })

  it('SF-21 is read in the decimal digits of every script', () => {
    const digits = characters().filter((character) => /\p{Nd}/u.test(character))
    expect(digits.length).toBeGreaterThan(600)
    for (let at = 0; at < digits.length; at += 10)
      expect(readSecret('code', digits.slice(at, at + 10).join(''))).toBe('0123456789')
  })

  it.each([
    '',
    ' - ',
    '12345\u00e9',
    '1e5.0',
    '12.3456',
    '\u00bd12345',
    '\u2160\u2160',
    '1'.repeat(65),
    123_456,
    null,
  ])('SF-21 %j is none', (typed) => {
    expect(readSecret('code', typed)).toBeUndefined()
  })
})

describe('a typed recovery code', () => {
  const code = 'abcdefghijklmnopqrst234567'.slice(0, 24)

  it('SF-21 is read without regard to case, and like a code otherwise', () => {
    const codes = fc.tuple(
      fc.stringMatching(/^[a-z2-7]{24}$/),
      fc.array(noise, { minLength: 25, maxLength: 25 }),
    )
    fc.assert(
      fc.property(codes, ([each, between]) => {
        expect(readRecoveryCode(mix(each, between).toUpperCase())).toBe(each)
      }),
    )
    expect(readRecoveryCode('abcdef-ghijkl-mnopqr-stuvw\u0662')).toBe('abcdefghijklmnopqrstuvw2')
  })

  it.each([`${code}a`, code.slice(1), `${code.slice(1)}1`, `${code}${' '.repeat(128)}`])(
    'SF-21 %j is none',
    (typed) => {
      expect(readRecoveryCode(typed)).toBeUndefined()
    },
  )
})

describe('a typed password', () => {
  it('PW-06 is read in NFC, and as it is otherwise', () => {
    expect(readSecret('password', ' Cre\u0300me\u00a0\uff11 ')).toBe(' Cr\u00e8me\u00a0\uff11 ')
    expect(readSecret('password', '')).toBe('')
  })

  it('PW-06 may have 1024 bytes in NFC, however it was typed', () => {
    const composed = characters().filter(
      (character) => character.normalize('NFD') !== character && character.normalize('NFC') === character,
    )
    for (const character of composed) {
      const text = character.repeat(Math.floor(1024 / Buffer.byteLength(character)))
      if (readSecret('password', text.normalize('NFD')) !== text) expect.fail(character)
    }
    expect(readSecret('password', '\u00e9'.repeat(512))).toHaveLength(512)
    expect(readSecret('password', `${'\u00e9'.repeat(512)}.`)).toBeUndefined()
    expect(readSecret('password', 'e\u0301'.repeat(513))).toBeUndefined()
    expect(readSecret('password', undefined)).toBeUndefined()
  })
})

describe('a text to normalise', () => {
  it('LM-14 has a limited length, and few marks in a row', () => {
    expect(normalise('e\u0301', 'NFC', 2)).toBe('\u00e9')
    expect(normalise('e\u0301', 'NFC', 1)).toBeUndefined()
    expect(normalise(`e${'\u0301'.repeat(60)}`, 'NFC', 100)).toBeDefined()
    expect(normalise(`e${'\u0301'.repeat(61)}`, 'NFC', 100)).toBeUndefined()
  })

  it('LM-14 has no marks that are counted as other characters', () => {
    const startsWithMark = characters().filter((character) => /^\p{M}/u.test(character.normalize('NFKD')))
    // Vowels of Thai and Lao, each a mark followed by a letter that ends the row of marks.
    expect(startsWithMark.filter((character) => hasShortRows(character.repeat(61)))).toEqual([
      '\u0e33',
      '\u0eb3',
    ])
  })
})

/** All characters of Unicode. */
function characters(): string[] {
  return Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
}
