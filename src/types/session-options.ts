import type { AdapterUser } from './adapter.ts'
import type { SessionDescription } from './listed-session.ts'
import type { Account, Awaitable, User } from './records.ts'

/** Where sessions are stored, and for how long. */
export interface SessionOptions {
  /** Where sessions are stored. @default 'database' with an adapter, otherwise 'jwt' */
  strategy?: 'jwt' | 'database'
  /** Seconds until an idle session expires. @default 2592000 */
  maxAge?: number
  /** Seconds between two extensions of a database session; 0 extends on every access. @default 86400 */
  updateAge?: number
  /** Creates the tokens of database sessions: 1 to 1000 visible ASCII characters. @default 32 random bytes, hex */
  generateSessionToken?: () => string
  /**
   * Returns the idle lifetime of a single session in seconds, for example for "Remember me". Must be more than 0, and
   * is limited to `maxAge`. `request` is the request that completes the sign-in. Read the user's choice from its
   * cookies, or, for credentials, from the fields of its JSON body. A database session is then extended once half of
   * its lifetime has passed, or earlier.
   * @default `maxAge`
   */
  signInMaxAge?: (params: {
    user: User | AdapterUser
    account: Account
    request: Request
  }) => Awaitable<number | undefined>
  /**
   * Seconds after the sign-in at which a session ends even if it is in use. A JWT session contains the time of the
   * sign-in in the claim `signedInAt`, and a database session at the end of its session token. When you first set this
   * option, all existing sessions end.
   * @default a session that is in use never ends
   */
  absoluteMaxAge?: number
  /**
   * Returns a description of a new database session, so that users recognise it in `listSessions` and on the account
   * page. Called once for each sign-in with the request that completes it. The library stores the description and the
   * time of the sign-in. `device` is cut after 200 characters and `address` after 100, and control characters are
   * removed. If the function throws or takes longer than ten seconds, or if the adapter fails, the sign-in continues,
   * and `session-not-described` is logged. Needs database sessions and an adapter with `describeSession` and
   * `listSessionsByUserId`.
   * @default nothing is stored
   * @example
   * describe: (request) => ({ device: request.headers.get('user-agent') ?? undefined })
   */
  describe?: (request: Request) => Awaitable<SessionDescription | null | undefined>
}
