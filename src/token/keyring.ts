import type { MaybePromise } from '../crypto/maybe-promise.ts'

export type Claims = Record<string, unknown>

export interface SealOptions {
  /** Purpose; tokens of another salt do not open. */
  readonly salt: string
  /** Seconds. */
  readonly maxAge: number
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface OpenOptions {
  readonly salt: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Seconds by which exp, nbf and iat may be missed. @default 0 */
  readonly tolerance?: number
}

/** Why a token did not open. */
export type Refusal = 'malformed' | 'unknown-key' | 'forged' | 'expired' | 'not-yet-valid' | 'other-audience'
export type Opened = { readonly claims: Claims } | { readonly refused: Refusal }

/** Seals with the first of the secrets, opens with any. Answers synchronously where node:crypto is there. */
export interface Keyring {
  /** A compact JWE of the claims with `iat`, `exp` and `jti`. */
  readonly seal: (claims: Claims, options: SealOptions) => MaybePromise<string>
  /** Never throws for anything that is in the token. */
  readonly open: (token: string, options: OpenOptions) => MaybePromise<Opened>
}
