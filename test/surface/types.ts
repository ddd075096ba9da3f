/**
 * Compiles if the types of the ecosystem exist under their names and fit together as real code expects: each is used
 * once, as its callers use it. Nothing here runs.
 */
import type {
  Adapter,
  AdapterAccount,
  AdapterAccountType,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../../src/adapters.ts'
import { Auth, customFetch, raw, setEnvDefaults, skipCSRFCheck, type AuthConfig } from '../../src/index.ts'
import type {
  DefaultJWT,
  GetTokenParams,
  JWT,
  JWTDecodeParams,
  JWTEncodeParams,
  JWTOptions,
} from '../../src/jwt.ts'
import type * as providers from '../../src/providers.ts'
import GitHub from '../../src/providers/github.ts'
import type * as types from '../../src/types.ts'

type Same<A, B> = [A, B] extends [B, A] ? true : never

declare module '../../src/types.ts' {
  interface Session {
    augmented?: string
  }
}

const request = new Request('https://app.test/auth/session')
const config: AuthConfig = { providers: [GitHub, GitHub({ clientId: 'id', [customFetch]: fetch })] }

/** The overloads of Auth. */
export const response: Promise<Response> = Auth(request, config)
export const internal: Promise<types.ResponseInternal> = Auth(request, { ...config, raw })
export const unchecked: Promise<Response> = Auth(request, { ...config, skipCSRFCheck })
// @ts-expect-error the result is data in raw mode
export const wrong: Promise<Response> = Auth(request, { ...config, raw })
// @ts-expect-error raw accepts only its symbol
export const truthy = Auth(request, { ...config, raw: true })
setEnvDefaults({ AUTH_SECRET: 'x' }, config)

export const adapter: Adapter = {}
export const accountType: Same<AdapterAccountType, 'oauth' | 'oidc' | 'email' | 'webauthn'> = true
export const records: readonly [AdapterAccount, AdapterSession, AdapterUser, VerificationToken] = [
  { userId: '1', type: 'oidc', provider: 'p', providerAccountId: 'a', anything: 1 },
  { sessionToken: 't', userId: '1', expires: new Date() },
  { id: '1', email: 'a@b.c', emailVerified: null },
  { identifier: 'a@b.c', token: 'hash', expires: new Date() },
]
export const authenticator = (row: AdapterAuthenticator): types.Authenticator => row

export const options: Partial<JWTOptions> = {
  encode: (params: JWTEncodeParams) => params.salt,
  decode: (params: JWTDecodeParams): JWT => ({ sub: params.token }),
}
export const tokenParams: GetTokenParams = { req: request }
export const jwt: DefaultJWT = { name: null, anything: 1 }

export const user: types.User & types.DefaultUser = { id: '1', name: null }
export const session: types.Session & types.DefaultSession = { user, expires: '', augmented: 'yes' }
export const account: types.Account = { provider: 'p', providerAccountId: 'a', type: 'credentials' }
export const profile: types.Profile = { sub: '1', email_verified: true, claim: [] }
export const tokens: types.TokenSet = { access_token: 'a', token_type: 'bearer', expires_at: 5 }
export const action: types.AuthAction = 'verify-request'
export const later: types.Awaitable<string> = Promise.resolve('x')
export const now: types.Awaited<Promise<string>> = 'x'
export const cookies: Partial<types.CookiesOptions> = { state: { name: 'x', options: { priority: 'high' } } }
export const cookie: types.CookieOption = { name: 'x', options: {} }
export const errors: [types.ErrorPageParam, types.SignInPageErrorParam] = ['Verification', 'SessionRequired']
export const logger: Partial<types.LoggerInstance> = { warn: (code: types.WarningCode) => void code }
export const pages: Partial<types.PagesOptions> = { newUser: '/hello' }
export const theme: types.Theme = { colorScheme: 'auto' }
export const version: types.SemverString = 'v14.0.0'
export const shown: types.PublicProvider = {
  id: 'p',
  name: 'P',
  type: 'oidc',
  signinUrl: '',
  callbackUrl: '',
}
export const ceremony: types.WebAuthnOptionsResponseBody = { action: 'register', options: {} }

export const provider: providers.Provider = GitHub
export const id: providers.ProviderId = 'github'
export const presets: Pick<providers.BuiltInProviders, 'github'> = { github: GitHub }
export const type: Same<providers.ProviderType, 'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn'> =
  true
export const common: providers.CommonProviderOptions = { id: 'p', name: 'P', type: 'oauth' }
export const configs: providers.AppProviders = [
  { id: 'p', name: 'P', type: 'oauth', checks: ['state'] } satisfies providers.OAuth2Config,
  { id: 'q', name: 'Q', type: 'oidc', checks: ['nonce'] } satisfies providers.OIDCConfig,
]
// @ts-expect-error nonce is an oidc check only
export const check: providers.OAuth2Config['checks'] = ['nonce']
