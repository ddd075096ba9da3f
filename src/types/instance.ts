import type { OptionalMethods } from '../features/types.ts'
import type { Feature, FeatureMethods } from './feature.ts'
import type { FoundSession } from './found-session.ts'
import type { AnyAuthTypes, AuthTypes, HasAccountMethods } from './inference.ts'
import type { ListedSession, ListSessionsOptions, RevokeSessionsOptions } from './listed-session.ts'
import type { RequiredAuthentication } from './authentication.ts'
import type { AccessTokenAnswer, AccountKey, DefaultSession, Session } from './records.ts'

/** A session with a user. */
export type UserSession<S extends DefaultSession = Session> = S & { readonly user: NonNullable<S['user']> }

declare const types: unique symbol

/** The functions that read the session of a request. */
export interface SessionReader<T extends AuthTypes = AnyAuthTypes> {
  /** Exists only in the type, for `SessionOf` and similar types. */
  readonly [types]?: T
  /**
   * Reads the session of a request to your application. Returns null if nobody is signed in. Calls the same callbacks
   * and events as the session route. Does not extend the session, because that needs a new cookie. Use
   * `getSessionWithCookies` to extend it.
   *
   * @throws AuthError (rejects) if the configuration is faulty, or if the store or a callback fails
   * @example
   * const session = await auth.getSession(request)
   * if (!session) return Response.redirect(new URL('/auth/signin', request.url))
   */
  readonly getSession: (request: Request) => Promise<T['session'] | null>
  /**
   * Like `getSession`, but also returns the Set-Cookie values to send with your own response. If there are any, also
   * send `Cache-Control: private, no-store`: otherwise, a cache could give the session to other visitors.
   *
   * @throws AuthError (rejects) as `getSession` does
   * @example
   * const { session, cookies } = await auth.getSessionWithCookies(request)
   * for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
   */
  readonly getSessionWithCookies: (request: Request) => Promise<FoundSession<T['session'] | null>>
  /**
   * Returns the session of a user, or the Response to send instead. It redirects browsers to the sign-in page, which
   * redirects back after the sign-in. Clients that do not accept HTML get 401.
   *
   * It can also require that the user authenticated recently, or passed the second factor. The check for a recent
   * sign-in needs a feature that signs in or needs a recent sign-in, such as the second factor or the account page. If
   * the user did not, it redirects browsers to the page where the user can do so, and that page redirects back. Other
   * clients get 401 with the error `insufficient_user_authentication` (RFC 9470).
   *
   * @param required how the user must have authenticated
   * @throws AuthError (rejects) as `getSession` does; InvalidConfig if `required` needs an option that is not set
   * @example
   * const found = await auth.requireSession(request, { freshness: 600, factor: true })
   * if (!('session' in found)) return found
   * return Response.json(found.session.user)
   */
  readonly requireSession: (
    request: Request,
    required?: RequiredAuthentication,
  ) => Promise<FoundSession<UserSession<T['session']>> | Response>
}

/** The members of every instance, whatever its configuration. Accept this type if your function works with any instance. */
export interface AuthBase<T extends AuthTypes = AnyAuthTypes> extends SessionReader<T> {
  /**
   * Handles any request under the base path. Does not throw: a faulty configuration returns status 500.
   *
   * @example
   * if (new URL(request.url).pathname.startsWith('/auth')) return auth.handler(request)
   */
  readonly handler: (request: Request) => Promise<Response>
  /** The handler, under the name that file-based routers expect. */
  readonly GET: (request: Request) => Promise<Response>
  /** The handler, under the name that file-based routers expect. */
  readonly POST: (request: Request) => Promise<Response>
  /**
   * Ends all sessions of a user. `except` keeps the session of a request if it belongs to this user. With database
   * sessions, calls the event `signOut` for each, and needs an adapter with `listSessionsByUserId`. If the adapter cannot
   * delete one of them, the others still end. With JWT sessions, needs `jwt.revocations`.
   *
   * @param userId the id of the user: with JWT sessions, the claim `sub`
   * @param options the request whose session does not end
   * @returns how many live sessions ended, or null for JWT sessions, which cannot be counted
   * @throws TypeError, UnsupportedStrategy, MissingAdapter, MissingAdapterMethods and AdapterError (rejects)
   * @example
   * await auth.revokeSessions(userId, { except: request })
   */
  readonly revokeSessions: (userId: string, options?: RevokeSessionsOptions) => Promise<number | null>
  /**
   * Returns the methods of a feature, such as `issue` of API keys.
   *
   * @param feature the same object as in `features` of this configuration
   * @returns functions that reject with a TypeError if the configuration does not contain the feature, with an AuthError if
   *   the configuration is faulty, and otherwise as the feature documents
   * @example
   * const { key } = await auth.feature(keys).issue(userId, { name: 'build server' })
   */
  readonly feature: <Methods extends object>(feature: Feature<Methods>) => FeatureMethods<Methods>
}

/**
 * The members of every instance with an adapter: methods for a page on which users manage their sessions and account.
 *
 * Each method rejects with a TypeError if `userId` is not an id, for example because your `callbacks.session` does not
 * return `user.id`. It rejects with an AuthError if the configuration is faulty, or if the adapter fails or lacks an
 * operation.
 */
export interface AuthWithAdapter<T extends AuthTypes = AnyAuthTypes> extends AuthBase<T>, OptionalMethods {
  /**
   * Returns the live database sessions of a user, sorted by expiry, latest first. They contain no session tokens, so
   * you can send them to the user's browser. Needs an adapter with `listSessionsByUserId`.
   *
   * @param userId the id of the user
   * @param options the request whose session is marked
   * @throws UnsupportedStrategy if `session.strategy` is "jwt"
   * @throws MissingAdapterMethods if the adapter lacks `listSessionsByUserId`
   * @throws AdapterError if the adapter fails
   * @example
   * for (const { id, expires, isCurrent } of await auth.listSessions(userId, { request })) show(id, expires, isCurrent)
   */
  readonly listSessions: (userId: string, options?: ListSessionsOptions) => Promise<readonly ListedSession[]>
  /**
   * Ends a session of a user. Does nothing for the id of another user's session. Calls the event `signOut`.
   *
   * @param userId the id of the user
   * @param sessionId the `id` of a session that `listSessions` returned
   * @returns whether the user had a live session with this id
   * @throws UnsupportedStrategy, MissingAdapterMethods and AdapterError (rejects) as `listSessions` does
   * @example
   * const wasThere = await auth.revokeSession(userId, String(form.get('session')))
   */
  readonly revokeSession: (userId: string, sessionId: string) => Promise<boolean>
  /**
   * Deletes a user with everything that belongs to it: accounts, sessions and passkeys. Does nothing if there is no such
   * user. Calls the event `signOut` for each session if the adapter has `listSessionsByUserId`. JWT sessions of the user
   * end only with `jwt.revocations`.
   *
   * @param userId the id of the user
   * @throws MissingAdapterMethods if the adapter lacks `deleteUser`
   * @throws AdapterError if the adapter fails
   * @example
   * await auth.deleteUser(userId)
   */
  readonly deleteUser: (userId: string) => Promise<void>
}

/** An instance with an adapter and an OAuth provider, or the instance of a configuration of type `AuthConfig`. */
export interface AuthInstance<T extends AuthTypes = AnyAuthTypes> extends AuthWithAdapter<T> {
  /**
   * Returns the access token of a linked account, for requests to the provider. Never send it to the browser. A token
   * that is about to expire is refreshed first, by one caller at a time across all servers, and stored before it is
   * returned (RFC 9700 4.14.2). Needs an adapter with `getAccount` and `updateAccount`. Do not use the `refresh_token`
   * of the account row during a refresh.
   *
   * @throws InvalidProvider if the account's provider is not configured, or does not use OAuth
   * @throws MissingAdapterMethods if the adapter lacks `getAccount` or `updateAccount`
   * @throws AdapterError if the adapter fails
   * @example
   * const token = await auth.getAccessToken({ provider: 'google', providerAccountId })
   * if (token.state === 'lapsed') return Response.redirect('/auth/signin')
   */
  readonly getAccessToken: (account: AccountKey<T['oauthProvider']>) => Promise<AccessTokenAnswer>
}

/** An instance without an adapter. It stores neither users nor sessions, so it has no methods to manage them. */
export interface AuthWithoutAdapter<T extends AuthTypes = AnyAuthTypes> extends AuthBase<T> {}

/** An instance whose adapter lacks `getAccount` or `updateAccount`, which `getAccessToken` needs. */
export interface AuthWithoutUpdateAccount<T extends AuthTypes = AnyAuthTypes> extends AuthWithAdapter<T> {}

/** An instance without an OAuth or OpenID Connect provider, and therefore without access tokens. */
export interface AuthWithoutOAuthProvider<T extends AuthTypes = AnyAuthTypes> extends AuthWithAdapter<T> {}

/** The type of the instance for a configuration: its adapter and its providers decide which methods exist. */
export type AuthFor<T extends AuthTypes, Store> = [Store] extends [undefined]
  ? AuthWithoutAdapter<T>
  : [T['oauthProvider']] extends [never]
    ? AuthWithoutOAuthProvider<T>
    : HasAccountMethods<NonNullable<Store>> extends true
      ? AuthInstance<T>
      : AuthWithoutUpdateAccount<T>

/** The types that were inferred from the configuration of an instance. */
export type TypesOf<Auth> = Auth extends SessionReader<infer T> ? T : never

/**
 * The session of an instance, as the `callbacks.session` of its configuration returns it.
 *
 * @example
 * type AppSession = SessionOf<typeof auth>
 */
export type SessionOf<Auth> = TypesOf<Auth>['session']

/**
 * The claims of the session tokens of an instance, as `callbacks.jwt` returns them.
 *
 * @example
 * const claims = await decode<ClaimsOf<typeof auth>>({ token, salt })
 */
export type ClaimsOf<Auth> = TypesOf<Auth>['claims']

/**
 * The ids of the providers of an instance.
 *
 * @example
 * const start = (provider: ProviderIdOf<typeof auth>) => client.signIn(provider)
 */
export type ProviderIdOf<Auth> = TypesOf<Auth>['provider']
