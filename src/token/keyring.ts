import { formatUuid, randomBytes, randomVector } from '../crypto/random.ts'
import { type MaybePromise, whenReady } from '../maybe-promise.ts'
import type { Platform } from '../types/config.ts'
import { runtimeEngine } from './choose-engine.ts'
import { type CompactJwe, longestToken, parseCompact, parseJsonObject } from './compact.ts'
import { keysOf, requireSecrets, type SecretKeys } from './derive-keys.ts'
import type { Engine } from './engine.ts'

export type Claims = Record<string, unknown>

interface SealOptions {
  /** The purpose. Tokens with another salt cannot be decrypted. */
  readonly salt: string
  /** Seconds. */
  readonly maxAge: number
  /** Milliseconds since 1970. */
  readonly now: number
}

interface OpenOptions {
  readonly salt: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Clock tolerance for exp and nbf in seconds. @default 0 */
  readonly tolerance?: number
}

/** Why a token was refused. */
export type Refusal =
  'malformed' | 'unknown-key' | 'forged' | 'expired' | 'not-yet-valid' | 'other-audience' | 'legacy'
/** The claims of a token, or why it was refused. `isLegacy` marks a token of an older version (A256GCM). */
export type Opened = { readonly claims: Claims; readonly isLegacy?: true } | { readonly refused: Refusal }

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
 * Validates decrypted claims: a JSON object with a finite `exp` that is in force now (RFC 7519 4.1.4 and 4.1.5).
 * Ignores `iat`, because servers that share sessions may have clocks that differ by milliseconds.
 */
function judgeClaims(plaintext: Uint8Array, { now, tolerance = 0 }: Omit<OpenOptions, 'salt'>): Opened {
  const claims = parseJsonObject(plaintext)
  if (!claims) return { refused: 'malformed' }
  const { exp, nbf = -Infinity, iat = 0 } = claims
  if (!isNumericDate(exp) || typeof nbf !== 'number' || typeof iat !== 'number')
    return { refused: 'malformed' }
  if (now >= (exp + tolerance) * 1000) return { refused: 'expired' }
  if (now < (nbf - tolerance) * 1000) return { refused: 'not-yet-valid' }
  return { claims }
}

/** Reads seconds since 1970. JSON can contain numbers that are too large to be finite: `1e999`. */
function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/**
 * Creates a keyring. `acceptLegacy` tells whether, or until when, it decrypts tokens of older versions. `seal` throws a
 * RangeError for claims that result in a token of more than 64 KiB and for a maxAge that is not finite, and a TypeError
 * for claims that are not JSON.
 *
 * @throws MissingSecret if there is no secret, or one is blank
 */
export function createKeyring(
  secrets: readonly string[],
  platform: Pick<Platform, 'randomBytes'>,
  engine: Engine = runtimeEngine(),
  acceptLegacy: boolean | Date = true,
): Keyring {
  const [first, ...others] = requireSecrets(secrets)
  const sealing = keysOf(engine, first)
  const draw = platform.randomBytes === randomBytes ? drawFromSystem : () => drawFrom(platform)
  const legacyUntil = endOfLegacy(acceptLegacy)
  const opening = [sealing, ...others.map((secret) => keysOf(engine, secret))]
  return {
    seal(claims, options) {
      const { vector, id } = draw()
      const plaintext = stampClaims(claims, options, formatUuid(id))
      const sealed = whenReady(sealing.getSealer(options.salt), (seal) => seal(plaintext, vector))
      return whenReady(sealed, limitLength)
    },
    open(token, options) {
      const jwe = parseCompact(token)
      if (!jwe) return { refused: 'malformed' }
      const isLegacy = jwe.encryption === 'A256GCM'
      if (isLegacy && options.now >= legacyUntil) return { refused: 'legacy' }
      return whenReady(decrypt(jwe, opening, options.salt), (plaintext) => {
        if (typeof plaintext === 'string') return { refused: plaintext }
        const opened = judgeClaims(plaintext, options)
        return isLegacy && 'claims' in opened ? { ...opened, isLegacy } : opened
      })
    },
  }
}

/** Milliseconds since 1970. */
function endOfLegacy(accept: boolean | Date): number {
  if (typeof accept === 'boolean') return accept ? Infinity : -Infinity
  return accept.getTime()
}

/** The initialization vector may come from a pool; the id is generated now (decision 48). */
function drawFromSystem() {
  return { vector: randomVector(), id: randomBytes(16) }
}

/** A platform with its own randomness provides all of it in one call. */
function drawFrom(platform: Pick<Platform, 'randomBytes'>) {
  const bytes = platform.randomBytes(32)
  return { vector: bytes.subarray(0, 16), id: bytes.subarray(16) }
}

/** Decrypts with the key that the header names. Tries every key for a token that names none (decision 25). */
function decrypt(
  jwe: CompactJwe,
  [keys, ...others]: readonly SecretKeys[],
  salt: string,
): MaybePromise<Uint8Array | Refusal> {
  if (keys === undefined) return jwe.kid === undefined ? 'forged' : 'unknown-key'
  return whenReady(keys.getOpener(salt, jwe.encryption), (key) => {
    if (jwe.kid !== undefined && jwe.kid !== key.kid) return decrypt(jwe, others, salt)
    return whenReady(key.open(jwe), (plaintext) => {
      if (plaintext) return plaintext
      return jwe.kid === undefined ? decrypt(jwe, others, salt) : 'forged'
    })
  })
}

function limitLength(token: string): string {
  if (token.length <= longestToken) return token
  throw new RangeError(
    `The token would have ${token.length} characters; the longest that is read has ${longestToken}.`,
  )
}
