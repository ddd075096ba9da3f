import { parseJsonObject } from './json-object.ts'
import type { Claims, Opened, OpenOptions, SealOptions } from './keyring.ts'

/**
 * The claims as JSON, with `iat`, `exp` and `jti` in place of the caller's. The spread defines members and does not
 * assign them, so that `__proto__` stays data.
 *
 * @throws RangeError when maxAge is not finite
 */
export function stampClaims(claims: Claims, { maxAge, now }: Omit<SealOptions, 'salt'>, jti: string): string {
  if (!Number.isFinite(maxAge)) throw new RangeError('maxAge must be a finite number of seconds')
  const iat = Math.floor(now / 1000)
  return JSON.stringify({ ...claims, iat, exp: iat + maxAge, jti })
}

/**
 * Judges decrypted claims: a JSON object with a finite `exp`, in force now (RFC 7519 4.1.4 and 4.1.5). When it was
 * issued is not judged: servers whose clocks differ by milliseconds share sessions.
 */
export function judgeClaims(
  plaintext: Uint8Array,
  { now, tolerance = 0 }: Omit<OpenOptions, 'salt'>,
): Opened {
  const claims = parseJsonObject(plaintext)
  if (!claims) return { refused: 'malformed' }
  const { exp, nbf = -Infinity, iat = 0 } = claims
  if (!isNumericDate(exp) || typeof nbf !== 'number' || typeof iat !== 'number')
    return { refused: 'malformed' }
  if (now >= (exp + tolerance) * 1000) return { refused: 'expired' }
  if (now < (nbf - tolerance) * 1000) return { refused: 'not-yet-valid' }
  return { claims }
}

/** Seconds since 1970. JSON can spell numbers that are too large to be finite: `1e999`. */
function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
