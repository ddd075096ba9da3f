import { encodeBase64url } from '../crypto/base64url.ts'
import { createBoundedCache, type BoundedCache } from '../crypto/bounded-cache.ts'
import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { encryptions, type Encryption } from './compact.ts'
import type { Engine, Opener, Sealer } from './engine.ts'

/** What opens tokens of one secret, salt and encryption. */
export interface OpeningKey {
  /** RFC 7638 thumbprint of the key, which tokens name in their header. */
  readonly kid: string
  readonly open: Opener
}

/** The keys of one secret, derived when they are first needed. */
export interface SecretKeys {
  readonly getSealer: (salt: string) => MaybePromise<Sealer>
  readonly getOpener: (salt: string, encryption: Encryption) => MaybePromise<OpeningKey>
}

/** A process has few secrets; many only when each tenant has its own. */
const secretsKept = 100
/** Salts are names of cookies, in a plain and a secure form. */
const saltsKept = 50

const encoder = new TextEncoder()
const keysOfEngines = new WeakMap<Engine, BoundedCache<string, SecretKeys>>()

/** The keys of a secret, shared by all keyrings: deriving one costs as much as many tokens. */
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

/** The key of Auth.js: HKDF-SHA-256 with the salt both as salt and in the info. Another salt, another key. */
function deriveKey(
  engine: Engine,
  secret: string,
  salt: string,
  encryption: Encryption,
): MaybePromise<DerivedKey> {
  const { key, thumbprint } = encryptions[encryption]
  const info = encoder.encode(`Auth.js Generated Encryption Key (${salt})`)
  return whenReady(engine.deriveBits(encoder.encode(secret), encoder.encode(salt), info, key), (bytes) => {
    // The JWK's members in this order, without white space (RFC 7638 3.2).
    const jwk = JSON.stringify({ k: encodeBase64url(bytes), kty: 'oct' })
    return whenReady(engine.digest(thumbprint, encoder.encode(jwk)), (hash) => ({
      bytes,
      kid: encodeBase64url(hash),
    }))
  })
}
