import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { randomUuid } from '../crypto/random.ts'
import type { Platform } from '../types/config.ts'
import { runtimeEngine } from './choose-engine.ts'
import { judgeClaims, stampClaims } from './claims.ts'
import { longestToken, parseCompact, type CompactJwe } from './compact.ts'
import { keysOf, type Keys } from './derive-keys.ts'
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
  const [first = '', ...others] = requireSecrets(secrets)
  const all = [first, ...others]
  const keys = keysOf(engine)
  return {
    seal(claims, options) {
      const plaintext = stampClaims(claims, options, randomUuid(platform.randomBytes))
      const iv = platform.randomBytes(16)
      return whenReady(keys.getSealer(first, options.salt), (seal) => whenReady(seal(plaintext, iv), limitLength))
    },
    open(token, { salt, ...moment }) {
      const jwe = parseCompact(token)
      if (!jwe) return { refused: 'malformed' }
      return whenReady(decrypt(keys, all, salt, jwe), (plaintext) =>
        typeof plaintext === 'string' ? { refused: plaintext } : judgeClaims(plaintext, moment),
      )
    },
  }
}

/** Opens with the key that the header names; a token that names none is tried with each (decision 25). */
function decrypt(
  keys: Keys,
  [secret, ...others]: readonly string[],
  salt: string,
  jwe: CompactJwe,
): MaybePromise<Uint8Array | Refusal> {
  if (secret === undefined) return jwe.kid === undefined ? 'forged' : 'unknown-key'
  return whenReady(keys.getOpener(secret, salt, jwe.encryption), (key) => {
    if (jwe.kid !== undefined && jwe.kid !== key.kid) return decrypt(keys, others, salt, jwe)
    return whenReady(key.open(jwe), (plaintext) => {
      if (plaintext) return plaintext
      return jwe.kid === undefined ? decrypt(keys, others, salt, jwe) : 'forged'
    })
  })
}

function limitLength(token: string): string {
  if (token.length <= longestToken) return token
  throw new RangeError(
    `The token would have ${token.length} characters; the longest that is read has ${longestToken}.`,
  )
}
