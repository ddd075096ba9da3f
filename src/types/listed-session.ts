/** The description that `session.describe` returned for a session. Both members are shown as text. */
export interface SessionDescription {
  /** The device or browser, such as "Firefox on Linux". At most 200 characters are kept. */
  readonly device?: string | undefined
  /** The IP address or the place. At most 100 characters are kept. */
  readonly address?: string | undefined
}

/** A database session as `listSessions` returns it, without the token that signs in. */
export interface ListedSession extends SessionDescription {
  /**
   * Identifies the session for `revokeSession`: the SHA-256 hash of the session token in hex. It stays the same until
   * the session ends, and nobody can sign in with it.
   */
  readonly id: string
  /** When the session expires unless it is used. */
  readonly expires: Date
  /** Whether the request that you passed belongs to this session. */
  readonly isCurrent: boolean
  /** When the user signed in. Present only if `session.describe` was set then. */
  readonly createdAt?: Date | undefined
}

/** Options of `listSessions`. */
export interface ListSessionsOptions {
  /** The request whose session has `isCurrent: true`. @default no session has it */
  readonly request?: Request | undefined
}

/** Options of `revokeSessions`. */
export interface RevokeSessionsOptions {
  /** The request whose session does not end, if it is one of the user's. @default all sessions end */
  readonly except?: Request | undefined
}
