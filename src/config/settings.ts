import type { Client } from 'oauth4webapi'
import type { MaybePromise } from '../crypto/maybe-promise.ts'
import type { AuthError } from '../errors.ts'
import type { PresetHooks } from '../providers/preset.ts'
import type {
  CallbacksOptions,
  CookieOption,
  CookiesOptions,
  EventCallbacks,
  LoggerInstance,
  Platform,
  SessionOptions,
  WarningCode,
} from '../types/config.ts'
import type { Adapter } from '../types/adapter.ts'
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
import type { PagesOptions, Theme } from '../types/theme.ts'
import type { Tracer } from '../types/trace.ts'

export type Check = 'pkce' | 'state' | 'nonce'

/** An endpoint of a provider: its URL with the parameters already in it, when one is configured. */
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
  /** URL of the discovery document, when it is not where the issuer puts it. */
  readonly wellKnown?: string
  readonly authorization: Endpoint
  readonly token: Endpoint & Pick<TokenEndpointHandler, 'conform' | 'request' | 'clientPrivateKey'>
  readonly userinfo: Endpoint & Pick<UserinfoEndpointHandler, 'request'>
  readonly jwksUri?: string
  /** What the configuration asks for; `state` may be added at sign-in (decision 6). */
  readonly checks: readonly Check[]
  /** `checks: ['none']`: nothing is added either. */
  readonly checksDisabled: boolean
  readonly responseMode: 'query' | 'form_post'
  readonly client: Partial<Client>
  /** Read the profile from the id_token (true) or from the userinfo endpoint. */
  readonly idToken: boolean
  readonly profile: (profile: Profile, tokens: TokenSet) => Awaitable<User>
  readonly account: (tokens: TokenSet) => TokenSet | undefined | void
  readonly allowDangerousEmailAccountLinking: boolean
  /** Redirect URI at the proxy, in full, and the proxy's origin. */
  readonly redirectProxy?: { readonly callbackUrl: string; readonly origin: string }
  readonly allowInsecureRequests: boolean
  /** Milliseconds. */
  readonly timeout: number
  readonly tenants?: readonly string[]
  readonly style: OAuthProviderButtonStyles
  /** The user's customFetch, when there is one. */
  readonly fetch?: typeof fetch
  readonly preset: PresetHooks
  /** The configuration with the user's options merged in, for hooks. */
  readonly config: OAuthConfig
}

export interface EmailSettings {
  readonly kind: 'email'
  readonly id: string
  readonly name: string
  readonly type: 'email'
  /** In which browsers a link asks for a click before it signs in (decision 37). */
  readonly confirm: 'elsewhere' | 'always' | 'never'
  readonly config: EmailConfig
}

export interface CredentialsSettings {
  readonly kind: 'credentials'
  readonly id: string
  readonly name: string
  readonly type: 'credentials'
  readonly config: CredentialsConfig
}

export interface WebAuthnSettings {
  readonly kind: 'webauthn'
  readonly id: string
  readonly name: string
  readonly type: 'webauthn'
  readonly config: WebAuthnConfig
}

export type ProviderSettings = OAuthSettings | EmailSettings | CredentialsSettings | WebAuthnSettings

export type CookiePurpose = keyof CookiesOptions
export type CookieTable = Readonly<Record<CookiePurpose, CookieOption & { readonly overridden: boolean }>>

/** The adapter with every operation present: one that is missing throws AdapterError when it is called. */
export type WrappedStore = Required<Adapter> & {
  readonly has: (operation: keyof Adapter) => boolean
  /** The user's own object. */
  readonly adapter: Adapter
}

/** The row or rows that a piece of store work changes. */
export type StoreKey = readonly [
  kind: 'account' | 'address' | 'credential' | 'identity' | 'session' | 'token',
  ...string[],
]

/** The same, with operations on one key one after the other within this process. */
export interface Store extends WrappedStore {
  /**
   * Runs several calls on one key as one piece of work. They must be calls of operations that take no turn by
   * themselves, and no user's code may run among them.
   */
  readonly inTurn: <T>(key: StoreKey, work: () => MaybePromise<T>) => MaybePromise<T>
  /**
   * Makes others who ask for a turn on the key wait, until the returned function is called, or for the deadline of a
   * step. For work of several steps; it may ask for turns on other kinds of key, but never for one on its own.
   */
  readonly hold: (key: StoreKey) => () => void
}

/** A configuration, checked and completed; derived once per config object and frozen. */
export interface Settings {
  /** `/auth`, or the empty string for `/`. */
  readonly basePath: string
  /** Origin of everything that leaves the library, when `AUTH_URL` names one. */
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
  }
  readonly jwt: {
    readonly secrets: readonly string[]
    /** Seconds; never more than the session's. */
    readonly maxAge: number
    readonly audience?: string
    readonly encode?: JWTOptions['encode']
    readonly decode?: JWTOptions['decode']
    readonly isRevoked?: JWTOptions['isRevoked']
  }
  /** Complete but for `redirect`, whose default knows what a browser makes of a URL. */
  readonly callbacks: Omit<CallbacksOptions, 'redirect'> & Pick<Partial<CallbacksOptions>, 'redirect'>
  readonly events: Partial<EventCallbacks>
  readonly pages: Partial<PagesOptions>
  readonly theme: Theme
  readonly providers: ReadonlyMap<string, ProviderSettings>
  readonly store?: Store
  /** Names and options of all cookies, with or without the secure prefix. */
  readonly cookies: { readonly secure: CookieTable; readonly plain: CookieTable }
  readonly useSecureCookies?: boolean
  /** May this host, as the redirect proxy, forward a response to an origin? */
  readonly mayForward: (origin: string) => MaybePromise<boolean>
  readonly accountLinking: 'session' | 'explicit'
  /** Has each sign-in of a browser check cookies of its own? */
  readonly parallelSignIns: boolean
  readonly logger: LoggerInstance
  readonly debug: boolean
  /** false with `skipCSRFCheck`. */
  readonly csrf: boolean
  readonly raw: boolean
  readonly platform: Platform
  /** Told of every run, when devtools watch. */
  readonly tracer?: Tracer | undefined
  /** The first thing that is wrong with the configuration; every request is answered with it. */
  readonly fault?: AuthError
  /** Told once, when the configuration is first used. */
  readonly warnings: readonly WarningCode[]
  /** Descriptions of unknown options, for the warning `unknown-option`. */
  readonly unknownOptions: readonly string[]
}
