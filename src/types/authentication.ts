/** How and when the user of a session authenticated. */
export interface Authentication {
  /** Authentication methods (RFC 8176): `mfa` if the user passed the second factor. Absent if they are unknown. */
  readonly amr?: readonly string[] | undefined
  /** When the user last authenticated, in seconds since 1970 (OpenID Connect Core 2). Absent if it is unknown. */
  readonly auth_time?: number | undefined
}

/** The method of a second factor (RFC 8176): a code, or a passkey. */
export type FactorMethod = 'otp' | 'pop'

/** How a session must have been authenticated. */
export interface RequiredAuthentication {
  /**
   * The maximum number of seconds since the user last signed in or entered the second factor. A sign-in at a provider
   * counts from its callback. The provider may not have asked for a password, unless you set
   * `authorization.params.max_age`.
   *
   * @default any
   */
  readonly freshness?: number
  /** Whether the user must have passed the second factor. @default false */
  readonly factor?: boolean
}
