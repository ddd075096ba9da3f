import type { Client, PrivateKey } from 'oauth4webapi'
import type { OptionalEmailOptions, OptionalOIDCOptions } from '../features/types.ts'
import type { customFetch } from './symbols.ts'
import type { Adapter, AdapterUser } from './adapter.ts'
import type { Awaitable, Profile, ProviderType, TokenSet, User } from './records.ts'
import type { SimpleWebAuthn } from './simple-webauthn.ts'
import type { Theme } from './theme.ts'

declare const unset: unique symbol

/** The type of a preset's option `id` if the application does not set it. */
export interface UnsetId {
  readonly [unset]: true
}

/** The type of the option `id`, which presets infer as a literal. */
export type GivenId = string | UnsetId

/** A provider whose id the compiler knows: the option `id`, or else the preset's own. */
export type Identified<Config, Own extends string, Given> = Config & {
  readonly id: Own
  readonly options?: { readonly id?: Given }
}

/** Options of every provider. */
export interface CommonProviderOptions {
  /** Identifies the provider. Part of its URLs. */
  id: string
  /** The label on the sign-in button. */
  name: string
  /** The protocol of the provider. */
  type: ProviderType
}

/** The look of the sign-in button. */
export interface OAuthProviderButtonStyles {
  /** A CSS colour. */
  brandColor?: string
  /** A `data:` URI, or a path of the same origin. Other values are ignored. */
  logo?: string
  /** A mark in one colour, shown if there is no `logo`: the path data of an SVG with the view box `0 0 24 24`. */
  mark?: string
  /** @deprecated use brandColor */
  bg?: string
  /** @deprecated has no effect */
  text?: string
}

/** An endpoint with more options than its URL. */
export interface EndpointHandler<Context> {
  /** URL of the endpoint. @default from the discovery document */
  url?: string
  /** Parameters to add to the request. */
  params?: Record<string, unknown>
  /** Replaces the request that the library would send. */
  request?: (context: Context) => Awaitable<unknown>
}

/** The URL and parameters of the endpoint where a sign-in starts. */
export type AuthorizationEndpointHandler = Omit<EndpointHandler<never>, 'request'>

/** The endpoint that exchanges the code for tokens. */
export interface TokenEndpointHandler extends Omit<EndpointHandler<never>, 'request'> {
  /** Replaces the token request. Returns the token response, which the library then validates. */
  request?: (context: {
    params: URLSearchParams
    provider: OAuth2Config<Profile> | OIDCConfig<Profile>
  }) => Awaitable<{ tokens: TokenSet } | Response>
  /** Repairs a response that violates the standard. Return undefined to keep it unchanged. */
  conform?: (response: Response) => Awaitable<Response | undefined>
  /** The key that signs client assertions (`private_key_jwt`). */
  clientPrivateKey?: PrivateKey | PrivateKey['key']
}

/** The endpoint that returns the profile for an access token. */
export type UserinfoEndpointHandler = EndpointHandler<{
  tokens: TokenSet
  provider: OAuth2Config<Profile> | OIDCConfig<Profile>
}>

/** The check that binds a response to its sign-in: PKCE (RFC 7636), `state` (RFC 6749 section 10.12), or none. */
export type OAuthChecks = 'pkce' | 'state' | 'none'
/** The checks of OAuth, and `nonce` (OpenID Connect Core section 3.1.2.1). */
export type OIDCChecks = OAuthChecks | 'nonce'

/** Maps a profile to the user to store. */
export type ProfileCallback<P> = (profile: P, tokens: TokenSet) => Awaitable<User>

/** Returns the part of the token set to store with the account. */
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined | void

/** The endpoints of a provider that can be configured. */
export type OAuthEndpointType = 'authorization' | 'token' | 'userinfo'

interface OAuthBase<P> {
  id: string
  name: string
  /** The endpoint where the sign-in starts: a URL, or a URL with parameters. */
  authorization?: string | AuthorizationEndpointHandler
  token?: string | TokenEndpointHandler
  userinfo?: string | UserinfoEndpointHandler
  /** URL of the discovery document. @default `<issuer>/.well-known/openid-configuration` */
  wellKnown?: string
  issuer?: string
  jwks_endpoint?: string
  clientId?: string
  clientSecret?: string
  /** Client metadata for oauth4webapi. */
  client?: Partial<Client> & { token_endpoint_auth_method?: string }
  /** Maps a profile to the user to store. @default id, name, email and image of the standard claims */
  profile?: ProfileCallback<P>
  /** Returns the part of the token set to store with the account. */
  account?: AccountCallback
  /**
   * Links a sign-in to an existing user with the same e-mail address. Safe only if the provider verifies addresses. If
   * the profile has an `email_verified` that is neither `true` nor `'true'`, it is not linked.
   * @default false
   */
  allowDangerousEmailAccountLinking?: boolean
  /**
   * Stores the address of a new user although the profile has an `email_verified` that is neither `true` nor `'true'`.
   * Safe only if nobody can open an account at the provider with someone else's address: the owner of the address signs
   * in to the same user later, by a mailed link or a password. Without the option, the user has no address.
   * @default false
   */
  storeUnverifiedEmail?: boolean
  /** @default the configuration's `redirectProxyUrl` */
  redirectProxyUrl?: string
  /** Allows plain http endpoints on hosts other than loopback. @default false */
  allowInsecureRequests?: boolean
  /** Timeout of a request to the provider in milliseconds. @default 10000 */
  timeout?: number
  /** The tenants whose tokens are accepted, for an issuer with `{tenantid}`. @default any */
  tenants?: readonly string[]
  style?: OAuthProviderButtonStyles
  /** Replaces the platform's fetch for requests to the endpoints. */
  [customFetch]?: typeof fetch
}

/** An OAuth 2.0 provider. The profile comes from its userinfo endpoint. */
export interface OAuth2Config<P = Profile> extends OAuthBase<P> {
  /** The protocol of the provider. */
  type: 'oauth'
  /** @default ['pkce'] */
  checks?: OAuthChecks[]
  /** The options of the user, which override the preset. */
  options?: OAuthUserConfig<P>
}

/** An OpenID Connect provider. The profile comes from its id_token. */
export interface OIDCConfig<P = Profile> extends OAuthBase<P>, OptionalOIDCOptions {
  /** The protocol of the provider. */
  type: 'oidc'
  /** @default ['pkce', 'nonce'] */
  checks?: OIDCChecks[]
  /** If `false`, the profile comes from the userinfo endpoint. An id_token is still required. @default true */
  idToken?: boolean
  /** The options of the user, which override the preset. */
  options?: OIDCUserConfig<P>
}

/** An OAuth or OpenID Connect provider. */
export type OAuthConfig<P = Profile> = OAuth2Config<P> | OIDCConfig<P>
/** The options of an OAuth preset. */
export type OAuthUserConfig<P = Profile> = Partial<Omit<OAuth2Config<P>, 'options' | 'type'>>
/** The options of an OpenID Connect preset. */
export type OIDCUserConfig<P = Profile> = Partial<Omit<OIDCConfig<P>, 'options' | 'type'>>

/** The data for an e-mail with a sign-in link or code. */
export interface EmailProviderSendVerificationRequestParams {
  /** The address to send the mail to, in canonical form. */
  identifier: string
  /** The link that signs in. For a code, the URL of the page that asks for it, which does not contain the code. */
  url: string
  /** When the link or code expires. */
  expires: Date
  /** The provider, with its options merged. */
  provider: EmailConfig
  /** The token in the link, or the code. */
  token: string
  /** Look of the mail. */
  theme: Theme
  /** The request that asked for the mail. */
  request: Request
}

/** A provider that mails links or codes. Each signs in once. */
export interface EmailConfig extends CommonProviderOptions, OptionalEmailOptions {
  /** The protocol of the provider. */
  type: 'email'
  /** The sender. @default `no-reply@` and the host of the site */
  from?: string
  /** Lifetime of a link or code in seconds. A code is valid for at most 600 seconds. @default 86400, or 600 for codes */
  maxAge?: number
  /** Sends the mail. If it throws, the sign-in fails with EmailSignInError. */
  sendVerificationRequest: (params: EmailProviderSendVerificationRequestParams) => Awaitable<void>
  /** Hashes the tokens, instead of the secret of the configuration. */
  secret?: string
  /** The key of the mail service. @default the environment variable `AUTH_<ID>_KEY` */
  apiKey?: string
  /** The transport of nodemailer, whose types may not be installed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem
  server?: any
  /**
   * Creates the token of the link. A token with fewer than 64 random bits, such as a six-digit code, can be guessed. It
   * causes the warning `weak-link-token`; limit attempts with `callbacks.rateLimit`.
   *
   * @default 32 random bytes, hex
   */
  generateVerificationToken?: () => Awaitable<string>
  /** Returns the canonical form of an address, or throws if it is invalid. @default lower case and NFKC, one address */
  normalizeIdentifier?: (identifier: string) => string
  /**
   * Decides in which browsers a link opens a page that shows the address, and signs in only after a click:
   * - `'elsewhere'`: in every browser except the one that requested the link.
   * - `'always'` or `true`: in every browser.
   * - `'never'` or `false`: in none, as in Auth.js. Anyone who opens the link is signed in, including mail scanners,
   *   and visitors of a page that redirects to someone else's link. With `accountLinking: 'session'`, it causes the
   *   warning `unconfirmed-links`.
   *
   * @default 'elsewhere'
   */
  confirm?: boolean | 'elsewhere' | 'always' | 'never'
  /**
   * Whether a new link, or a sign-in with one, invalidates older links that the same browser requested for the same
   * address. Links requested by other browsers stay valid, so nobody can invalidate someone else's link.
   *
   * @default false
   */
  supersedeLinks?: boolean
  /** Replaces the platform's fetch for requests to the mail service. */
  [customFetch]?: typeof fetch
  /** The options of the user, which override the preset. */
  options?: EmailUserConfig
}
/** The options of an e-mail preset. */
export type EmailUserConfig = Partial<Omit<EmailConfig, 'options' | 'type'>>

/** The attributes of an HTML input, and its label. */
export interface CredentialInput {
  /** The label next to the field. */
  label?: string
  /** The type of the input. @default 'text' */
  type?: string
  /** The text in the empty field. */
  placeholder?: string
  /** The initial value. */
  value?: string | number
  /** Whether the browser refuses an empty field. @default false */
  required?: boolean
  /** The value that the browser may fill in, such as `username`. */
  autocomplete?: string
  [attribute: string]: unknown
}

/** The context of `authorize`. */
export interface AuthorizeContext {
  /** The adapter of the configuration, if it has one. An operation that the adapter lacks throws AdapterError. */
  readonly adapter: Required<Adapter> | undefined
}

/** A provider whose form your application validates. */
export interface CredentialsConfig<
  Inputs extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> extends CommonProviderOptions {
  /** The protocol of the provider. */
  type: 'credentials'
  /** The fields of the form, by name. */
  credentials: Inputs
  /**
   * Returns the user, returns null to refuse, or throws CredentialsSignin. The user needs an `id`. With an adapter, it
   * must be the id of the user's row, even for JWT sessions: further identities are linked to the row with this id. If
   * an id of another system equals the id of a row, they are linked to the wrong user.
   */
  authorize(
    credentials: Partial<Record<keyof Inputs, unknown>>,
    request: Request,
    context: AuthorizeContext,
  ): Awaitable<User | null | undefined>
  /** The options of the user, which override the preset. */
  options?: Partial<CredentialsConfig>
}
/** The name of the credentials provider. */
export type CredentialsProviderType = 'Credentials'

/** The default id of a credentials provider. */
export type CredentialsProviderId = 'credentials'

/** The site that requests a passkey (WebAuthn section 5.4.2). */
export interface RelayingParty {
  /** A host name. Credentials are valid for it and its subdomains. */
  id: string
  /** The name that the browser shows. */
  name: string
  /** The origins of ceremonies, including related ones and those of Android applications, compared exactly. */
  origin: string | string[]
}

/** The context of a WebAuthn provider's hooks. */
export interface WebAuthnContext {
  /** The provider, with its options merged. */
  provider: WebAuthnConfig
  /** The adapter of the configuration. */
  adapter: Adapter
  /** The URL of the request. */
  url: URL
}

/** The user who starts a ceremony: a stored user, or a new one. */
export type WebAuthnUserInfo =
  { user: AdapterUser; exists: true } | { user: Omit<User, 'id'>; exists: false } | null

/** A WebAuthn provider. Its ceremonies run on `@simplewebauthn/server`. */
export interface WebAuthnConfig extends CommonProviderOptions {
  /** The protocol of the provider. */
  type: 'webauthn'
  /**
   * The site, as in `RelayingParty`. If the ids or names are a list, the first entry is used, and a warning is logged.
   * @default host name, host and origin of the site
   */
  relayingParty?: { id?: string | string[]; name?: string | string[]; origin?: string | string[] }
  /** Replaces `relayingParty`. */
  getRelayingParty?: (context: WebAuthnContext, request: Request) => Awaitable<RelayingParty>
  /** Offers passkeys in form fields of the sign-in page. Only one provider can. @default true */
  enableConditionalUI?: boolean
  /** `false` removes the script from the sign-in page. The version has no effect: the built-in one is used. */
  simpleWebAuthnBrowserVersion?: string | false
  /** Fields of the provider's form on the sign-in page. Without them, there is no form. */
  formFields?: Record<string, CredentialInput>
  /** Options for `generateAuthenticationOptions`, except for those that the library sets. */
  authenticationOptions?: Record<string, unknown>
  /** Options for `generateRegistrationOptions`, except for those that the library sets. */
  registrationOptions?: Record<string, unknown>
  /** Options for `verifyAuthenticationResponse`, except for those that the library sets. */
  verifyAuthenticationOptions?: Record<string, unknown>
  /** Options for `verifyRegistrationResponse`, except for those that the library sets. */
  verifyRegistrationOptions?: Record<string, unknown>
  /**
   * Returns the user who starts a ceremony without being signed in. It must have no side effects. The response reveals
   * to anyone whether that user exists.
   * @default a new user with the name in the form field `email`
   */
  getUserInfo?: (context: WebAuthnContext, request: Request) => Awaitable<WebAuthnUserInfo>
  /** Replaces functions of `@simplewebauthn/server`. @default those of the package, loaded on first use */
  simpleWebAuthn?: Partial<SimpleWebAuthn>
  /** The options of the user, which override the preset. */
  options?: WebAuthnUserConfig
}
/** The options of a WebAuthn preset. */
export type WebAuthnUserConfig = Partial<Omit<WebAuthnConfig, 'options' | 'type'>>

/** The `type` of e-mail providers. */
export type EmailProviderType = 'email'
/** The `type` of passkey providers. */
export type WebAuthnProviderType = 'webauthn'

type WithFactory<T> = T | (() => T)

/** A provider: its configuration, or a function that returns one. */
// oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem: each provider has its own profile
export type Provider<P extends Profile = any> =
  | WithFactory<OAuth2Config<P>>
  | WithFactory<OIDCConfig<P>>
  | WithFactory<EmailConfig>
  | WithFactory<CredentialsConfig>
  | WithFactory<WebAuthnConfig>
