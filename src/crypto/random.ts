import type { Platform } from '../types/config.ts'
import { encodeBase64url } from './base64url.ts'
import { encodeHex } from './hex.ts'

type RandomBytes = Platform['randomBytes']

const poolSize = 4096

/** Bytes of the runtime's secure generator. */
export const randomBytes: (length: number) => Uint8Array<ArrayBuffer> = createPool()

/**
 * Draws from a pool that is filled at once: to ask the system costs more than to encrypt a token. What is drawn is wiped
 * from the pool: nothing is given out twice, and nothing can be read later. A generator that was replaced begins anew.
 */
function createPool() {
  const pool = new Uint8Array(poolSize)
  let left = 0
  let filledBy: unknown
  return (length: number) => {
    if (length > poolSize) return crypto.getRandomValues(new Uint8Array(length))
    if (length > left || filledBy !== crypto.getRandomValues) {
      left = 0
      crypto.getRandomValues(pool)
      filledBy = crypto.getRandomValues
      left = poolSize
    }
    const drawn = pool.slice(left - length, left)
    pool.fill(0, left - length, left)
    left -= length
    return drawn
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
