/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/** Kinds of provider; also the kinds of account a sign-in speaks of. */
export type ProviderType = 'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn'

/** What JSON can say. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined }

/** One entry of `authorization_details` (RFC 9396 section 2). */
export interface AuthorizationDetails {
  readonly type: string
  readonly [member: string]: JsonValue | undefined
}

/** What a token endpoint answered (RFC 6749 section 5.1), `token_type` lower-cased. */
export interface TokenSet {
  access_token?: string
  id_token?: string
  refresh_token?: string
  scope?: string
  /** Seconds, as the token endpoint said. */
  expires_in?: number
  /** Seconds since 1970 at which the access token expires. */
  expires_at?: number
  /** Always lower case. */
  token_type?: Lowercase<string>
  session_state?: string
  authorization_details?: AuthorizationDetails[]
  [parameter: string]: JsonValue | undefined
}

/** A link between a user and an identity at a provider. Any further key holds a JSON value. */
export interface Account extends TokenSet {
  /** The provider's id in the configuration. */
  provider: string
  /** The identity at the provider: the profile's id, the e-mail address, or the id that `authorize` returned. */
  providerAccountId: string
  type: ProviderType
  userId?: string
}

/** The members that the library itself reads of a user. */
export interface DefaultUser {
  id?: string
  name?: string | null
  email?: string | null
  image?: string | null
}

/** The user as the application sees it. Augment this interface for more fields. */
export interface User extends DefaultUser {}

/** Claims of an identity provider (OpenID Connect Core section 5.1) and whatever else it answers. */
export interface Profile {
  id?: string | null
  sub?: string | null
  name?: string | null
  given_name?: string | null
  family_name?: string | null
  middle_name?: string | null
  nickname?: string | null
  preferred_username?: string | null
  profile?: string | null
  // oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem
  picture?: any
  website?: string | null
  email?: string | null
  email_verified?: boolean | null
  gender?: string | null
  birthdate?: string | null
  zoneinfo?: string | null
  locale?: string | null
  phone_number?: string | null
  updated_at?: Date | string | number | null
  address?: {
    country?: string | null
    formatted?: string | null
    locality?: string | null
    postal_code?: string | null
    region?: string | null
    street_address?: string | null
  } | null
  [claim: string]: unknown
}

/** The profile of one provider: the members that its preset names, and any other. */
export interface ProviderProfile {
  // oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem, whose callbacks read claims without a cast
  [claim: string]: any
}

/** The members that the library itself writes to a session. */
export interface DefaultSession {
  user?: User
  /** ISO 8601 date-time. */
  expires: string
}

/** The session as the client sees it. Augment this interface for more fields. */
export interface Session extends DefaultSession {}
