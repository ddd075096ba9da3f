import { once } from '../async/once.ts'

/** The members of Node's Buffer that the library uses. */
export interface NodeBytes extends Uint8Array {
  toString(encoding?: 'base64url' | 'hex', start?: number, end?: number): string
}

/** A key outside the JavaScript heap. */
export interface NodeKey {
  readonly type: string
}

interface NodeDigest {
  update(data: Uint8Array): NodeDigest
  digest(): NodeBytes
}

interface NodeCipher {
  update(data: string, from: 'utf8'): NodeBytes
  final(): NodeBytes
}

interface NodeDecipher {
  setAAD(data: Uint8Array): void
  setAuthTag(tag: Uint8Array): void
  update(data: Uint8Array): NodeBytes
  final(): NodeBytes
}

/** The members of `node:crypto` that the library uses, declared here so that it compiles without Node's types. */
export interface NodeCrypto {
  createSecretKey(bytes: Uint8Array): NodeKey
  /** Much faster, because it is one call. Exists since Node 20.12, and not in every runtime with the other members. */
  hash?(algorithm: 'sha256', text: string, encoding: 'hex' | 'base64url'): string
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

/** The members of Node's Buffer class that the library uses. */
export interface NodeBuffer {
  from(text: string, encoding: 'base64url'): NodeBytes
  /** Shares the memory. */
  from(bytes: ArrayBufferLike, offset: number, length: number): NodeBytes
  concat(list: readonly Uint8Array[]): NodeBytes
}

/** The Node modules that the library uses. */
interface BuiltIns {
  readonly 'node:crypto': NodeCrypto
  readonly 'node:buffer': { readonly Buffer: NodeBuffer }
  readonly 'node:http': { readonly maxHeaderSize: number }
}

interface NodeProcess {
  getBuiltinModule?<Name extends keyof BuiltIns>(name: Name): BuiltIns[Name] | undefined
}

/**
 * Returns `node:crypto` if the runtime has it (Node 20.16 and newer, Deno, Bun). Looks it up instead of importing it,
 * so that bundles for other runtimes do not refer to it.
 */
export const findNodeCrypto: () => NodeCrypto | undefined = once(() => findBuiltIn('node:crypto'))

/** Returns Node's Buffer in the same way. It decodes, encodes and joins bytes faster than a loop. */
export const findNodeBuffer: () => NodeBuffer | undefined = once(() => findBuiltIn('node:buffer')?.Buffer)

/** Returns how many bytes of headers the HTTP server of Node accepts in a request, or undefined on other runtimes. */
export const findHeaderLimit: () => number | undefined = once(() => findBuiltIn('node:http')?.maxHeaderSize)

/** Returns a Node module. In the edge runtime of Next.js, `process.getBuiltinModule` exists and throws. */
function findBuiltIn<Name extends keyof BuiltIns>(name: Name): BuiltIns[Name] | undefined {
  try {
    const process: NodeProcess | undefined = Reflect.get(globalThis, 'process')
    return process?.getBuiltinModule?.(name)
  } catch {
    return undefined
  }
}
