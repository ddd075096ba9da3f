import type { JWK } from 'jose'
import type { Claims, Endpoint, Fault } from './faults.ts'
import type { SigningKey } from './keys.ts'

/** The ways to authenticate at the token endpoint (OIDC Core §9). */
export type ClientMethod =
  'client_secret_basic' | 'client_secret_post' | 'client_secret_jwt' | 'private_key_jwt' | 'none'

export interface IdpClient {
  readonly id: string
  readonly secret?: string
  /** The key for `private_key_jwt`. */
  readonly publicJwk?: JWK
  /** The authentication method of the client. `any` allows every method. @default 'client_secret_basic' */
  readonly method?: ClientMethod | 'any'
  /** @default any */
  readonly redirectUris?: readonly string[]
  /** Whether the userinfo response is a JWT. */
  readonly signsUserinfo?: boolean
  /** Whether authorization requests must be pushed. `metadata` can demand it of all clients. */
  readonly pushes?: boolean
}

export interface IdpUser {
  readonly sub: string
  readonly claims?: Claims
}

export interface IdpOptions {
  readonly issuer: string
  /** @default accepts any client with any secret */
  readonly clients?: readonly IdpClient[]
  /** The first user consents until `choose` selects another. */
  readonly users: readonly IdpUser[]
  /** Milliseconds since 1970. @default the system's clock */
  readonly now?: () => number
  /** @default 'RS256' */
  readonly alg?: SigningKey['alg'] | 'HS256'
  /** Whether to check the code verifier, unlike a server without PKCE. @default true */
  readonly enforcesPkce?: boolean
  /** Overrides members of the discovery document; undefined removes one. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Returns the `iss` of the id_token. @default the issuer */
  readonly tokenIssuer?: (user: IdpUser) => string
  readonly misbehave?: readonly Fault[]
  /**
   * Receives the reason why a client is refused. The response then contains it too.
   * @default the response has a fixed text
   */
  readonly explain?: (reason: string) => void
  /** Handles requests to any other path, for the user who consents. @default 404 */
  readonly elsewhere?: (request: Request, user: IdpUser) => Response | undefined
}

/** A received request. */
export interface LoggedRequest {
  readonly endpoint: Endpoint | 'push' | 'authorize' | 'unknown'
  readonly method: string
  readonly url: string
  readonly headers: Headers
  /** The parameters of the query, or of the form. */
  readonly parameters: URLSearchParams
}

/** The authorization response. */
export interface AuthorizationResponse {
  readonly redirectUri: string
  readonly mode: 'query' | 'form_post'
  readonly parameters: URLSearchParams
}

export interface Idp {
  readonly issuer: string
  readonly handle: (request: Request) => Promise<Response>
  /** `handle` as a fetch function. It rejects for other origins, and follows redirects if the request says so. */
  readonly fetch: typeof fetch
  readonly log: readonly LoggedRequest[]
  /** Why it refused requests, oldest first. */
  readonly refusals: readonly string[]
  /** The access tokens and id_tokens that it returned for codes. */
  readonly issued: readonly string[]
  readonly requestsTo: (endpoint: LoggedRequest['endpoint']) => readonly LoggedRequest[]
  /** Sets the faults from now on; sign-ins that start now keep them. Replaces earlier faults. */
  readonly misbehave: (...faults: readonly Fault[]) => void
  /** Adds members to every token response from now on. Replaces those added before. */
  readonly addToTokens: (members: Claims) => void
  /** Adds claims to every id_token from now on. Replaces those added before. */
  readonly addToClaims: (claims: Claims) => void
  /** Keeps its grants, and forgets its log. Returns a function that goes back to these grants. */
  readonly save: () => () => void
  /** Selects the user who consents from now on. */
  readonly choose: (sub: string) => void
  /**
   * Forgets the first id_token, which the fault `id-token-earlier` repeats, so that the next id_token becomes the
   * first.
   */
  readonly forget: () => void
  /** Signs with the next keys from now on, and publishes only those. */
  readonly rotate: () => void
  /** Revokes all refresh tokens. */
  readonly revokeTokens: () => void
  /**
   * Signs claims with the key of id_tokens, for example for a logout token.
   *
   * @param faults those of the signature
   */
  readonly sign: (claims: Claims, ...faults: readonly Fault[]) => Promise<string>
  /** Opens an authorization URL as a browser would, and returns the authorization response. */
  readonly authorize: (url: string) => Promise<AuthorizationResponse>
}
