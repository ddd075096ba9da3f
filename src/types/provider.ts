import type { Client, PrivateKey } from 'oauth4webapi'
import type { customFetch } from '../symbols.ts'
import type { Adapter, AdapterUser } from './adapter.ts'
import type { Account, Awaitable, Profile, ProviderType, TokenSet, User } from './records.ts'
import type { Theme } from './theme.ts'

/** What every provider has. */
export interface CommonProviderOptions {
  /** Identifies the provider, and is part of its URLs. */
  id: string
  /** The label on the sign-in button. */
  name: string
  type: ProviderType
}

/** How the sign-in button looks. */
export interface OAuthProviderButtonStyles {
  /** A CSS colour. */
  brandColor?: string
  /** A `data:` URI, or a path of the same origin; others are not shown. */
  logo?: string
  /** @deprecated use brandColor */
  bg?: string
  /** @deprecated has no effect */
  text?: string
}

/** An endpoint with more than its URL. */
export interface EndpointHandler<Context> {
  url?: string
  params?: Record<string, unknown>
  /** Replaces the request that the library would send. */
  request?: (context: Context) => Awaitable<unknown>
}

/** Where the sign-in starts: a URL and its parameters. */
export type AuthorizationEndpointHandler = Omit<EndpointHandler<never>, 'request'>

/** Where the code is exchanged for tokens. */
export interface TokenEndpointHandler extends Omit<EndpointHandler<never>, 'request'> {
  /** Replaces the token request; answers the token response, before it is judged. */
  request?: (context: {
    params: URLSearchParams
    provider: OAuth2Config<Profile> | OIDCConfig<Profile>
  }) => Awaitable<{ tokens: TokenSet } | Response>
  /** Mends a response that does not conform; undefined keeps it. */
  conform?: (response: Response) => Awaitable<Response | undefined>
  /** Signs client assertions (`private_key_jwt`). */
  clientPrivateKey?: PrivateKey | CryptoKey
}

/** Where the profile is read with the access token. */
export type UserinfoEndpointHandler = EndpointHandler<{
  tokens: TokenSet
  provider: OAuth2Config<Profile> | OIDCConfig<Profile>
}>

/** What binds an answer to its sign-in: PKCE (RFC 7636), `state` (RFC 6749 section 10.12), or nothing. */
export type OAuthChecks = 'pkce' | 'state' | 'none'
/** As for OAuth, and `nonce` (OpenID Connect Core section 3.1.2.1). */
export type OIDCChecks = OAuthChecks | 'nonce'

/** Turns a profile into the user to store. */
export type ProfileCallback<P> = (profile: P, tokens: TokenSet) => Awaitable<User>

/** Picks the part of the token set that is stored with the account. */
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined | void

/** The endpoints that a provider may configure. */
export type OAuthEndpointType = 'authorization' | 'token' | 'userinfo'

interface OAuthBase<P> {
  id: string
  name: string
  /** Where the sign-in starts; a URL, or a URL with parameters. */
  authorization?: string | AuthorizationEndpointHandler
  token?: string | TokenEndpointHandler
  userinfo?: string | UserinfoEndpointHandler
  /** URL of the discovery document. @default `<issuer>/.well-known/openid-configuration` */
  wellKnown?: string
  issuer?: string
  jwks_endpoint?: string
  clientId?: string
  clientSecret?: string
  /** Client metadata, as oauth4webapi takes it. */
  client?: Partial<Client> & { token_endpoint_auth_method?: string }
  /** Turns a profile into the user to store. @default id, name, email and image of the standard claims */
  profile?: ProfileCallback<P>
  /** Picks what of the token set is stored with the account. */
  account?: AccountCallback
  /**
   * Links a sign-in to an existing user with the same e-mail address. Safe only where the provider verifies addresses. A
   * profile whose `email_verified` is there, and is neither `true` nor `'true'`, is not linked.
   * @default false
   */
  allowDangerousEmailAccountLinking?: boolean
  /** @default the configuration's `redirectProxyUrl` */
  redirectProxyUrl?: string
  /** Accepts plain http endpoints on hosts other than loopback. @default false */
  allowInsecureRequests?: boolean
  /** Milliseconds until a request to the provider is given up. @default 10000 */
  timeout?: number
  /** Tenants whose tokens a templated issuer (`{tenantid}`) accepts. @default any */
  tenants?: readonly string[]
  style?: OAuthProviderButtonStyles
  /** Sends the requests to the endpoints in place of the platform. */
  [customFetch]?: typeof fetch
}

/** A provider that speaks OAuth 2.0: the profile comes from its userinfo endpoint. */
export interface OAuth2Config<P = Profile> extends OAuthBase<P> {
  type: 'oauth'
  /** @default ['pkce'] */
  checks?: OAuthChecks[]
  options?: OAuthUserConfig<P>
}

/** A provider that speaks OpenID Connect: the profile is in its id_token. */
export interface OIDCConfig<P = Profile> extends OAuthBase<P> {
  type: 'oidc'
  /** @default ['pkce', 'nonce'] */
  checks?: OIDCChecks[]
  /** `false` reads the user from the userinfo endpoint; an id_token is required all the same. @default true */
  idToken?: boolean
  options?: OIDCUserConfig<P>
}

/** A provider of either kind. */
export type OAuthConfig<P = Profile> = OAuth2Config<P> | OIDCConfig<P>
/** What may be said of an OAuth provider beside its preset. */
export type OAuthUserConfig<P = Profile> = Partial<Omit<OAuth2Config<P>, 'options' | 'type'>>
/** What may be said of an OpenID Connect provider beside its preset. */
export type OIDCUserConfig<P = Profile> = Partial<Omit<OIDCConfig<P>, 'options' | 'type'>>

/** What there is to write a mail with. */
export interface EmailProviderSendVerificationRequestParams {
  identifier: string
  url: string
  expires: Date
  provider: EmailConfig
  token: string
  theme: Theme
  request: Request
}

/** A provider that mails links which sign in once. */
export interface EmailConfig extends CommonProviderOptions {
  type: 'email'
  from?: string
  /** Seconds a link works. @default 86400 */
  maxAge?: number
  /** Sends the mail; a throw is an EmailSignInError. */
  sendVerificationRequest: (params: EmailProviderSendVerificationRequestParams) => Awaitable<void>
  /** Hashes tokens instead of the configuration's secret. */
  secret?: string
  apiKey?: string
  /** The transport of nodemailer, whose types may not be installed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem
  server?: any
  /**
   * Makes the token of the link. One with room for fewer than 64 random bits, such as a code of six digits, can be guessed:
   * it is warned of as `weak-link-token`, and needs `callbacks.rateLimit`.
   *
   * @default 32 random bytes, hex
   */
  generateVerificationToken?: () => Awaitable<string>
  /**
   * Brings an address into one form, or throws for one that is none. @default lower case and NFKC, one
   * address
   */
  normalizeIdentifier?: (identifier: string) => string
  /**
   * In which browsers the link opens a page that names the address, and signs in only when its button is pressed:
   * - `'elsewhere'`: in every browser but the one that requested the link.
   * - `'always'` or `true`: in every browser.
   * - `'never'` or `false`: in none, as in Auth.js. Whoever opens the link is signed in, which includes mail scanners and
   *   the visitors of a page that redirects to somebody else's link. With `accountLinking: 'session'` this is warned of as
   *   `unconfirmed-links`.
   *
   * @default 'elsewhere'
   */
  confirm?: boolean | 'elsewhere' | 'always' | 'never'
  /**
   * A new link ends the older ones that the same browser requested for the same address, and so does a sign-in by one of
   * them. Links that other browsers requested stay valid, so that nobody can end a link of somebody else.
   *
   * @default false
   */
  supersedeLinks?: boolean
  /** Used for requests to the mail service. */
  [customFetch]?: typeof fetch
  options?: EmailUserConfig
}
/** What may be said of an e-mail provider beside its preset. */
export type EmailUserConfig = Partial<Omit<EmailConfig, 'options' | 'type'>>

/** Any attribute of an HTML input, and its label. */
export interface CredentialInput {
  label?: string
  type?: string
  placeholder?: string
  value?: string | number
  required?: boolean
  autocomplete?: string
  [attribute: string]: unknown
}

/** A provider whose form the application judges by itself. */
export interface CredentialsConfig<
  Inputs extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> extends CommonProviderOptions {
  type: 'credentials'
  credentials: Inputs
  /**
   * Answers the user, null for a refusal, or throws CredentialsSignin. The user needs an `id`. With an adapter it is the id
   * of the user's row, also with sessions in tokens: an id of another system that equals the id of somebody's row makes
   * that row the one that further identities are linked to.
   */
  authorize(
    credentials: Partial<Record<keyof Inputs, unknown>>,
    request: Request,
  ): Awaitable<User | null | undefined>
  options?: Partial<CredentialsConfig>
}
/** The name of the one credentials provider that there is. */
export type CredentialsProviderType = 'Credentials'

/** The default id of a credentials provider. */
export type CredentialsProviderId = 'credentials'

/** Who asks for a passkey (WebAuthn section 5.4.2). */
export interface RelayingParty {
  /** A host name: credentials work on it and below it. */
  id: string
  name: string
  /** Where ceremonies take place; compared exactly. */
  origin: string
}

/** What hooks of a WebAuthn provider are told. */
export interface WebAuthnContext {
  provider: WebAuthnConfig
  adapter: Adapter
  url: URL
}

/** Who is asking for a ceremony: a user of the store, or somebody who may become one. */
export type WebAuthnUserInfo =
  { user: AdapterUser; exists: true } | { user: Omit<User, 'id'>; exists: false } | null

/** What SimpleWebAuthn reports about a registered credential: since version 11 nested, in version 9 with bytes as the id. */
export type WebAuthnRegistration = (
  | { credential: { id: string; publicKey: Uint8Array; counter: number } }
  | { credentialID: string | Uint8Array; credentialPublicKey: Uint8Array; counter: number }
) & { credentialDeviceType: string; credentialBackedUp: boolean }

/** The functions of `@simplewebauthn/server` (9 to 14) that run the ceremonies, as far as the library knows them. */
export interface SimpleWebAuthn {
  /** As the package has it. */
  generateAuthenticationOptions(options: object): Promise<object>
  /** As the package has it. */
  generateRegistrationOptions(options: object): Promise<object>
  /** As the package has it. */
  verifyAuthenticationResponse(
    options: object,
  ): Promise<{ verified: boolean; authenticationInfo?: { newCounter: number } }>
  /** As the package has it. */
  verifyRegistrationResponse(
    options: object,
  ): Promise<{ verified: boolean; registrationInfo?: WebAuthnRegistration }>
}

/** Configuration of a WebAuthn provider; its ceremonies run on `@simplewebauthn/server`. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: 'webauthn'
  /** Of a list, the first counts. @default host name, host and origin of the site */
  relayingParty?: { id?: string | string[]; name?: string | string[]; origin?: string | string[] }
  /** Replaces `relayingParty`. */
  getRelayingParty?: (context: WebAuthnContext, request: Request) => Awaitable<RelayingParty>
  /** Offers passkeys while the sign-in page is filled in; of one provider only. @default true */
  enableConditionalUI?: boolean
  /** `false` leaves the script out of the sign-in page. The version is the one that is built in, whatever it says. */
  simpleWebAuthnBrowserVersion?: string | false
  /** Fields of the sign-in page's form. Without them it is not shown. */
  formFields?: Record<string, CredentialInput>
  /** For `generateAuthenticationOptions`, but for what the library sets. */
  authenticationOptions?: Record<string, unknown>
  /** For `generateRegistrationOptions`, but for what the library sets. */
  registrationOptions?: Record<string, unknown>
  /** For `verifyAuthenticationResponse`, but for what the library sets. */
  verifyAuthenticationOptions?: Record<string, unknown>
  /** For `verifyRegistrationResponse`, but for what the library sets. */
  verifyRegistrationOptions?: Record<string, unknown>
  /**
   * Who asks, when nobody is signed in; without side effects. Its answer tells whoever asks who is known.
   * @default somebody new, by the name in the form field `email`
   */
  getUserInfo?: (context: WebAuthnContext, request: Request) => Awaitable<WebAuthnUserInfo>
  /** @default those of the package `@simplewebauthn/server`, loaded when one is first called */
  simpleWebAuthn?: Partial<SimpleWebAuthn>
  options?: WebAuthnUserConfig
}
/** What may be said of a WebAuthn provider beside its preset. */
export type WebAuthnUserConfig = Partial<Omit<WebAuthnConfig, 'options' | 'type'>>

/** The `type` of e-mail providers. */
export type EmailProviderType = 'email'
/** The `type` of passkey providers. */
export type WebAuthnProviderType = 'webauthn'

type WithFactory<T> = T | (() => T)

/** A provider: its configuration, or a function that makes one. */
// oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem: each provider has a profile of its own
export type Provider<P extends Profile = any> =
  | WithFactory<OAuth2Config<P>>
  | WithFactory<OIDCConfig<P>>
  | WithFactory<EmailConfig>
  | WithFactory<CredentialsConfig>
  | WithFactory<WebAuthnConfig>

/** What the providers route tells of a provider. */
export interface PublicProvider {
  id: string
  name: string
  type: ProviderType
  signinUrl: string
  callbackUrl: string
}

/** A provider as the library resolved it. */
export type AppProvider = PublicProvider & { readonly [option: string]: unknown }

/** What names an account. */
export type ProviderAccount = Pick<Account, 'provider' | 'providerAccountId' | 'type'>
