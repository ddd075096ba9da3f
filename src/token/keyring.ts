import { formatUuid, randomBytes, randomTokenId, randomVector } from '../crypto/random.ts'
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import type { Platform } from '../types/config.ts'
import { runtimeEngine } from './choose-engine.ts'
import { longestToken } from './compact.ts'
import { type Claims, decryptToken, type Opened, type OpenOptions } from './decrypt-token.ts'
import { keysOf, requireSecrets } from './derive-keys.ts'
import type { Engine } from './engine.ts'

interface SealOptions {
  /** The purpose. Tokens with another salt cannot be decrypted. */
  readonly salt: string
  /** Seconds. */
  readonly maxAge: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Encrypts with the first secret and decrypts with any. Synchronous if `node:crypto` is available. */
export interface Keyring {
  /** Encrypts the claims with `iat`, `exp` and `jti` as a compact JWE. */
  readonly seal: (claims: Claims, options: SealOptions) => MaybePromise<string>
  /** Decrypts and validates a token. Never throws because of its content. */
  readonly open: (token: string, options: OpenOptions) => MaybePromise<Opened>
}

/**
 * Serialises the claims as JSON, and replaces `iat`, `exp` and `jti`. The spread defines members instead of assigning
 * them, so `__proto__` stays data.
 *
 * @throws RangeError if maxAge is not finite
 */
function stampClaims(claims: Claims, { maxAge, now }: Omit<SealOptions, 'salt'>, jti: string): string {
  if (!Number.isFinite(maxAge)) throw new RangeError('maxAge must be a finite number of seconds')
  const iat = Math.floor(now / 1000)
  return JSON.stringify({ ...claims, iat, exp: iat + maxAge, jti })
}

/**
 * Creates a keyring. `acceptLegacy` says whether, or until when, it decrypts tokens of older versions. `seal` throws a
 * RangeError for claims that result in a token of more than 64 KiB and for a maxAge that is not finite, and a TypeError
 * for claims that are not JSON.
 *
 * @throws MissingSecret if there is no secret, or one is blank
 * @throws TypeError if `acceptLegacy` is not a valid date
 */
export function createKeyring(
  secrets: readonly string[],
  platform: Pick<Platform, 'randomBytes'>,
  engine: Engine = runtimeEngine(),
  acceptLegacy: boolean | Date = true,
): Keyring {
  const [first, ...others] = requireSecrets(secrets)
  const sealing = keysOf(engine, first)
  const legacyUntil = endOfLegacy(acceptLegacy)
  const opening = [sealing, ...others.map((secret) => keysOf(engine, secret))]
  return {
    seal(claims, options) {
      const { vector, id } = draw(platform)
      const plaintext = stampClaims(claims, options, id)
      const sealed = whenReady(sealing.getSealer(options.salt), (seal) => seal(plaintext, vector))
      return whenReady(sealed, limitLength)
    },
    open: (token, options) => decryptToken(token, opening, { ...options, legacyUntil }),
  }
}

/** Returns the end in milliseconds since 1970. `getToken` and `decode` pass the value of their caller unchecked. */
function endOfLegacy(accept: boolean | Date): number {
  if (typeof accept === 'boolean') return accept ? Infinity : -Infinity
  if (accept instanceof Date && Number.isFinite(accept.getTime())) return accept.getTime()
  throw new TypeError('`acceptLegacyTokens` must be true, false or a valid Date')
}

/**
 * Draws the random parts of a token. Neither part is secret, so both may come from a pool (DEC-48). A platform with its
 * own randomness provides both in one call.
 */
function draw(platform: Pick<Platform, 'randomBytes'>): { vector: Uint8Array; id: string } {
  if (platform.randomBytes === randomBytes) return { vector: randomVector(), id: randomTokenId() }
  const bytes = platform.randomBytes(32)
  return { vector: bytes.subarray(0, 16), id: formatUuid(bytes.subarray(16)) }
}

function limitLength(token: string): string {
  if (token.length <= longestToken) return token
  throw new RangeError(
    `The token would have ${token.length} characters; the longest that is read has ${longestToken}.`,
  )
}
