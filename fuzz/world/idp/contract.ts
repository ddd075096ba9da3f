import type { JWK } from 'jose'
import type { Claims, Endpoint, Fault } from './faults.ts'
import type { SigningKey } from './keys.ts'

export interface IdpClient {
  readonly id: string
  readonly secret?: string
  /** Of `private_key_jwt`. */
  readonly publicJwk?: JWK
  /** @default 'client_secret_basic' */
  readonly method?:
    'client_secret_basic' | 'client_secret_post' | 'client_secret_jwt' | 'private_key_jwt' | 'none'
  /** @default any */
  readonly redirectUris?: readonly string[]
  /** Userinfo is answered as a JWT. */
  readonly signsUserinfo?: boolean
}

export interface IdpUser {
  readonly sub: string
  readonly claims?: Claims
}

export interface IdpOptions {
  readonly issuer: string
  /** @default whoever comes, with whatever secret */
  readonly clients?: readonly IdpClient[]
  /** The first of them consents until `choose` says otherwise. */
  readonly users: readonly IdpUser[]
  /** Milliseconds since 1970. @default the system's clock */
  readonly now?: () => number
  /** @default 'RS256' */
  readonly alg?: SigningKey['alg'] | 'HS256'
  /** A server that doesn't know PKCE takes any verifier. @default true */
  readonly enforcesPkce?: boolean
  /** What the discovery document says instead; undefined leaves a member out. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The issuer that id_tokens name. @default the issuer */
  readonly tokenIssuer?: (user: IdpUser) => string
  readonly misbehave?: readonly Fault[]
  /** What it answers anywhere else, to whoever consents. @default 404 */
  readonly elsewhere?: (request: Request, user: IdpUser) => Response | undefined
}

/** A request as it came in, for evidence. */
export interface LoggedRequest {
  readonly endpoint: Endpoint | 'authorize' | 'unknown'
  readonly method: string
  readonly url: string
  readonly headers: Headers
  /** Of the query, or of the form. */
  readonly parameters: URLSearchParams
}

/** What the provider sends back with the browser. */
export interface AuthorizationAnswer {
  readonly redirectUri: string
  readonly mode: 'query' | 'form_post'
  readonly parameters: URLSearchParams
}

export interface Idp {
  readonly issuer: string
  readonly handle: (request: Request) => Promise<Response>
  /** `handle` as a fetch: other origins do not answer, redirects are followed when they are asked to be. */
  readonly fetch: typeof fetch
  readonly log: readonly LoggedRequest[]
  readonly requestsTo: (endpoint: LoggedRequest['endpoint']) => readonly LoggedRequest[]
  /** Misbehaves from now on; sign-ins that start now keep their faults. Replaces what was said before. */
  readonly misbehave: (...faults: readonly Fault[]) => void
  /** Who consents from now on. */
  readonly choose: (sub: string) => void
  /** Signs with the next keys and shows no others. */
  readonly rotate: () => void
  /** Opens an authorization URL as a browser would, and reads where the browser is sent. */
  readonly authorize: (url: string) => Promise<AuthorizationAnswer>
}
