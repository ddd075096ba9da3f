import type { Client } from 'oauth4webapi'
import type { MaybePromise } from '../async/maybe-promise.ts'
import type { AuthError } from '../errors/classes.ts'
import type { PasswordHooks } from '../provider-base/password.ts'
import type { PresetHooks } from '../provider-base/preset.ts'
import type { CallbacksOptions, EventCallbacks } from '../types/callbacks.ts'
import type { AuthConfig, Platform } from '../types/config.ts'
import type { CookieOption, CookieSerializeOptions, CookiesOptions } from '../types/cookies.ts'
import type { LoggerInstance, WarningCode } from '../types/logger.ts'
import type { SessionOptions } from '../types/session-options.ts'
import type { SendNotice } from '../types/account-notice.ts'
import type { Adapter } from '../types/adapter.ts'
import type { FeatureOptions } from '../features/types.ts'
import type { Feature } from '../types/feature.ts'
import type { JWTOptions } from '../types/jwt.ts'
import type {
  CredentialsConfig,
  EmailConfig,
  OAuthConfig,
  OAuthProviderButtonStyles,
  TokenEndpointHandler,
  UserinfoEndpointHandler,
  WebAuthnConfig,
} from '../types/provider.ts'
import type { Awaitable, Profile, TokenSet, User } from '../types/records.ts'
import type { PageLocale } from '../types/page-texts.ts'
import type { PagesOptions, Theme } from '../types/theme.ts'
import type { Tracer } from '../types/trace.ts'
import type { Lack } from './left-out.ts'

export type Check = 'pkce' | 'state' | 'nonce'

/** An endpoint of a provider. The URL includes the parameters, if one is configured. */
export interface Endpoint {
  readonly url?: string
  readonly params: Readonly<Record<string, string>>
}

/** An OAuth or OpenID provider, resolved once per configuration. */
export interface OAuthSettings {
  readonly kind: 'oauth'
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  readonly clientId: string
  readonly clientSecret?: string
  readonly issuer?: string
  /** URL of the discovery document, if it differs from the default. */
  readonly wellKnown?: string
  readonly authorization: Endpoint
  readonly token: Endpoint & Pick<TokenEndpointHandler, 'conform' | 'request' | 'clientPrivateKey'>
  readonly userinfo: Endpoint & Pick<UserinfoEndpointHandler, 'request'>
  readonly jwksUri?: string
  /** The configured checks. `state` may be added at sign-in (decision 6). */
  readonly checks: readonly Check[]
  /** Whether `checks` is `['none']`, so that none are added. */
  readonly checksDisabled: boolean
  readonly responseMode: 'query' | 'form_post'
  readonly client: Partial<Client>
  /** Whether the profile is read from the id_token. Otherwise it comes from the userinfo endpoint. */
  readonly idToken: boolean
  readonly endsSessions: boolean
  readonly profile: (profile: Profile, tokens: TokenSet) => Awaitable<User>
  readonly account: (tokens: TokenSet) => Awaitable<TokenSet | undefined | void>
  readonly allowDangerousEmailAccountLinking: boolean
  readonly storeUnverifiedEmail: boolean
  /** The full redirect URI at the proxy, and the proxy's origin. */
  readonly redirectProxy?: { readonly callbackUrl: string; readonly origin: string }
  readonly allowInsecureRequests: boolean
  /** Milliseconds. */
  readonly timeout: number
  readonly tenants?: readonly string[]
  readonly style: OAuthProviderButtonStyles
  /** The user's `customFetch`, if set. */
  readonly fetch?: typeof fetch
  readonly preset: PresetHooks
  /** The configuration with the user's options merged in. Passed to hooks. */
  readonly config: OAuthConfig
}

export interface EmailSettings {
  readonly kind: 'email'
  readonly id: string
  readonly name: string
  readonly type: 'email'
  /** In which browsers a link asks for a click before it signs in (decision 37). */
  readonly confirm: 'elsewhere' | 'always' | 'never'
  /** Whether it mails links or codes. */
  readonly method: 'link' | 'code'
  /** Lifetime of a link or code in seconds. */
  readonly maxAge: number
  readonly config: EmailConfig
}

export interface CredentialsSettings {
  readonly kind: 'credentials'
  readonly id: string
  readonly name: string
  readonly type: 'credentials'
  readonly config: CredentialsConfig
}

/** A provider whose passwords the adapter stores. Sign-ins are those of a credentials provider. */
export interface PasswordSettings extends Omit<CredentialsSettings, 'kind'> {
  readonly kind: 'password'
  readonly passwords: PasswordHooks
  /** Its links, which are those of an e-mail provider with the same id. */
  readonly mail: EmailSettings
}

export interface WebAuthnSettings {
  readonly kind: 'webauthn'
  readonly id: string
  readonly name: string
  readonly type: 'webauthn'
  readonly config: WebAuthnConfig
}

/** A feature that is a way to sign in. Its id is its name. */
export interface FeatureSettings {
  readonly kind: 'feature'
  readonly id: string
  readonly name: string
  readonly type: 'feature'
  readonly config: Feature & Required<Pick<Feature, 'signIn'>>
}

export type ProviderSettings =
  OAuthSettings | EmailSettings | CredentialsSettings | PasswordSettings | WebAuthnSettings | FeatureSettings

export type CookiePurpose = keyof CookiesOptions
/** A cookie before the options of the user. */
export interface CookieRow {
  /** The end of its name. */
  readonly suffix: string
  /** Its special attributes. */
  readonly options?: CookieSerializeOptions
  /** Whether no other host of the domain may set it. */
  readonly isOwnHost?: boolean
}
export type CookieTable = Readonly<Record<CookiePurpose, CookieOption & { readonly overridden: boolean }>>

/** The adapter with every operation present. Missing ones throw AdapterError when called. */
export type WrappedStore = Required<Adapter> & {
  readonly has: (operation: keyof Adapter) => boolean
  /** The user's own object. */
  readonly adapter: Adapter
  /**
   * Calls `getSessionAndUser`, and then `next` with the result. This needs one promise less than two separate calls.
   */
  readonly readSession: <R>(token: string, next: (found: unknown) => R) => MaybePromise<R>
}

/** The row or rows that a group of operations changes. */
export type StoreKey = readonly [
  kind:
    | 'account'
    | 'address'
    | 'credential'
    | 'feature'
    | 'factor'
    | 'identity'
    | 'keyed'
    | 'password'
    | 'record'
    | 'session'
    | 'token'
    | 'ways',
  ...string[],
]

/** The same store, with operations on one key serialised within this process. */
export interface Store extends WrappedStore {
  /**
   * Waits for earlier work on the key in this process, and then runs the work. Later work on the key waits until this
   * work is done or the step deadline has passed. The work may take turns on other kinds of keys, but not on this one,
   * and must not run user code.
   */
  readonly turn: <T>(key: StoreKey, work: () => MaybePromise<T>) => MaybePromise<T>
}

/** A configuration, validated and completed. Derived once per config object and frozen. */
export interface Settings {
  /** `/auth`, or an empty string for `/`. */
  readonly basePath: string
  /** The origin of all URLs that the library sends, if `AUTH_URL` sets one. */
  readonly canonicalOrigin?: string
  readonly trustHost: boolean
  readonly secrets: readonly string[]
  readonly session: {
    readonly strategy: 'jwt' | 'database'
    /** Seconds. */
    readonly maxAge: number
    /** Seconds. */
    readonly updateAge: number
    readonly generateSessionToken: () => string
    readonly signInMaxAge?: SessionOptions['signInMaxAge']
    /** Seconds. */
    readonly absoluteMaxAge?: number
    readonly describe?: SessionOptions['describe']
  }
  readonly jwt: {
    readonly secrets: readonly string[]
    /** Seconds. Never more than the session's. */
    readonly maxAge: number
    readonly audience?: string
    readonly acceptLegacyTokens: boolean | Date
    readonly encode?: JWTOptions['encode']
    readonly decode?: JWTOptions['decode']
    readonly isRevoked?: JWTOptions['isRevoked']
    readonly revocations?: JWTOptions['revocations']
  }
  /** Complete except for `redirect`: its default depends on how browsers parse URLs. */
  readonly callbacks: Omit<CallbacksOptions, 'redirect'> & Pick<Partial<CallbacksOptions>, 'redirect'>
  readonly events: Partial<EventCallbacks>
  readonly pages: Partial<PagesOptions>
  readonly theme: Theme
  /** The language of the pages. Without one, each browser chooses. */
  readonly locale?: PageLocale | undefined
  readonly texts: NonNullable<AuthConfig['texts']>
  readonly providers: ReadonlyMap<string, ProviderSettings>
  /** The ids of the providers that are left out of `providers`, with the error of each one. */
  readonly leftOut: ReadonlyMap<string, Lack>
  readonly store?: Store
  readonly features: readonly Feature[]
  /** The options that turn features of the library on. */
  readonly optional: FeatureOptions
  readonly sendNotice?: SendNotice | undefined
  /** Whether sessions record how and when their users authenticated. */
  readonly recordsAuthentication: boolean
  /** Names and options of all cookies, with and without the secure prefix. */
  readonly cookies: { readonly secure: CookieTable; readonly plain: CookieTable }
  readonly useSecureCookies?: boolean
  /** Returns whether this host, as the redirect proxy, may forward a response to an origin. */
  readonly mayForward: (origin: string) => MaybePromise<boolean>
  readonly accountLinking: 'session' | 'explicit'
  /** Whether each sign-in of a browser has its own check cookies. */
  readonly parallelSignIns: boolean
  readonly logger: LoggerInstance
  readonly debug: boolean
  /** Whether error pages explain errors to developers. Requires `NODE_ENV=development`; `debug` alone is not enough. */
  readonly development: boolean
  /** False with `skipCSRFCheck`. */
  readonly csrf: boolean
  readonly raw: boolean
  readonly platform: Platform
  /** Receives every run, if devtools are attached. */
  readonly tracer?: Tracer | undefined
  /** The first fault of the configuration. Every request returns it. */
  readonly fault?: AuthError
  /** Logged once, on first use of the configuration. */
  readonly warnings: readonly WarningCode[]
  /** Descriptions of unknown options, for the warning `unknown-option`. */
  readonly unknownOptions: readonly string[]
}
