import type { JWT } from './jwt.ts'
import type { Provider, UnsetId } from './provider.ts'
import type { DefaultSession, Session } from './records.ts'
import type { TokenSessionParams } from './inferred-callbacks.ts'
import type { SessionCallbackParams } from './session-callback.ts'

/** The provider that a factory returns, or the provider itself. */
type MadeBy<P> = P extends (...args: never[]) => infer Made ? Made : P

/** The option `id` if the user set it, otherwise the preset's own id. `string` if the id is not a literal. */
type EffectiveId<P> = P extends { readonly id: infer Own extends string }
  ? P extends { readonly options?: { readonly id?: infer Given } }
    ? unknown extends Given
      ? Own
      : [Extract<Given, UnsetId>] extends [never]
        ? Given & string
        : Own
    : Own
  : never

/** The ids of providers, as literals where the compiler knows them. */
export type ProviderIds<P> = P extends unknown ? EffectiveId<MadeBy<P>> : never

/** The ids of OAuth and OpenID Connect providers. Only these have access tokens. */
export type OAuthProviderIds<P> = P extends unknown
  ? MadeBy<P> extends infer Made
    ? Made extends { readonly type: 'oauth' | 'oidc' }
      ? EffectiveId<Made>
      : never
    : never
  : never

type AnyOptions<T> = T extends unknown ? keyof T : never
type ProviderOption = AnyOptions<Exclude<Provider, () => unknown>>

declare const unknownOption: unique symbol

/** Marks a misspelt option of a provider in error messages. */
export interface NoSuchOption<Name> {
  readonly [unknownOption]: Name
}

/** Rejects unknown options of providers that are written inline. */
export type KnownOptions<Providers> = {
  readonly [At in keyof Providers]: Providers[At] extends (...args: never[]) => unknown
    ? unknown
    : {
        readonly [Name in Exclude<keyof Providers[At], ProviderOption> & string]: NoSuchOption<Name>
      }
}

/** The form that a value has after it was written as JSON and parsed again. */
type Serialized<T> = 0 extends 1 & T
  ? T
  : T extends { toJSON(): infer Json }
    ? Json
    : T extends object
      ? { [Key in keyof T]: Serialized<T[Key]> }
      : T

type IsSame<A, B> = [A, B] extends [B, A] ? true : false

/** The session that clients get from a session callback with this return type. */
export type ShownSession<Returned> =
  // The callback returned its parameter, or the declared type of all callbacks.
  true extends
    | IsSame<Returned, SessionCallbackParams['session']>
    | IsSame<Returned, TokenSessionParams['session']>
    | IsSame<Returned, Session | DefaultSession>
    ? Session
    : Returned extends DefaultSession
      ? Serialized<Omit<Returned, 'expires' | 'sessionToken' | 'userId'> & Pick<DefaultSession, 'expires'>>
      : never

/** The types that `createAuth` infers from a configuration. */
export interface AuthTypes {
  /** The result of `getSession`, as `callbacks.session` returns it. */
  readonly session: DefaultSession
  /** The payload of session tokens, as `callbacks.jwt` returns it. */
  readonly claims: JWT
  /** The ids of all providers. */
  readonly provider: string
  /** The ids of the providers with access tokens. */
  readonly oauthProvider: string
}

/** The types of a configuration that is only known as `AuthConfig`. */
export interface AnyAuthTypes extends AuthTypes {
  readonly session: Session
}

/** Whether an adapter has the operations for access tokens. */
export type HasAccountMethods<Store> = 'getAccount' | 'updateAccount' extends keyof Store ? true : false
