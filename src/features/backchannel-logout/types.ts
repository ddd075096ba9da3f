/** The option of an OpenID Connect provider that turns the feature on. */
export interface LogoutOption {
  /**
   * Lets the provider end the sessions of its sign-ins when the user signs out there (OpenID Connect Back-Channel
   * Logout 1.0). Register `<base path>/backchannel-logout` at the provider. JWT sessions need `jwt.revocations`, and
   * database sessions an adapter with `listSessionsByUserId`. @default false
   */
  backChannelLogout?: boolean
}
