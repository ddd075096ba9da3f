import type { MaybePromise } from '../async/maybe-promise.ts'
import type { CompactJwe, Encryption } from './compact.ts'

/** The header of our tokens. The order of its members is part of the format. */
export interface SealedHeader {
  readonly alg: 'dir'
  readonly enc: 'A256CBC-HS512'
  readonly kid: string
}

/** Encrypts text as a compact JWE. The initialization vector has 16 bytes. */
export type Sealer = (plaintext: string, iv: Uint8Array) => MaybePromise<string>

/** Returns the plaintext, or undefined if the key differs or the token was changed. Does not say which. */
export type Opener = (jwe: CompactJwe) => MaybePromise<Uint8Array | undefined>

/** The cryptography that differs between runtimes. */
export interface Engine {
  /** HKDF with SHA-256 (RFC 5869). */
  readonly deriveBits: (
    secret: Uint8Array,
    salt: Uint8Array,
    info: Uint8Array,
    length: number,
  ) => MaybePromise<Uint8Array>
  readonly digest: (hash: 'SHA-256' | 'SHA-512', data: Uint8Array) => MaybePromise<Uint8Array>
  readonly createSealer: (key: Uint8Array, header: SealedHeader) => Sealer
  readonly createOpener: (key: Uint8Array, encryption: Encryption) => Opener
}
