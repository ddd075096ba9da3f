import { type BoundedCache, createBoundedCache } from './bounded-cache.ts'
import { encodeBase64url } from '../crypto/bytes.ts'
import { MissingSecret } from '../errors/classes.ts'
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import { type Encryption, encryptions } from './compact.ts'
import type { Engine, Opener, Sealer } from './engine.ts'

/**
 * Returns the secrets as a list.
 *
 * @throws MissingSecret if there is none, or if one is empty or blank, because anyone could derive its key
 */
export function requireSecrets(
  secret: string | readonly string[] | undefined,
): readonly [string, ...string[]] {
  const [first, ...others] = typeof secret === 'string' ? [secret] : (secret ?? [])
  if (first === undefined) {
    throw new MissingSecret(
      'A secret is missing. Pass `secret`, or set the environment variable AUTH_SECRET.',
    )
  }
  if ([first, ...others].some(isBlank)) throw new MissingSecret('A secret is empty or blank.')
  return [first, ...others]
}

function isBlank(secret: unknown): boolean {
  return typeof secret !== 'string' || secret.trim() === ''
}

/** A key that decrypts tokens, for one secret, salt and encryption. */
export interface OpeningKey {
  /** The RFC 7638 thumbprint of the key, which is in the header of tokens. */
  readonly kid: string
  readonly open: Opener
}

/** The keys of one secret, derived on first use. */
export interface SecretKeys {
  readonly getSealer: (salt: string) => MaybePromise<Sealer>
  readonly getOpener: (salt: string, encryption: Encryption) => MaybePromise<OpeningKey>
}

/** A process has few secrets, unless each tenant has its own. */
const secretsKept = 100
/** Salts are cookie names, with and without the secure prefix. */
const saltsKept = 50

const encoder = new TextEncoder()
const keysOfEngines = new WeakMap<Engine, BoundedCache<string, SecretKeys>>()

/** Caches the keys of a secret for all keyrings, because deriving a key takes as long as opening many tokens. */
export function keysOf(engine: Engine, secret: string): SecretKeys {
  const secrets = keysOfEngines.get(engine) ?? createBoundedCache<string, SecretKeys>(secretsKept)
  keysOfEngines.set(engine, secrets)
  const keys = secrets.get(secret) ?? createKeys(engine, secret)
  secrets.set(secret, keys)
  return keys
}

function createKeys(engine: Engine, secret: string): SecretKeys {
  const sealers = createBoundedCache<string, Sealer>(saltsKept)
  const openers = {
    'A256CBC-HS512': createBoundedCache<string, OpeningKey>(saltsKept),
    A256GCM: createBoundedCache<string, OpeningKey>(saltsKept),
  }
  return {
    getSealer: (salt) =>
      sealers.get(salt) ??
      whenReady(deriveKey(engine, secret, salt, 'A256CBC-HS512'), ({ bytes, kid }) => {
        const sealer = engine.createSealer(bytes, { alg: 'dir', enc: 'A256CBC-HS512', kid })
        sealers.set(salt, sealer)
        return sealer
      }),
    getOpener: (salt, encryption) =>
      openers[encryption].get(salt) ??
      whenReady(deriveKey(engine, secret, salt, encryption), ({ bytes, kid }) => {
        const opener = { kid, open: engine.createOpener(bytes, encryption) }
        openers[encryption].set(salt, opener)
        return opener
      }),
  }
}

interface DerivedKey {
  readonly bytes: Uint8Array
  readonly kid: string
}

/**
 * Derives the same key as Auth.js: HKDF-SHA-256 with the salt both as salt and in the info. Each salt results in a
 * different key.
 */
function deriveKey(
  engine: Engine,
  secret: string,
  salt: string,
  encryption: Encryption,
): MaybePromise<DerivedKey> {
  const { key, thumbprint } = encryptions[encryption]
  const info = encoder.encode(`Auth.js Generated Encryption Key (${salt})`)
  return whenReady(engine.deriveBits(encoder.encode(secret), encoder.encode(salt), info, key), (bytes) => {
    // The members of the JWK must be in this order, without white space (RFC 7638 3.2).
    const jwk = JSON.stringify({ k: encodeBase64url(bytes), kty: 'oct' })
    return whenReady(engine.digest(thumbprint, encoder.encode(jwk)), (hash) => ({
      bytes,
      kid: encodeBase64url(hash),
    }))
  })
}
