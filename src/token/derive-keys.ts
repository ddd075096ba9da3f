import { encodeBase64url } from '../crypto/base64url.ts'
import { createBoundedCache } from '../crypto/bounded-cache.ts'
import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { encryptions, type Encryption } from './compact.ts'
import type { Engine, Opener, Sealer } from './engine.ts'

/** What opens tokens of one secret, salt and encryption. */
export interface OpeningKey {
  /** RFC 7638 thumbprint of the key, which tokens name in their header. */
  readonly kid: string
  readonly open: Opener
}

/** The keys of an engine, derived when they are first needed. */
export interface Keys {
  readonly getSealer: (secret: string, salt: string) => MaybePromise<Sealer>
  readonly getOpener: (secret: string, salt: string, encryption: Encryption) => MaybePromise<OpeningKey>
}

/** Salts are the names of a few cookies, in a plain and a secure form, times the secrets in use. */
const keysKept = 500

const encoder = new TextEncoder()
const keysOfEngines = new WeakMap<Engine, Keys>()

/** The keys of an engine, cached over all configurations: deriving one costs as much as ten tokens. */
export function keysOf(engine: Engine): Keys {
  const known = keysOfEngines.get(engine)
  if (known) return known
  const keys = createKeys(engine)
  keysOfEngines.set(engine, keys)
  return keys
}

function createKeys(engine: Engine): Keys {
  const sealers = createBoundedCache<string, Sealer>(keysKept)
  const openers = createBoundedCache<string, OpeningKey>(keysKept)
  return {
    getSealer: (secret, salt) =>
      sealers.get(nameKey(secret, salt)) ??
      whenReady(deriveKey(engine, secret, salt, 'A256CBC-HS512'), ({ bytes, kid }) => {
        const sealer = engine.createSealer(bytes, { alg: 'dir', enc: 'A256CBC-HS512', kid })
        sealers.set(nameKey(secret, salt), sealer)
        return sealer
      }),
    getOpener: (secret, salt, encryption) =>
      openers.get(nameKey(secret, salt, encryption)) ??
      whenReady(deriveKey(engine, secret, salt, encryption), ({ bytes, kid }) => {
        const opener = { kid, open: engine.createOpener(bytes, encryption) }
        openers.set(nameKey(secret, salt, encryption), opener)
        return opener
      }),
  }
}

/** One name for each triple: the length tells where the salt ends. */
function nameKey(secret: string, salt: string, encryption = ''): string {
  return `${encryption}:${salt.length}:${salt}${secret}`
}

interface DerivedKey {
  readonly bytes: Uint8Array
  readonly kid: string
}

/** The key of Auth.js: HKDF-SHA-256 with the salt both as salt and in the info; another salt, another key. */
function deriveKey(
  engine: Engine,
  secret: string,
  salt: string,
  encryption: Encryption,
): MaybePromise<DerivedKey> {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const { key, thumbprint } = encryptions[encryption]
  const bits = engine.deriveBits(encoder.encode(secret), encoder.encode(salt), encoder.encode(info), key)
  return whenReady(bits, (bytes) => {
    // The JWK's members in this order, without white space (RFC 7638 3.2).
    const jwk = JSON.stringify({ k: encodeBase64url(bytes), kty: 'oct' })
    return whenReady(engine.digest(thumbprint, encoder.encode(jwk)), (hash) => ({
      bytes,
      kid: encodeBase64url(hash),
    }))
  })
}
