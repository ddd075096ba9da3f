const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const sextets = Uint8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)))

/** By the number of characters behind the last group of four: the characters that leave no bit over. */
const lastCharacters = [alphabet, '', 'AQgw', 'AEIMQUYcgkosw048'] as const

/**
 * Is this the one canonical spelling of some bytes: no padding, no other character, no left-over bits (RFC 4648 3.5)?
 * Then changing any character of a token changes what it says.
 */
export function isBase64url(text: string): boolean {
  const last = text.charAt(text.length - 1)
  return lastCharacters[text.length % 4]?.includes(last) === true && /^[A-Za-z0-9_-]*$/.test(text)
}

/** The bytes, or undefined for anything but canonical base64url. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!isBase64url(text)) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let held = 0
  let bits = 0
  let length = 0
  for (let index = 0; index < text.length; index++) {
    held = ((held & 0x3f) << 6) | (sextets[text.charCodeAt(index)] ?? 0)
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[length++] = held >> bits
  }
  return bytes
}

/** base64url without padding (RFC 4648 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = ((held & 0x3f) << 8) | byte
    bits += 8
    while (bits >= 6) {
      bits -= 6
      text += alphabet.charAt((held >> bits) & 0x3f)
    }
  }
  return bits > 0 ? text + alphabet.charAt((held << (6 - bits)) & 0x3f) : text
}
