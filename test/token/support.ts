import fc from 'fast-check'
import { findNodeBuffer, findNodeCrypto } from '../../src/crypto/node-crypto.ts'
import { createKeyring, type Keyring } from '../../src/token/keyring.ts'
import type { Engine } from '../../src/token/engine.ts'
import { joseEngine } from '../../src/token/choose-engine.ts'
import { createNodeEngine } from '../../src/token/node-engine.ts'

const node = findNodeCrypto()
const buffer = findNodeBuffer()
if (!node || !buffer) throw new Error('these tests need node:crypto')

export const nodeEngine: Engine = createNodeEngine(node, buffer)
export { joseEngine }

/** Every engine, by name. Token tests run with each. */
export const engines = [
  ['node', nodeEngine],
  ['jose', joseEngine],
] as const

export const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))

export function keyring(secrets: readonly string[], engine: Engine = nodeEngine): Keyring {
  return createKeyring(secrets, { randomBytes }, engine)
}

/** The engine, with a count of its operations on keys. */
export function watch(engine: Engine): { readonly engine: Engine; readonly calls: () => number } {
  let calls = 0
  const counted =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      calls++
      return work(...args)
    }
  return {
    calls: () => calls,
    engine: {
      deriveBits: counted(engine.deriveBits),
      digest: counted(engine.digest),
      createSealer: counted(engine.createSealer),
      createOpener: counted(engine.createOpener),
    },
  }
}

export const salt = 'authjs.session-token'
export const now = 1_800_000_000_000

/** The key and kid of a secret and a salt, as a keyring derives them. */
export async function derive(secret: string, purpose = salt): Promise<{ key: Uint8Array; kid: string }> {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const info = bytes(`Auth.js Generated Encryption Key (${purpose})`)
  const key = await nodeEngine.deriveBits(bytes(secret), bytes(purpose), info, 64)
  const jwk = JSON.stringify({ k: Buffer.from(key).toString('base64url'), kty: 'oct' })
  return { key, kid: Buffer.from(await nodeEngine.digest('SHA-512', bytes(jwk))).toString('base64url') }
}

interface Forgery {
  secret?: string
  purpose?: string
  header?: Record<string, unknown>
}

/** A token under the right key, with any header and plaintext. */
export async function forge(
  plaintext: string,
  { secret = 'secret', purpose = salt, header = {} }: Forgery = {},
): Promise<string> {
  const { key, kid } = await derive(secret, purpose)
  const says = { alg: 'dir', enc: 'A256CBC-HS512', kid, ...header } as const
  return nodeEngine.createSealer(key, says)(plaintext, randomBytes(16))
}

/** Any JSON object: unicode, deep, with members that a careless copy would lose or use as a prototype. */
export const jsonObjects: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(
    fc.dictionary(
      fc.oneof(
        { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
        fc.constantFrom('__proto__', 'constructor', 'toString', 'iat', 'exp', 'jti', 'sub', ''),
      ),
      fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }),
      { maxKeys: 6 },
    ),
    fc.option(fc.jsonValue({ maxDepth: 2 })),
  )
  .map(([members, proto]) => {
    const text = JSON.stringify(members)
    if (proto === null) return JSON.parse(text) as Record<string, unknown>
    const own = `{"__proto__":${JSON.stringify(proto)}${text === '{}' ? '}' : `,${text.slice(1)}`}`
    return JSON.parse(own) as Record<string, unknown>
  })
