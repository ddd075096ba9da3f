import type { platform, raw, readElsewhere, siteEnvironment, skipCSRFCheck, tracer } from './symbols.ts'
import type { SendNotice } from './account-notice.ts'
import type { Adapter } from './adapter.ts'
import type { CallbacksOptions, EventCallbacks } from './callbacks.ts'
import type { CookieSerializeOptions, CookiesOptions } from './cookies.ts'
import type { KnownOptions } from './inference.ts'
import type { InferredCallbacks } from './inferred-callbacks.ts'
import type { JWT, JWTOptions } from './jwt.ts'
import type { LoggerInstance } from './logger.ts'
import type { Provider } from './provider.ts'
import type { Awaitable, DefaultSession, Session } from './records.ts'
import type { FeatureOptions } from '../features/types.ts'
import type { Feature } from './feature.ts'
import type { SessionOptions } from './session-options.ts'
import type { FeatureTexts, PageLocale, PageTexts } from './page-texts.ts'
import type { PagesOptions, Theme } from './theme.ts'
import type { Tracer } from './trace.ts'

export type { AuthAction } from '../routes.ts'

/** Provides time, randomness and fetch. Tests and the oracle pass their own under the `platform` symbol. */
export interface Platform {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Returns cryptographically secure random bytes. */
  readonly randomBytes: (length: number) => Uint8Array
  /** Sends requests to providers. */
  readonly fetch: typeof fetch
  /** Resolves after the given milliseconds. Used for deadlines. */
  readonly timer: (
    milliseconds: number,
    ring: () => void,
  ) => {
    /** Cancels the timer. */
    cancel(): void
  }
}

/** The variables that `setEnvDefaults` read. A framework may store its variables where the core does not read them. */
export interface SiteEnvironment {
  /** URL of the site. */
  readonly AUTH_URL: string | undefined
  /** Whether to trust the host of requests. */
  readonly AUTH_TRUST_HOST: string | undefined
  /** Other values than `development` are left out. */
  readonly NODE_ENV?: 'development' | undefined
}

/** Options of the redirect proxy. */
export interface RedirectProxyOptions {
  /**
   * Origins to which the proxy may forward a provider's response, including the authorization code: a list of origins
   * (`https://preview.example.com`, without a path), or a function that returns `true` for accepted origins. Any other
   * result refuses the origin. The origin must also have sealed the state with the shared secret.
   *
   * Do not accept origins that others can choose, such as all subdomains of a hosting platform: anyone who receives the
   * code can sign in as the user.
   *
   * @default [] forwards nothing
   */
  allow?: readonly string[] | ((origin: string) => Awaitable<boolean>)
}

/** The configuration. It is read once and never modified. */
export interface AuthConfig extends FeatureOptions {
  /** The ways to sign in. @default [] */
  providers: Provider[]
  /**
   * Stores users and accounts. With an adapter, sessions are stored there as well, unless `session.strategy` is "jwt".
   */
  adapter?: Adapter
  /**
   * Decides when an OAuth or OpenID Connect sign-in links the identity to the signed-in user:
   * - `'session'`: whenever the same user is signed in when the sign-in starts and at its callback, as in Auth.js.
   * - `'explicit'`: only if the sign-in requests it, by `signIn(provider, { link: true })` or the form field
   *   `link=true`. Any other sign-in switches to the user of the identity.
   *
   * The same applies to the address of an e-mail link, if the signed-in user registered with a passkey and has no
   * verified address. With `link=true`, the user keeps existing passkeys and sessions. Without it, they are removed if
   * the adapter supports it.
   *
   * Registering a passkey while signed in always adds it to that user. Any other value is an `InvalidConfig` error.
   *
   * @default 'session'
   */
  accountLinking?: 'session' | 'explicit'
  /** Path of the routes. @default '/auth' */
  basePath?: string
  /** Hooks that control the flows. @default allow every sign-in and show name, email and image */
  callbacks?: Partial<CallbacksOptions>
  /** Names and options of cookies. Omitted ones keep their defaults. */
  cookies?: Partial<CookiesOptions>
  /** Logs the path of each flow, without sensitive values. @default false */
  debug?: boolean
  /** Functions that the library calls after sign-ins, sign-outs and changes. @default none */
  events?: Partial<EventCallbacks>
  /** Features that may change in any version. */
  experimental?: {
    /** Allows passkey providers. @default false */
    enableWebAuthn?: boolean
  }
  /** How session tokens are created and read. */
  jwt?: Partial<JWTOptions>
  /** Language of the built-in pages. @default the browser's preferred language (`Accept-Language`), or else English */
  locale?: PageLocale
  /**
   * Features of the site, written with `authmachine/extend`: routes, pages, and gates that every sign-in passes, in the
   * order of the list. Experimental: the contract may change in a minor version.
   *
   * @default none
   */
  features?: readonly Feature[]
  /** Receives errors, warnings and, with `debug`, the path of each flow. @default the console */
  logger?: Partial<LoggerInstance>
  /** Paths of your own pages. @default the built-in pages */
  pages?: Partial<PagesOptions>
  /**
   * Lets sign-ins in several tabs finish independently. Each has its own check cookies, named after its state; a
   * browser keeps those of its four newest sign-ins. Every sign-in then sends a state (RFC 6749 4.1.1).
   *
   * @default false: only the newest sign-in of a browser can finish
   */
  parallelSignIns?: boolean
  /** Options for the host that `redirectProxyUrl` names. Other hosts ignore them. */
  redirectProxy?: RedirectProxyOptions
  /** URL of the library's base path on the host that providers redirect to. @default `AUTH_REDIRECT_PROXY_URL` */
  redirectProxyUrl?: string
  /**
   * The secret that all keys are derived from. In a list, the newest comes first. @default `AUTH_SECRET_3`, `_2`, `_1`
   * and `AUTH_SECRET`
   */
  secret?: string | string[]
  /**
   * Mails a user after a change to the account, such as a new password, a linked account or the removal of the second
   * factor. It is called after the change, and its failure does not undo the change. Events do not depend on this
   * option.
   *
   * @default none
   */
  sendNotice?: SendNotice
  /** Where sessions are stored, and for how long. */
  session?: SessionOptions
  /** Disables the CSRF check, for frameworks with their own. @default the check is on */
  skipCSRFCheck?: typeof skipCSRFCheck
  /** Makes `Auth` return data instead of a Response. @default a Response */
  raw?: typeof raw
  /**
   * Texts of the built-in pages that replace the library's own, by language. Those of features have the name of the
   * feature before them, such as `terms.accept`.
   *
   * @default none
   */
  texts?: Partial<Record<PageLocale, Partial<PageTexts> | FeatureTexts>>
  /** Look of the built-in pages and mails. */
  theme?: Theme
  /** Whether to trust the host of requests. @default false */
  trustHost?: boolean
  /**
   * Whether cookies are sent over https only, and have the prefix `__Secure-` or `__Host-`.
   * @default true for https URLs
   */
  useSecureCookies?: boolean
  [platform]?: Partial<Platform>
  [siteEnvironment]?: SiteEnvironment
  [readElsewhere]?: readonly string[]
  [tracer]?: Tracer
}

/**
 * The configuration as `createAuth` takes it, which infers the type parameters.
 *
 * Write `callbacks.jwt` before `callbacks.session`, so that `token` in the latter has the inferred claims.
 */
export interface AuthOptions<
  Providers extends readonly Provider[] = Provider[],
  Store extends Adapter | undefined = Adapter | undefined,
  Returned = Session | DefaultSession,
  Claims = JWT,
> extends Omit<AuthConfig, 'raw' | 'providers' | 'adapter' | 'callbacks'> {
  /** The ways to sign in. */
  providers: Providers & KnownOptions<Providers>
  /** Stores users and accounts, and sessions unless `session.strategy` is "jwt". */
  adapter?: Store
  /** Hooks that control the flows. @default allow every sign-in and show name, email and image */
  callbacks?: Partial<InferredCallbacks<Returned, Claims, Store>>
}

/** The result of `Auth` in raw mode. */
// oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem
export interface ResponseInternal<Body = any> {
  /** @default 200 */
  status?: number
  /** Response headers, without the cookies. */
  headers?: Headers | [string, string][] | Record<string, string>
  /** An object, or the text of a page. */
  body?: Body
  /** The URL to redirect to. */
  redirect?: string
  /** The cookies to set. */
  cookies?: { name: string; value: string; options: CookieSerializeOptions }[]
}
