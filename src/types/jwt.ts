import type { Awaitable } from './records.ts'

export interface DefaultJWT extends Record<string, unknown> {
  name?: string | null
  email?: string | null
  picture?: string | null
  sub?: string
  iat?: number
  exp?: number
  jti?: string
}

/** The payload of a session token. Augment this interface for more claims. */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

export interface JWTEncodeParams<Payload = JWT> {
  /** @default {} */
  token?: Payload
  /** With an array, the first one seals. @default the `AUTH_SECRET` environment variable */
  secret?: string | readonly string[]
  /** Separates keys by purpose; the cookie name for session tokens. */
  salt: string
  /** Seconds. @default 2592000 */
  maxAge?: number
}

export interface JWTDecodeParams {
  token?: string
  /** With an array, the first one that opens the token is used. @default the `AUTH_SECRET` environment variable */
  secret?: string | readonly string[]
  salt: string
}

export interface JWTOptions {
  /** Seeds the keys instead of `secret`. */
  secret: string | string[]
  /** Seconds. @default `session.maxAge` */
  maxAge: number
  encode: (params: JWTEncodeParams) => Awaitable<string>
  decode: (params: JWTDecodeParams) => Awaitable<JWT | null>
}
