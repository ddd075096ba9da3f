import { describe, expect, it } from 'vitest'
import { escapeControls, escapeLines } from '../../src/text/escape-controls.ts'

describe('untrusted text for a terminal', () => {
  it('CLI-010 shows every character that is invisible, or that a terminal obeys', () => {
    const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u
    for (let code = 0; code <= 0x10_ff_ff; code++) {
      const character = String.fromCodePoint(code)
      const shown = hidden.test(character) ? `\\u{${code.toString(16)}}` : character
      if (escapeControls(character) !== shown) expect.fail(`U+${code.toString(16)} is not shown as ${shown}`)
    }
    for (const code of [0x34f, 0x115f, 0x3164, 0xfe0f, 0xe0100, 0xe0fff])
      expect(escapeControls(String.fromCodePoint(code))).toBe(`\\u{${code.toString(16)}}`)
  })

  it('CLI-010 keeps line breaks and tabs only where the text has lines', () => {
    expect(escapeLines('a\n\tb\r\u3164')).toBe('a\n\tb\\u{d}\\u{3164}')
    expect(escapeControls('a\n\tb\r')).toBe('a\\u{a}\\u{9}b\\u{d}')
  })
})
