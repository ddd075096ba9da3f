import { type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import { type CompactJwe, parseCompact, parseJsonObject } from './compact.ts'
import type { SecretKeys } from './derive-keys.ts'

export type Claims = Record<string, unknown>

export interface OpenOptions {
  readonly salt: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Clock tolerance for exp and nbf in seconds. @default 0 */
  readonly tolerance?: number
}

/** Why a token was refused. */
export type Refusal =
  'malformed' | 'unknown-key' | 'forged' | 'expired' | 'not-yet-valid' | 'other-audience' | 'legacy'
/**
 * The claims of a token, or why it was refused. `isLegacy` marks a token of an older version (A256GCM), and `thrown` is
 * an error of the application's decoder.
 */
export type Opened =
  | { readonly claims: Claims; readonly isLegacy?: true }
  | { readonly refused: Refusal; readonly thrown?: Error }

/**
 * Decrypts a token with one of the keys, and validates its claims. Never throws because of its content. Refuses a token
 * of an older version (A256GCM) from `legacyUntil` on, in milliseconds since 1970.
 */
export function decryptToken(
  token: string,
  keys: readonly SecretKeys[],
  options: OpenOptions & { readonly legacyUntil: number },
): MaybePromise<Opened> {
  const jwe = parseCompact(token)
  if (!jwe) return { refused: 'malformed' }
  const isLegacy = jwe.encryption === 'A256GCM'
  if (isLegacy && options.now >= options.legacyUntil) return { refused: 'legacy' }
  return whenReady(decrypt(jwe, keys, options.salt), (plaintext) => {
    if (typeof plaintext === 'string') return { refused: plaintext }
    const opened = checkClaims(plaintext, options)
    return isLegacy && 'claims' in opened ? { ...opened, isLegacy } : opened
  })
}

/**
 * Validates decrypted claims: a JSON object with a finite `exp` that is in force now (RFC 7519 4.1.4 and 4.1.5).
 * Ignores `iat`, because servers that share sessions may have clocks that differ by milliseconds.
 */
function checkClaims(plaintext: Uint8Array, { now, tolerance = 0 }: Omit<OpenOptions, 'salt'>): Opened {
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
