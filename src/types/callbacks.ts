import type { OptionalEvents } from '../features/types.ts'
import type { AdapterSession, AdapterUser } from './adapter.ts'
import type { JWT } from './jwt.ts'
import type { CredentialInput } from './provider.ts'
import type { RateLimitParams, RateLimitRefusal } from './rate-limit.ts'
import type { Account, Awaitable, DefaultSession, Profile, Session, User } from './records.ts'
import type { SessionCallbackParams } from './session-callback.ts'

/** Hooks through which your application controls a flow. A callback that throws stops the flow. */
export interface CallbacksOptions<Returned = Session | DefaultSession, Claims = JWT> {
  /**
   * Decides whether a sign-in may continue. If it returns `false` or throws, the user sees the error page
   * (AccessDenied). If it returns a string, the browser is redirected to that URL. E-mail providers call it twice:
   * before the mail is sent, with `email.verificationRequest`, and when the link is opened, without it.
   */
  signIn(params: {
    user: User | AdapterUser
    account: Account | null
    profile?: Profile
    email?: { verificationRequest?: boolean }
    credentials?: Record<string, CredentialInput>
  }): Awaitable<boolean | string>
  /**
   * Returns the URL to redirect to instead of a callback URL.
   * @default `url` if it has the origin of `baseUrl`, otherwise `baseUrl`
   */
  redirect(params: { url: string; baseUrl: string }): Awaitable<string>
  /**
   * Returns the session as the client sees it. `session.user` contains `id`, `name`, `email` and `image` for database
   * sessions, and `name`, `email` and `image` for JWT sessions, so returning `session` exposes no other column of the
   * user. `user` is the full user.
   *
   * @default name, email and image of the user
   */
  session(params: SessionCallbackParams<Claims>): Awaitable<Returned>
  /**
   * Returns the payload of the session token. Called at sign-in (with `user` and `account`) and whenever the session is
   * read. The result is saved. Null ends the session, or refuses the sign-in.
   */
  jwt(params: {
    token: JWT
    user: User | AdapterUser
    account?: Account | null
    profile?: Profile
    trigger?: 'signIn' | 'signUp' | 'update'
    /** @deprecated use trigger `signUp` */
    isNewUser?: boolean
    /** The data that the client passed to `update`. It is untrusted: validate it. */
    // oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem
    session?: any
  }): Awaitable<Claims | null>
  /**
   * Limits attempts. Called before a link is mailed, before the token of a link is looked up, before `authorize` is
   * called, before passkey options are created, and before the code of a second factor is compared. Any result other
   * than true leads to RateLimited with status 429. A result with `retryAfter` also sets `Retry-After`. Count the
   * attempts in a store that all your servers share, for example with `authmachine/rate-limit`.
   * @default allows every attempt
   */
  rateLimit?(params: RateLimitParams): Awaitable<boolean | RateLimitRefusal>
  /**
   * Decides whether a sign-out also ends the session at the provider. Called with the session that was just ended.
   * Return the provider's id, preferably with the id_token of the sign-in: the browser is then redirected to the
   * provider's `end_session_endpoint` (OpenID Connect RP-Initiated Logout 1.0), and back to the callback URL, which
   * must be registered at the provider. If the callback throws, or the provider has no such endpoint, this is logged
   * and only the local session ends.
   * @default never
   */
  endSession?(
    params: { token: JWT } | { session: AdapterSession },
  ): Awaitable<{ provider: string; idToken?: string } | null | undefined>
}

/** Called after a change has been committed. Errors are logged and change nothing. */
export interface EventCallbacks extends OptionalEvents {
  /** Called after each sign-in. */
  signIn(message: {
    user: User
    account: Account | null
    profile?: Profile
    isNewUser?: boolean
  }): Awaitable<void>
  /** Called after a session was revoked, with the removed row or the payload of the token. */
  signOut(
    message: { session: AdapterSession | null | undefined | void } | { token: JWT | null },
  ): Awaitable<void>
  /** Called after a new user was stored. */
  createUser(message: { user: User }): Awaitable<void>
  /** Called after a user was changed, for example when an address was first verified. */
  updateUser(message: { user: User }): Awaitable<void>
  /** Called after an account was linked to a user. */
  linkAccount(message: {
    user: User | AdapterUser
    account: Account
    profile: User | AdapterUser
  }): Awaitable<void>
  /** Called after the user unlinked an account, or removed a passkey, on the account page. */
  unlinkAccount(message: { user: User | AdapterUser; account: Account }): Awaitable<void>
  /**
   * Called after a user set or changed the password. `isReset` is true if it was set through a mailed link, even by a
   * new user.
   */
  updatePassword(message: { user: User | AdapterUser; isReset: boolean }): Awaitable<void>
  /** Called after a user was deleted, on the account page or by `auth.deleteUser`. */
  deleteUser(message: { userId: string }): Awaitable<void>
  /** Called after a session was sent to the client. */
  session(message: { session: Session; token: JWT }): Awaitable<void>
}
