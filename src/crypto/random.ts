import type { Bytes } from '../types/bytes.ts'
import type { Platform } from '../types/config.ts'
import { encodeBase64url, encodeHex } from './bytes.ts'

type RandomBytes = Platform['randomBytes']

/**
 * Returns bytes of the runtime's secure generator. Never generates them in advance (decision 48), so that memory
 * contains no future secrets and processes restored from one snapshot generate different ones.
 */
export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** Bytes of an initialization vector of AES-CBC. */
const vectorLength = 16
const poolSize = 256 * vectorLength

/** Returns an initialization vector. It is sent with the ciphertext and is not secret. */
export const randomVector: () => Bytes = createVectorPool()

/**
 * Fills a pool in one call, because a system call costs more than encrypting a token. Replacing the generator empties
 * the pool.
 */
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

/** Returns an id for a token. It is not secret, so the runtime may take it from a pool. */
export const randomTokenId = (): string => crypto.randomUUID()

/** Returns 32 random bytes in lower-case hexadecimal: 64 characters. */
export function randomHex(random: RandomBytes): string {
  return encodeHex(random(32))
}

/** Returns 32 random bytes in base64url: 43 characters, as RFC 7636 4.1 recommends for a code verifier. */
export function randomText(random: RandomBytes): string {
  return encodeBase64url(random(32))
}

/** Formats 16 random bytes as a UUID (version 4, RFC 9562 5.4). */
export function formatUuid(random: Uint8Array): string {
  const hex = encodeHex(random)
  const variant = '89ab'.charAt(((random[8] ?? 0) >> 4) & 3)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
