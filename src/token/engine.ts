import type { MaybePromise } from '../crypto/maybe-promise.ts'
import type { CompactJwe, Encryption } from './compact.ts'

/** Header of the tokens we make; the order of its members is part of the format. */
export interface SealedHeader {
  readonly alg: 'dir'
  readonly enc: 'A256CBC-HS512'
  readonly kid: string
}

/** Makes a compact JWE of a text; the initialisation vector has 16 bytes. */
export type Sealer = (plaintext: string, iv: Uint8Array) => MaybePromise<string>

/** The plaintext, or undefined when the key is another or the token was changed; why is nobody's business. */
export type Opener = (jwe: CompactJwe) => MaybePromise<Uint8Array | undefined>

/** The cryptography that a keyring needs; everything else is the same for all engines. */
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
