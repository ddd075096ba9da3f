import { encodeBase64url, joinBytes } from '../crypto/bytes.ts'
import { equalsInConstantTime } from '../crypto/hash.ts'
import type { NodeBuffer, NodeCrypto, NodeKey } from '../crypto/node-crypto.ts'
import type { Engine, Opener, SealedHeader, Sealer } from './engine.ts'

const encoder = new TextEncoder()

/** The engine on `node:crypto`. It is synchronous and creates one key object for each key. */
export function createNodeEngine(node: NodeCrypto, buffer: NodeBuffer): Engine {
  return {
    deriveBits: (secret, salt, info, length) =>
      new Uint8Array(node.hkdfSync('sha256', secret, salt, info, length)),
    digest: (hash, data) =>
      node
        .createHash(hash === 'SHA-256' ? 'sha256' : 'sha512')
        .update(data)
        .digest(),
    createSealer: (key, header) => createCbcSealer(node, buffer, key, header),
    createOpener: (key, encryption) =>
      encryption === 'A256CBC-HS512'
        ? createCbcOpener(node, buffer, key)
        : createGcmOpener(node, buffer, key),
  }
}

/**
 * Encrypts with AES-256-CBC, then authenticates with HMAC-SHA-512. Each uses one half of the key (RFC 7518 5.2.2.1 and
 * 5.2.5).
 */
function createCbcSealer(
  node: NodeCrypto,
  buffer: NodeBuffer,
  key: Uint8Array,
  header: SealedHeader,
): Sealer {
  const { macKey, encryptionKey } = splitKey(node, key)
  const headerText = encodeBase64url(encoder.encode(JSON.stringify(header)))
  const protectedHeader = encoder.encode(headerText)
  return (plaintext, iv) => {
    const cipher = node.createCipheriv('aes-256-cbc', encryptionKey, iv)
    const ciphertext = buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
    const tag = authenticate(node, macKey, protectedHeader, iv, ciphertext)
    return `${headerText}..${encodeBase64url(iv)}.${ciphertext.toString('base64url')}.${tag}`
  }
}

/** Verifies the tag before it decrypts anything (RFC 7518 5.2.2.2). */
function createCbcOpener(node: NodeCrypto, buffer: NodeBuffer, key: Uint8Array): Opener {
  const { macKey, encryptionKey } = splitKey(node, key)
  return ({ protectedHeader, iv, ciphertext, tag }) => {
    const [vector, bytes] = [buffer.from(iv, 'base64url'), buffer.from(ciphertext, 'base64url')]
    if (!equalsInConstantTime(tag, authenticate(node, macKey, protectedHeader, vector, bytes)))
      return undefined
    return tryDecryption(() => {
      const decipher = node.createDecipheriv('aes-256-cbc', encryptionKey, vector)
      return joinPlaintext(decipher.update(bytes), decipher.final())
    })
  }
}

function createGcmOpener(node: NodeCrypto, buffer: NodeBuffer, key: Uint8Array): Opener {
  const encryptionKey = node.createSecretKey(key)
  return ({ protectedHeader, iv, ciphertext, tag }) =>
    tryDecryption(() => {
      const vector = buffer.from(iv, 'base64url')
      const decipher = node.createDecipheriv('aes-256-gcm', encryptionKey, vector, { authTagLength: 16 })
      decipher.setAAD(protectedHeader)
      decipher.setAuthTag(buffer.from(tag, 'base64url'))
      return joinPlaintext(decipher.update(buffer.from(ciphertext, 'base64url')), decipher.final())
    })
}

/** Joins the claims in separate memory. `Buffer.concat` would leave them in a pool that the whole process shares. */
function joinPlaintext(head: Uint8Array, tail: Uint8Array): Uint8Array {
  return joinBytes([head, tail], head.length + tail.length)
}

function splitKey(node: NodeCrypto, key: Uint8Array): { macKey: NodeKey; encryptionKey: NodeKey } {
  return {
    macKey: node.createSecretKey(key.subarray(0, 32)),
    encryptionKey: node.createSecretKey(key.subarray(32)),
  }
}

/**
 * Returns the tag in base64url: the first half of the HMAC over header, vector, ciphertext and the length of the header
 * in bits.
 */
function authenticate(
  node: NodeCrypto,
  macKey: NodeKey,
  protectedHeader: Uint8Array,
  iv: Uint8Array,
  ciphertext: Uint8Array,
): string {
  const headerBits = new Uint8Array(8)
  new DataView(headerBits.buffer).setUint32(4, protectedHeader.length * 8)
  const mac = node.createHmac('sha512', macKey).update(protectedHeader)
  const bytes = mac.update(iv).update(ciphertext).update(headerBits).digest()
  return bytes.toString('base64url', 0, bytes.length / 2)
}

function tryDecryption(decrypt: () => Uint8Array): Uint8Array | undefined {
  try {
    return decrypt()
  } catch {
    return undefined
  }
}
