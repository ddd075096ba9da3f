import { decodeBase64url, encodeBase64url } from '../crypto/base64url.ts'
import { equalsInConstantTime } from '../crypto/constant-time.ts'
import type { NodeBytes, NodeCrypto, NodeKey } from '../crypto/node-crypto.ts'
import type { CompactJwe } from './compact.ts'
import type { Engine, Opener, SealedHeader, Sealer } from './engine.ts'

const encoder = new TextEncoder()

/** The engine on `node:crypto`: synchronous, with key objects made once per key. */
export function createNodeEngine(node: NodeCrypto): Engine {
  return {
    deriveBits: (secret, salt, info, length) =>
      new Uint8Array(node.hkdfSync('sha256', secret, salt, info, length)),
    digest: (hash, data) =>
      node
        .createHash(hash === 'SHA-256' ? 'sha256' : 'sha512')
        .update(data)
        .digest(),
    createSealer: (key, header) => createCbcSealer(node, key, header),
    createOpener: (key, encryption) =>
      encryption === 'A256CBC-HS512' ? createCbcOpener(node, key) : createGcmOpener(node, key),
  }
}

/** AES-256-CBC, then HMAC-SHA-512, with one half of the key each (RFC 7518 5.2.2.1 and 5.2.5). */
function createCbcSealer(node: NodeCrypto, key: Uint8Array, header: SealedHeader): Sealer {
  const { macKey, encryptionKey } = splitKey(node, key)
  const protectedHeader = encodeBase64url(encoder.encode(JSON.stringify(header)))
  return (plaintext, iv) => {
    const cipher = node.createCipheriv('aes-256-cbc', encryptionKey, iv)
    const ciphertext = cipher.update(plaintext, 'utf8', 'base64url') + cipher.final('base64url')
    const tag = authenticate(node, macKey, { protectedHeader, iv, ciphertext })
    return `${protectedHeader}..${encodeBase64url(iv)}.${ciphertext}.${tag}`
  }
}

/** The tag is judged before anything is decrypted (RFC 7518 5.2.2.2). */
function createCbcOpener(node: NodeCrypto, key: Uint8Array): Opener {
  const { macKey, encryptionKey } = splitKey(node, key)
  return (jwe) => {
    if (!equalsInConstantTime(jwe.tag, authenticate(node, macKey, jwe))) return undefined
    return tryDecryption(() => {
      const decipher = node.createDecipheriv('aes-256-cbc', encryptionKey, jwe.iv)
      return concatenate(decipher.update(jwe.ciphertext, 'base64url'), decipher.final())
    })
  }
}

function createGcmOpener(node: NodeCrypto, key: Uint8Array): Opener {
  const encryptionKey = node.createSecretKey(key)
  return (jwe) =>
    tryDecryption(() => {
      const decipher = node.createDecipheriv('aes-256-gcm', encryptionKey, jwe.iv, { authTagLength: 16 })
      decipher.setAAD(encoder.encode(jwe.protectedHeader))
      decipher.setAuthTag(decodeBase64url(jwe.tag) ?? new Uint8Array())
      return concatenate(decipher.update(jwe.ciphertext, 'base64url'), decipher.final())
    })
}

function splitKey(node: NodeCrypto, key: Uint8Array): { macKey: NodeKey; encryptionKey: NodeKey } {
  return {
    macKey: node.createSecretKey(key.subarray(0, 32)),
    encryptionKey: node.createSecretKey(key.subarray(32)),
  }
}

type Authenticated = Pick<CompactJwe, 'protectedHeader' | 'iv' | 'ciphertext'>

/** The tag in base64url: the first half of the HMAC over header, vector, ciphertext and the header's length in bits. */
function authenticate(
  node: NodeCrypto,
  macKey: NodeKey,
  { protectedHeader, iv, ciphertext }: Authenticated,
): string {
  const headerBits = new Uint8Array(8)
  new DataView(headerBits.buffer).setUint32(4, protectedHeader.length * 8)
  const mac = node.createHmac('sha512', macKey).update(protectedHeader, 'utf8')
  return firstHalf(mac.update(iv).update(ciphertext, 'base64url').update(headerBits).digest())
}

function firstHalf(mac: NodeBytes): string {
  return encodeBase64url(mac.subarray(0, mac.length / 2))
}

function concatenate(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}

function tryDecryption(decrypt: () => Uint8Array): Uint8Array | undefined {
  try {
    return decrypt()
  } catch {
    return undefined
  }
}
