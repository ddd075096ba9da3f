/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/** Types of providers. */
export type ProviderType = 'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn'

/** Types of accounts: those of providers, and that of a feature with a way to sign in (`authmachine/extend`). */
export type AccountType = ProviderType | 'feature'

/** A JSON value. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined }

/** One entry of `authorization_details` (RFC 9396 section 2). */
export interface AuthorizationDetails {
  /** The type of authorization data, which determines the other members. */
  readonly type: string
  readonly [member: string]: JsonValue | undefined
}

/** The response of a token endpoint (RFC 6749 section 5.1), with `token_type` in lower case. */
export interface TokenSet {
  /** The token for requests to the provider. */
  access_token?: string
  /** The signed token with claims about the user. */
  id_token?: string
  /** The token that obtains new access tokens. */
  refresh_token?: string
  /** The granted scopes, separated by spaces. */
  scope?: string
  /** Lifetime in seconds, as sent by the token endpoint. */
  expires_in?: number
  /** Seconds since 1970 at which the access token expires. */
  expires_at?: number
  /** Always lower case. */
  token_type?: Lowercase<string>
  /** The session state at the provider (OpenID Connect Session Management 1.0). */
  session_state?: string
  /** The granted details (RFC 9396 section 7). */
  authorization_details?: AuthorizationDetails[]
  [parameter: string]: JsonValue | undefined
}

/** Links a user to an identity at a provider. The value of any other key is a JSON value. */
export interface Account extends TokenSet {
  /** The provider's id in the configuration, or the name of a feature. */
  provider: string
  /** The identity at the provider: the profile's id, the e-mail address, or the id that `authorize` returned. */
  providerAccountId: string
  /** The type of the provider, or `feature`. */
  type: AccountType
  /** The id of the user to whom the account is linked. */
  userId?: string
}

/** The members of a user that the library reads. */
export interface DefaultUser {
  /** The identifier of the user. */
  id?: string
  /** The name to show. */
  name?: string | null
  /** The e-mail address. */
  email?: string | null
  /** URL of the picture. */
  image?: string | null
}

/** The user as the application sees it. Augment this interface for more fields. */
export interface User extends DefaultUser {}

/** Claims of an identity provider (OpenID Connect Core section 5.1), and any others that it sends. */
export interface Profile {
  /** The identifier of a provider that does not use `sub`. It is not part of the standard. */
  id?: string | null
  /** The identifier of the user at the provider. */
  sub?: string | null
  /** The full name. */
  name?: string | null
  /** The given name or first name. */
  given_name?: string | null
  /** The surname or last name. */
  family_name?: string | null
  /** The middle name. */
  middle_name?: string | null
  /** The casual name. */
  nickname?: string | null
  /** The name by which the user wants to be referred to. */
  preferred_username?: string | null
  /** URL of the profile page. */
  profile?: string | null
  /** URL of the picture; some providers send an object. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem
  picture?: any
  /** URL of the web page or blog. */
  website?: string | null
  /** The preferred e-mail address. */
  email?: string | null
  /** Whether the provider verified the address. */
  email_verified?: boolean | null
  /** The gender. */
  gender?: string | null
  /** `YYYY-MM-DD`, or `YYYY`. */
  birthdate?: string | null
  /** The time zone, such as `Europe/Paris`. */
  zoneinfo?: string | null
  /** The language tag, such as `en-US`. */
  locale?: string | null
  /** The phone number, preferably in E.164 format. */
  phone_number?: string | null
  /** When the profile was last changed: seconds since 1970 in the standard. */
  updated_at?: Date | string | number | null
  /** The postal address. */
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

/** The profile of one provider: the members that its preset declares, and any other. */
export interface ProviderProfile {
  // oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem, whose callbacks read claims without a cast
  [claim: string]: any
}

/** The members that the library itself writes to a session. */
export interface DefaultSession {
  /** The members of the user that the client sees. */
  user?: User
  /** ISO 8601 date-time. */
  expires: string
  /**
   * How the user authenticated (RFC 8176), if sessions record it. Includes `mfa` if the user passed the second factor.
   */
  amr?: readonly string[]
  /** When the user last authenticated, in seconds since 1970, if sessions record it. */
  auth_time?: number
}

/** The session as the client sees it. Augment this interface for more fields. */
export interface Session extends DefaultSession {}

/** The state of an account's access token. */
export type AccessTokenAnswer =
  | {
      /**
       * A `current` token is valid. It remains valid for at least a minute if there is a refresh token and the provider's
       * tokens last longer than that. A `stale` token could not be refreshed, and may have expired: try again later.
       */
      readonly state: 'current' | 'stale'
      /** Empty if none was stored, which is possible only for `stale`. */
      readonly accessToken: string
      /** Seconds since 1970, if the provider sent a lifetime. */
      readonly expiresAt?: number
    }
  | {
      /** There is no refresh token, or the provider rejected it permanently. The user must sign in again. */
      readonly state: 'lapsed'
    }

/** Identifies an account. */
export interface AccountKey<Id extends string = string> extends Pick<Account, 'providerAccountId'> {
  /** The provider's id in the configuration. */
  provider: Id
}
