/**
 * Percent-decodes a text as `decodeURIComponent` does. That function throws for a malformed escape, and an exception
 * costs as much as decoding thousands of characters.
 *
 * @returns undefined when an escape is malformed, or is not UTF-8
 */
export function decodePercent(text: string): string | undefined {
  const first = text.indexOf('%')
  if (first < 0) return text
  for (let at = first; at >= 0;) {
    const length = measureCharacter(text, at)
    if (length === 0) return undefined
    at = text.indexOf('%', at + 3 * length)
  }
  return decodeURIComponent(text)
}

/** The number of escapes that make up the character at this place (RFC 3629 4), or 0 when they are not UTF-8. */
function measureCharacter(text: string, at: number): number {
  const lead = readEscape(text, at)
  if (lead < 0x80) return lead < 0 ? 0 : 1
  if (lead < 0xc2 || lead > 0xf4) return 0
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  const second = readEscape(text, at + 3)
  // No overlong forms, no surrogates, nothing above U+10FFFF.
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  if (second < least || second > most) return 0
  for (let index = 2; index < length; index++) {
    const byte = readEscape(text, at + 3 * index)
    if (byte < 0x80 || byte > 0xbf) return 0
  }
  return length
}

/** The byte of the escape at this place, or a negative number. */
function readEscape(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x25) return -1
  return 16 * readDigit(text.charCodeAt(at + 1)) + readDigit(text.charCodeAt(at + 2))
}

function readDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -256
}
