/** Which sessions of a user end. Of credentials, only unproven ones do. */
export interface Scope {
  /** All sessions of the user, or all but the one of this browser. */
  readonly sessions: 'all' | 'others'
  /** The session cookie and the claims of this browser, whose session is spared with `others`. */
  readonly heldCookie?: string | undefined
  readonly token?: Readonly<Record<string, unknown>> | undefined
}
