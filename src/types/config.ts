import type { platform, raw, siteEnvironment, skipCSRFCheck, tracer } from '../symbols.ts'
import type { Adapter, AdapterSession, AdapterUser } from './adapter.ts'
import type { JWT, JWTOptions } from './jwt.ts'
import type { CredentialInput, Provider } from './provider.ts'
import type { Account, Awaitable, DefaultSession, Profile, Session, User } from './records.ts'
import type { PagesOptions, Theme } from './theme.ts'
import type { Tracer } from './trace.ts'

/** Attributes of a cookie (RFC 6265 section 4.1). */
export interface CookieSerializeOptions {
  /** @default encodeURIComponent */
  encode?: (value: string) => string
  /** Whole seconds. */
  maxAge?: number
  expires?: Date
  domain?: string
  path?: string
  httpOnly?: boolean
  secure?: boolean
  partitioned?: boolean
  priority?: 'low' | 'medium' | 'high'
  sameSite?: boolean | 'lax' | 'strict' | 'none'
}

/** The name of a cookie, and its attributes. */
export interface CookieOption {
  name: string
  options: CookieSerializeOptions
}

/** The cookies of the library, by what each is for. */
export interface CookiesOptions {
  sessionToken: Partial<CookieOption>
  callbackUrl: Partial<CookieOption>
  csrfToken: Partial<CookieOption>
  pkceCodeVerifier: Partial<CookieOption>
  state: Partial<CookieOption>
  nonce: Partial<CookieOption>
  webauthnChallenge: Partial<CookieOption>
  /** The mailed links that this browser requested. */
  requestedLinks: Partial<CookieOption>
}

/** What the logger warns of. */
export type WarningCode =
  | 'csrf-disabled'
  | 'debug-enabled'
  | 'env-url-basepath-mismatch'
  | 'env-url-basepath-redundant'
  | 'experimental-webauthn'
  | 'weak-secret'
  | 'checks-disabled'
  | 'dangerous-linking'
  | 'unconfirmed-links'
  | 'weak-link-token'
  | 'insecure-requests'
  | 'host-trust-inferred'
  | 'shared-session-secret'
  | 'unknown-host'
  | 'ignored-parameter'
  | 'random-user-id'
  | 'unknown-option'
  | 'session-cookie-unreadable'
  | 'invalid-callback-url'
  | 'invalid-theme'

/**
 * Where errors, warnings and, with `debug`, the course of each flow are written. None of them holds a
 * secret.
 */
export interface LoggerInstance {
  /** Told of each failure; `name` is its type. */
  error(error: Error): void
  /**
   * Called for a configuration that works but should be changed. `details` names the options of `unknown-option`, the
   * provider of `weak-link-token`, and the reason of `host-trust-inferred`.
   */
  warn(code: WarningCode, details?: string): void
  /** Told only with `debug: true`. */
  debug(message: string, metadata?: unknown): void
  [level: string]: unknown
}

/** Where the application has a say. A callback that throws stops what it was asked about. */
export interface CallbacksOptions {
  /**
   * May this sign-in go on? `false` or a throw stops it at the error page (AccessDenied), a string redirects there.
   * E-mail: called with `email.verificationRequest` before the mail is sent, and without it when the link is followed.
   */
  signIn(params: {
    user: User | AdapterUser
    account: Account | null
    profile?: Profile
    email?: { verificationRequest?: boolean }
    credentials?: Record<string, CredentialInput>
  }): Awaitable<boolean | string>
  /** Where a redirect to a callback URL really goes. @default the same origin only, else `baseUrl` */
  redirect(params: { url: string; baseUrl: string }): Awaitable<string>
  /**
   * The session as the client sees it. `session.user` has `id`, `name`, `email` and `image` with sessions in a store, and
   * `name`, `email` and `image` with tokens, so that returning `session` sends no other column. `user` is the full user.
   *
   * @default name, email and image of the user
   */
  session(
    params: {
      session: Session & AdapterSession & { user: Pick<AdapterUser, 'id' | 'name' | 'email' | 'image'> }
      user: AdapterUser
      token: JWT
    } & {
      /** The data that the client sent with an update. Validate it. */
      // oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem
      newSession?: any
      trigger?: 'update'
    },
  ): Awaitable<Session | DefaultSession>
  /**
   * The payload of the session token, at sign-in (with `user` and `account`) and on each access. What it returns is
   * saved; null ends the session, or refuses the sign-in.
   */
  jwt(params: {
    token: JWT
    user: User | AdapterUser
    account?: Account | null
    profile?: Profile
    trigger?: 'signIn' | 'signUp' | 'update'
    /** @deprecated use trigger `signUp` */
    isNewUser?: boolean
    /** The data that the client sent with an update. Validate it. */
    // oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem
    session?: any
  }): Awaitable<JWT | null>
  /**
   * May this attempt go on? Called before a link is mailed to an address, before the token of a link that was followed is
   * looked up, and before `authorize` sees what was typed. Anything other than true answers RateLimited, with status 429. Counting is the application's, in a store that all of its
   * machines share. @default always
   */
  rateLimit?(params: RateLimitParams): Awaitable<boolean>
  /**
   * Does a sign-out end the session at the provider, too? Asked with the session that was just ended here. With the
   * provider's id, and best with the id_token of the sign-in, the browser goes on to the `end_session_endpoint` that the
   * provider's metadata names (OpenID Connect RP-Initiated Logout 1.0), and comes back to the callback URL, which has to
   * be registered there. A throw, or a provider without such an endpoint, is logged and ends the session here alone.
   * @default no
   */
  endSession?(
    params: { token: JWT } | { session: AdapterSession },
  ): Awaitable<{ provider: string; idToken?: string } | null | undefined>
}

/** An attempt to sign in that costs something: a mail, or a guess at the token of a link or at a password. */
export type RateLimitParams = {
  /** The provider's id. */
  provider: string
  /** With the headers that a proxy of yours set, such as the address it came from. */
  request: Request
} & (
  | {
      type: 'email'
      /** The address that a link would go to, in its one form. */
      identifier: string
    }
  | {
      type: 'verification'
      /** The address in the link, in its one form. Anybody can write a link to any address. */
      identifier: string
    }
  | {
      type: 'credentials'
      /** What was typed, unchecked. */
      credentials: Record<string, unknown>
    }
)

/** Called after what they report was committed; their errors are logged and change nothing. */
export interface EventCallbacks {
  /** After each sign-in. */
  signIn(message: {
    user: User
    account: Account | null
    profile?: Profile
    isNewUser?: boolean
  }): Awaitable<void>
  /** After the session was revoked; with the row that was removed, or the payload of the token. */
  signOut(
    message: { session: AdapterSession | null | undefined | void } | { token: JWT | null },
  ): Awaitable<void>
  /** After a user was stored for the first time. */
  createUser(message: { user: User }): Awaitable<void>
  /** After a user was changed, such as by the first proof of an address. */
  updateUser(message: { user: User }): Awaitable<void>
  /** After an account was linked to a user. */
  linkAccount(message: {
    user: User | AdapterUser
    account: Account
    profile: User | AdapterUser
  }): Awaitable<void>
  /** After the session was shown to the client. */
  session(message: { session: Session; token: JWT }): Awaitable<void>
}

/** How sessions are kept, and for how long. */
export interface SessionOptions {
  /** @default 'database' when there is an adapter, else 'jwt' */
  strategy?: 'jwt' | 'database'
  /** Seconds until an idle session expires. @default 2592000 */
  maxAge?: number
  /** Seconds between two extensions of a database session; 0 extends on every access. @default 86400 */
  updateAge?: number
  /** Makes database session tokens. @default 32 random bytes, hex */
  generateSessionToken?: () => string
  /**
   * "Remember me": seconds until the session of this one sign-in expires when idle, more than 0; what exceeds `maxAge`
   * is cut to it. `request` is the one that ends the sign-in: its cookies, and with credentials the fields of its JSON
   * body, say what the user chose. A database session is then extended no later than at half of its time.
   * @default `maxAge`
   */
  signInMaxAge?: (params: {
    user: User | AdapterUser
    account: Account
    request: Request
  }) => Awaitable<number | undefined>
}

/** Where time, randomness and fetch come from; given under the `platform` symbol by tests and the oracle. */
export interface Platform {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** That many bytes nobody can guess. */
  readonly randomBytes: (length: number) => Uint8Array
  /** Sends requests to providers. */
  readonly fetch: typeof fetch
  /** Resolves after the given milliseconds; used for deadlines. */
  readonly timer: (
    milliseconds: number,
    ring: () => void,
  ) => {
    /** Nothing rings any more. */
    cancel(): void
  }
}

/** What `setEnvDefaults` read: a framework may keep its variables where the core does not look. */
export interface SiteEnvironment {
  readonly AUTH_URL: string | undefined
  readonly AUTH_TRUST_HOST: string | undefined
}

/** Options of the redirect proxy. */
export interface RedirectProxyOptions {
  /**
   * Where the proxy may forward a provider's response, which has the authorization code: a list of origins
   * (`https://preview.example.com`, without a path), or a function that gets an origin and returns `true` for those it
   * accepts. Any other result refuses. The origin must also have sealed the state with the shared secret.
   *
   * Do not accept origins that others can choose, such as every subdomain of a hosting platform: whoever receives the
   * code can sign in as the user.
   *
   * @default [] forwards to nobody
   */
  allow?: readonly string[] | ((origin: string) => Awaitable<boolean>)
}

/** All there is to configure. It is read once and never written to. */
export interface AuthConfig {
  /** @default [] */
  providers: Provider[]
  /** A store; with one, sessions are kept there unless `session.strategy` says otherwise. */
  adapter?: Adapter
  /**
   * When a sign-in at an OAuth or OpenID provider links the identity to the user who is signed in:
   * - `'session'`: whenever the same user is signed in at its start and at its callback, as in Auth.js.
   * - `'explicit'`: only if the sign-in asks for it as well, by `signIn(provider, { link: true })` or the form field
   *   `link=true`. Any other sign-in switches to the identity's own user.
   *
   * Registering a passkey while signed in always adds it to that user. Any other value is an `InvalidConfig` fault.
   *
   * @default 'session'
   */
  accountLinking?: 'session' | 'explicit'
  /** Path of the routes. @default '/auth' */
  basePath?: string
  callbacks?: Partial<CallbacksOptions>
  /** Names and options of cookies; what is not given keeps its default. */
  cookies?: Partial<CookiesOptions>
  /** Logs each flow's path, redacted. @default false */
  debug?: boolean
  events?: Partial<EventCallbacks>
  experimental?: {
    /** @default false */
    enableWebAuthn?: boolean
  }
  jwt?: Partial<JWTOptions>
  /** @default the console */
  logger?: Partial<LoggerInstance>
  pages?: Partial<PagesOptions>
  /**
   * Lets sign-ins in several tabs finish independently: each keeps its checks in cookies of its own, named after its
   * state, for the four newest sign-ins of a browser. Every sign-in sends a state then (RFC 6749 4.1.1).
   *
   * @default false: the newest sign-in of a browser is the one that can finish
   */
  parallelSignIns?: boolean
  /** Options of the host that `redirectProxyUrl` names. Other hosts ignore them. */
  redirectProxy?: RedirectProxyOptions
  /** URL of this library's base path on the host that providers redirect to. @default `AUTH_REDIRECT_PROXY_URL` */
  redirectProxyUrl?: string
  /** Seeds all keys; the newest first. @default `AUTH_SECRET_3`, `_2`, `_1` and `AUTH_SECRET` */
  secret?: string | string[]
  session?: SessionOptions
  skipCSRFCheck?: typeof skipCSRFCheck
  raw?: typeof raw
  theme?: Theme
  /** The host of a request can be relied on. @default false */
  trustHost?: boolean
  /** @default true for https URLs */
  useSecureCookies?: boolean
  [platform]?: Partial<Platform>
  [siteEnvironment]?: SiteEnvironment
  [tracer]?: Tracer
}

/** What `Auth` resolves to in raw mode. */
// oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem
export interface ResponseInternal<Body = any> {
  status?: number
  headers?: Headers | HeadersInit
  body?: Body
  redirect?: string
  cookies?: { name: string; value: string; options: CookieSerializeOptions }[]
}

/** The first part of a path under the base path. */
export type AuthAction =
  | 'callback'
  | 'csrf'
  | 'error'
  | 'providers'
  | 'session'
  | 'signin'
  | 'signout'
  | 'verify-request'
  | 'webauthn-options'
