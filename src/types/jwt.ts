import type { Awaitable } from './records.ts'

/** The claims that the library itself writes and reads. */
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

/** What `encode` takes. */
export interface JWTEncodeParams<Payload = JWT> {
  /** @default {} */
  token?: Payload
  /** With an array, the first one seals. */
  secret: string | string[]
  /** Separates keys by purpose; the cookie name for session tokens. */
  salt: string
  /** Seconds. @default 2592000 */
  maxAge?: number
}

/** What `decode` takes. */
export interface JWTDecodeParams {
  token?: string
  /** With an array, the first one that opens the token is used. */
  secret: string | string[]
  salt: string
}

/** What `encode` and `decode` take of their secret, which a callback always receives. */
export interface SecretOption {
  /** @default the `AUTH_SECRET` environment variable */
  secret?: string | readonly string[]
}

/** How session tokens are made. */
export interface JWTOptions {
  /** Seeds the keys instead of `secret`. */
  secret: string | string[]
  /** Seconds. @default `session.maxAge` */
  maxAge: number
  /**
   * Names the application in its session tokens (`aud`), and refuses tokens that name another one or none. Needed where
   * two configurations share a secret and the name of the session cookie. Whoever is signed in when you set or change it
   * signs in again. @default tokens name no application
   */
  audience: string
  /** Makes tokens in place of the library. */
  encode: (params: JWTEncodeParams) => Awaitable<string>
  /** Opens tokens in place of the library; null for one that does not count. */
  decode: (params: JWTDecodeParams) => Awaitable<JWT | null>
  /**
   * Was this session taken back? Asked whenever the library reads a session token, but not at a sign-out. True counts as
   * a token that does not open: the session is over and its cookie is cleared. A throw, or what is no boolean, is a
   * fault: nobody is signed in then, and the cookie is kept. `getToken` does not ask. @default never
   */
  isRevoked: (token: JWT) => Awaitable<boolean>
}
