import type { Platform } from '../types/config.ts'
import { encodeBase64url } from './base64url.ts'
import { encodeHex } from './hex.ts'

type RandomBytes = Platform['randomBytes']

/**
 * Draws bytes of the runtime's secure generator when they are needed, never in advance (decision 48): nobody reads
 * secrets of the future in the memory, and processes that are restored from one snapshot draw different ones.
 */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** Bytes of an initialisation vector of AES-CBC. */
const vectorLength = 16
const poolSize = 256 * vectorLength

/** Draws an initialisation vector, which travels beside what it encrypts and is no secret. */
export const randomVector: () => Uint8Array<ArrayBuffer> = createVectorPool()

/** Fills a pool at once, since asking the system costs more than encrypting a token. Replacing the generator empties it. */
function createVectorPool() {
  const pool = new Uint8Array(poolSize)
  let left = 0
  let filledBy: unknown
  return () => {
    if (left === 0 || filledBy !== crypto.getRandomValues) {
      left = 0
      crypto.getRandomValues(pool)
      filledBy = crypto.getRandomValues
      left = poolSize
    }
    left -= vectorLength
    return pool.slice(left, left + vectorLength)
  }
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
