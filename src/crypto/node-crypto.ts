import { once } from './once.ts'

/** The part of Node's Buffer that is used: bytes that can spell themselves. */
export interface NodeBytes extends Uint8Array {
  toString(encoding?: 'base64url' | 'hex'): string
}

/** A key that stays outside of the heap. */
export interface NodeKey {
  readonly type: string
}

interface NodeDigest {
  update(data: Uint8Array): NodeDigest
  update(data: string, encoding: 'utf8' | 'base64url'): NodeDigest
  digest(): NodeBytes
}

interface NodeCipher {
  update(data: string, from: 'utf8', to: 'base64url'): string
  final(to: 'base64url'): string
}

interface NodeDecipher {
  setAAD(data: Uint8Array): void
  setAuthTag(tag: Uint8Array): void
  update(data: string, from: 'base64url'): NodeBytes
  final(): NodeBytes
}

/** The part of `node:crypto` that is used, typed here so that the library compiles without Node's types. */
export interface NodeCrypto {
  createSecretKey(bytes: Uint8Array): NodeKey
  createHash(algorithm: 'sha256' | 'sha512'): NodeDigest
  createHmac(algorithm: 'sha512', key: NodeKey): NodeDigest
  createCipheriv(algorithm: 'aes-256-cbc', key: NodeKey, iv: Uint8Array): NodeCipher
  createDecipheriv(algorithm: 'aes-256-cbc', key: NodeKey, iv: Uint8Array): NodeDecipher
  createDecipheriv(
    algorithm: 'aes-256-gcm',
    key: NodeKey,
    iv: Uint8Array,
    options: { authTagLength: number },
  ): NodeDecipher
  hkdfSync(
    hash: 'sha256',
    secret: Uint8Array,
    salt: Uint8Array,
    info: Uint8Array,
    length: number,
  ): ArrayBuffer
}

interface NodeProcess {
  getBuiltinModule?(name: 'node:crypto'): NodeCrypto | undefined
}

/**
 * `node:crypto`, where the runtime has it (Node 20.16 and newer, Deno, Bun). It is looked up and not imported, so that
 * bundles for other runtimes carry no trace of it.
 */
export const findNodeCrypto: () => NodeCrypto | undefined = once(() => {
  const process: NodeProcess | undefined = Reflect.get(globalThis, 'process')
  return process?.getBuiltinModule?.('node:crypto')
})
