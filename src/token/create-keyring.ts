import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { formatUuid, randomBytes, randomVector } from '../crypto/random.ts'
import type { Platform } from '../types/config.ts'
import { runtimeEngine } from './choose-engine.ts'
import { judgeClaims, stampClaims } from './claims.ts'
import { longestToken, parseCompact, type CompactJwe } from './compact.ts'
import { keysOf, type SecretKeys } from './derive-keys.ts'
import type { Engine } from './engine.ts'
import type { Keyring, Refusal } from './keyring.ts'
import { requireSecrets } from './secrets.ts'

/**
 * The keyring of some secrets. `seal` throws a RangeError for claims that make a token of more than 64 KiB, and for a
 * maxAge that is not finite; a TypeError for claims that are not JSON.
 *
 * @throws MissingSecret when there is no secret, or one is blank
 */
export function createKeyring(
  secrets: readonly string[],
  platform: Pick<Platform, 'randomBytes'>,
  engine: Engine = runtimeEngine(),
): Keyring {
  const [first, ...others] = requireSecrets(secrets)
  const sealing = keysOf(engine, first)
  const draw = platform.randomBytes === randomBytes ? drawFromSystem : () => drawFrom(platform)
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
      return whenReady(decrypt(jwe, opening, options.salt), (plaintext) =>
        typeof plaintext === 'string' ? { refused: plaintext } : judgeClaims(plaintext, options),
      )
    },
  }
}

/** The vector may come from a pool; the id is drawn now (decision 48). */
function drawFromSystem() {
  return { vector: randomVector(), id: randomBytes(16) }
}

/** A platform with randomness of its own is asked for all of it at once. */
function drawFrom(platform: Pick<Platform, 'randomBytes'>) {
  const bytes = platform.randomBytes(32)
  return { vector: bytes.subarray(0, 16), id: bytes.subarray(16) }
}

/** Opens with the key that the header names; a token that names none is tried with each (decision 25). */
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
