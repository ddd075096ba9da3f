import { once } from '../async/once.ts'
import { findNodeBuffer, type NodeBuffer, type NodeBytes } from './node-crypto.ts'

const digits = '0123456789abcdef'

/** Encodes bytes as lower-case hexadecimal. */
export function encodeHex(bytes: Uint8Array): string {
  return viewAsBuffer(bytes)?.toString('hex') ?? encodeHexByByte(bytes)
}

/** Returns the same bytes as Node's Buffer if it works, because it encodes faster than a loop. */
function viewAsBuffer({ buffer, byteOffset, byteLength }: Uint8Array): NodeBytes | undefined {
  return findWorkingBuffer()?.from(buffer, byteOffset, byteLength)
}

/** Some runtimes have stubs of Node's functions that throw. */
const findWorkingBuffer = once((): NodeBuffer | undefined => {
  try {
    const buffer = findNodeBuffer()
    return buffer?.from(Uint8Array.of(0xff).buffer, 0, 1).toString('hex') === 'ff' ? buffer : undefined
  } catch {
    return undefined
  }
})

function encodeHexByByte(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += digits.charAt(byte >> 4) + digits.charAt(byte & 15)
  return text
}

/**
 * Joins chunks with a known total length. Returns a single chunk without copying it, so callers must not change the
 * result.
 */
export function joinBytes<Buffer extends ArrayBufferLike>(
  chunks: readonly Uint8Array<Buffer>[],
  length: number,
): Uint8Array<ArrayBuffer | Buffer> {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const sextets: ArrayLike<number> = Uint8Array.from({ length: 128 }, (_, code) =>
  alphabet.indexOf(String.fromCharCode(code)),
)

/** The last characters that leave no bits over, by the number of characters after the last group of four. */
const lastCharacters = [alphabet, '', 'AQgw', 'AEIMQUYcgkosw048'] as const

/**
 * Returns whether the text is canonical base64url: no padding, no other characters, no left-over bits (RFC 4648 3.5).
 * Changing any character of a canonical token therefore changes its bytes.
 */
export function isBase64url(text: string): boolean {
  return leavesNoBits(text) && /^[\w-]*$/.test(text)
}

/** Returns whether text that has only characters of base64url is canonical. */
export function leavesNoBits(text: string): boolean {
  return lastCharacters[text.length % 4]?.includes(text.charAt(text.length - 1)) === true
}

/** Decodes canonical base64url. Returns undefined for anything else. */
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

/** Encodes bytes as base64url without padding (RFC 4648 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  return viewAsBuffer(bytes)?.toString('base64url') ?? encodeBase64urlByByte(bytes)
}

function encodeBase64urlByByte(bytes: Uint8Array): string {
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
