import type { Awaitable } from './records.ts'
import type { RevocationStore } from './revocation.ts'

/** The claims that the library itself reads and writes. */
export interface DefaultJWT extends Record<string, unknown> {
  /** The name of the user. */
  name?: string | null
  /** The e-mail address of the user. */
  email?: string | null
  /** URL of the picture of the user. */
  picture?: string | null
  /** The id of the user. */
  sub?: string
  /** Seconds since 1970 at which the token was created. */
  iat?: number
  /** Seconds since 1970 at which the token expires. */
  exp?: number
  /** The random id of the token. */
  jti?: string
}

/** The payload of a session token. Augment this interface for more claims. */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/** The parameters of `encode`. */
export interface JWTEncodeParams<Payload = JWT> {
  /** @default {} */
  token?: Payload
  /** The secret, or a list of secrets of which the first one encrypts. */
  secret: string | string[]
  /** Separates keys by purpose. For session tokens, it is the cookie name. */
  salt: string
  /** Seconds. @default 2592000 */
  maxAge?: number
}

/** The parameters of `decode`. */
export interface JWTDecodeParams {
  /** The token. Without one, there is no payload. */
  token?: string
  /** The secret, or a list of secrets of which the first one that fits is used. */
  secret: string | string[]
  /** The salt that the token was encrypted with. */
  salt: string
}

/** The secret of `encode` and `decode`. Callbacks always receive it. */
export interface SecretOption {
  /** @default the `AUTH_SECRET` environment variable */
  secret?: string | readonly string[]
}

/** Options of `decode` and `getToken`, other than the secret. */
export interface LegacyOption {
  /** Same as `jwt.acceptLegacyTokens` of the configuration. @default true */
  acceptLegacyTokens?: boolean | Date
}

/** How session tokens are created and read. */
export interface JWTOptions {
  /** The secret from which keys are derived, instead of `secret`. */
  secret: string | string[]
  /** Lifetime of session tokens in seconds, at most `session.maxAge`. @default `session.maxAge` */
  maxAge: number
  /**
   * Names the application in its session tokens (`aud`), and rejects tokens with another name or none. Set it if two
   * configurations share a secret and the name of the session cookie. Setting or changing it signs everybody out.
   * @default tokens name no application
   */
  audience: string
  /**
   * Whether to accept tokens of early Auth.js 5 versions, which are encrypted with A256GCM under a part of the current
   * key. A `Date` accepts them until that time. Set it to the day on which you stopped the last server with the older
   * version, plus that version's `session.maxAge`: after that, its tokens are expired. While it is `true`, such a
   * session token causes the warning `legacy-token`, at most once a minute. Applies to all sealed cookies. `getToken`
   * and `decode` have a parameter of the same name. @default true
   */
  acceptLegacyTokens: boolean | Date
  /** Replaces the function that creates tokens. */
  encode: (params: JWTEncodeParams) => Awaitable<string>
  /** Replaces the function that reads tokens. Return null for an invalid token. */
  decode: (params: JWTDecodeParams) => Awaitable<JWT | null>
  /**
   * Returns whether a session has been revoked. Called whenever the library reads a session token, except at sign-out.
   * If it returns true, the session ends and its cookie is cleared. If it throws or does not return a boolean, the
   * request fails without a session, and the cookie is kept. `getToken` does not call it. @default never
   */
  isRevoked: (token: JWT) => Awaitable<boolean>
  /**
   * Stores which sessions are revoked, so that JWT sessions end like those in a database: a sign-out also ends all
   * copies of the cookie, a new sign-in ends the browser's previous session, and `revokeSessions` and `deleteUser` end
   * those of a user. The library asks the store whenever it reads a session token, and adds the claim `revocable` to
   * new tokens. When you first set this option, everybody is signed out, because older tokens cannot be revoked.
   * `getToken` does not ask the store.
   * @default a token is valid until it expires
   */
  revocations: RevocationStore
}
