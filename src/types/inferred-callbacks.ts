import type { Adapter, AdapterUser } from './adapter.ts'
import type { CallbacksOptions } from './callbacks.ts'
import type { DefaultJWT, JWT } from './jwt.ts'
import type { Awaitable, DefaultSession, Session } from './records.ts'
import type { SessionCallbackParams } from './session-callback.ts'

/**
 * The claims that `callbacks.jwt` gets. A copy in an object literal has another type, so the compiler keeps both types.
 */
export type GivenToken = JWT & Uncopied

/** Marks the token itself: `{ ...token }` does not copy a private member. */
declare abstract class Uncopied {
  private readonly uncopied: never
}

/**
 * The claims of a configuration without `callbacks.jwt`. The member appears in the error if `session` is written before
 * `jwt`: the compiler reads them in order, and `session` reads the claims that `jwt` returns.
 */
export interface NoOwnClaims extends JWT {
  readonly 'write jwt before session': never
}

/** The names of all claims of the members of a union. */
type ClaimsIn<Union> = Union extends unknown
  ? keyof { [Name in keyof Union as string extends Name ? never : Name]: unknown }
  : never

type ClaimIn<Union, Name> = Union extends unknown
  ? Name extends ClaimsIn<Union>
    ? Union[Name & keyof Union]
    : undefined
  : never

/** The claims that `callbacks.jwt` returns. It may return the token unchanged, for example when the session is read. */
export type ReturnedClaims<Returned> = 0 extends 1 & Returned
  ? Returned
  : [Returned] extends [NoOwnClaims | Uncopied]
    ? JWT
    : [Extract<Returned, Uncopied>] extends [never]
      ? Returned
      : { [Name in ClaimsIn<Returned>]: ClaimIn<Returned, Name> } & Pick<
          DefaultJWT,
          Extract<keyof JWT, ClaimsIn<DefaultJWT>>
        >

/** The parameter of the session callback without an adapter. No user is stored: the user's claims are in `token`. */
export interface TokenSessionParams<Claims = JWT> extends Omit<
  SessionCallbackParams<Claims>,
  'session' | 'user'
> {
  /** The session, with the members of the user that clients may see. */
  session: Session & { user: Session['user'] & Pick<AdapterUser, 'name' | 'email' | 'image'> }
}

/** The parameter of the jwt callback. */
export interface JwtCallbackParams extends Omit<Parameters<CallbacksOptions['jwt']>[0], 'token'> {
  /** The claims so far. Return them with yours: `{ ...token, role }`. */
  token: GivenToken
}

/** The callbacks of a configuration. `createAuth` infers types from them. */
export interface InferredCallbacks<
  Returned = Session | DefaultSession,
  Claims = JWT,
  Store extends Adapter | undefined = Adapter | undefined,
> extends Omit<CallbacksOptions<Returned>, 'session' | 'jwt'> {
  /** Returns the session as the client sees it. Write it after `jwt`. @default name, email and image of the user */
  session(
    params: [Store] extends [undefined]
      ? TokenSessionParams<ReturnedClaims<Claims>>
      : SessionCallbackParams<ReturnedClaims<Claims>>,
  ): Awaitable<Returned>
  /**
   * Returns the payload of the session token, for example `{ ...token, role }`. The compiler does not see claims that you
   * assign to `token`. Called at sign-in (with `user` and `account`) and whenever the session is read. The result is saved.
   * Null ends the session, or refuses the sign-in.
   */
  jwt(params: JwtCallbackParams): Awaitable<Claims | null>
}
