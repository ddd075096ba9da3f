import type { Platform } from '../types/config.ts'
import { encodeBase64url } from './base64url.ts'
import { encodeHex } from './hex.ts'

type RandomBytes = Platform['randomBytes']

/** Bytes of the runtime's secure generator. */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** 32 random bytes in lower-case hexadecimal: 64 characters. */
export function randomHex(random: RandomBytes): string {
  return encodeHex(random(32))
}

/** 32 random bytes in base64url: 43 characters, as RFC 7636 4.1 recommends for a code verifier. */
export function randomText(random: RandomBytes): string {
  return encodeBase64url(random(32))
}

/** The UUID of 16 random bytes (version 4, RFC 9562 5.4). */
export function formatUuid(random: Uint8Array): string {
  const hex = encodeHex(random)
  const variant = '89ab'.charAt(((random[8] ?? 0) >> 4) & 3)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
