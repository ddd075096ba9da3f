/** A program as Auth.js users write it. It compiles unchanged against the types of `@auth/core` and of this library. */
import {
  Auth,
  createActionURL,
  customFetch,
  isAuthAction,
  raw,
  setEnvDefaults,
  skipCSRFCheck,
  type AuthConfig,
} from '@auth/core'
import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '@auth/core/adapters'
import { AuthError, CredentialsSignin } from '@auth/core/errors'
import { decode, encode, getToken, type JWT } from '@auth/core/jwt'
import type { OAuthConfig, OAuthUserConfig, OIDCConfig, OIDCUserConfig, Provider } from '@auth/core/providers'
import Auth0 from '@auth/core/providers/auth0'
import Credentials, { type CredentialInput, type CredentialsConfig } from '@auth/core/providers/credentials'
import Discord from '@auth/core/providers/discord'
import GitHub, { type GitHubProfile } from '@auth/core/providers/github'
import Google, { type GoogleProfile } from '@auth/core/providers/google'
import Keycloak from '@auth/core/providers/keycloak'
import MicrosoftEntraID from '@auth/core/providers/microsoft-entra-id'
import Nodemailer, { type NodemailerConfig } from '@auth/core/providers/nodemailer'
import type { EmailConfig } from '@auth/core/providers/email'
import Passkey from '@auth/core/providers/passkey'
import Resend from '@auth/core/providers/resend'
import type {
  Account,
  Awaitable,
  DefaultSession,
  LoggerInstance,
  Profile,
  Session,
  TokenSet,
  User,
} from '@auth/core/types'

declare module '@auth/core/types' {
  interface Session {
    accessToken?: string
    error?: 'RefreshTokenError'
    user: { id: string; role: string; address?: string } & DefaultSession['user']
  }
  interface User {
    role?: string
  }
  interface Account {
    realm?: string
  }
}
declare module '@auth/core/jwt' {
  interface JWT {
    accessToken?: string
    access_token: string
    expires_at: number
    refresh_token?: string
    role?: string
    error?: 'RefreshTokenError'
  }
}

class InvalidLoginError extends CredentialsSignin {
  code = 'Invalid identifier or password'
}

declare const database: {
  find(where: object): Promise<{ id: string; name: string; email: string; role: string } | null>
}

// The official guide to refresh-token rotation.
export const rotation: AuthConfig = {
  providers: [
    Google({
      clientId: 'id',
      clientSecret: 'secret',
      authorization: { params: { access_type: 'offline', prompt: 'consent', response_type: 'code' } },
    }),
  ],
  callbacks: {
    async jwt({ token, account }) {
      if (account) {
        return {
          ...token,
          access_token: account.access_token as string,
          expires_at: account.expires_at as number,
          refresh_token: account.refresh_token,
        }
      } else if (Date.now() < token.expires_at * 1000) {
        return token
      } else {
        if (!token.refresh_token) throw new TypeError('Missing refresh_token')
        try {
          const response = await fetch('https://oauth2.googleapis.com/token', {
            method: 'POST',
            body: new URLSearchParams({
              client_id: 'id',
              grant_type: 'refresh_token',
              refresh_token: token.refresh_token,
            }),
          })
          const tokensOrError = await response.json()
          if (!response.ok) throw tokensOrError
          const newTokens = tokensOrError as {
            access_token: string
            expires_in: number
            refresh_token?: string
          }
          return {
            ...token,
            access_token: newTokens.access_token,
            expires_at: Math.floor(Date.now() / 1000 + newTokens.expires_in),
            refresh_token: newTokens.refresh_token ? newTokens.refresh_token : token.refresh_token,
          }
        } catch (error) {
          token.error = 'RefreshTokenError'
          return token
        }
      }
    },
    async session({ session, token }) {
      session.error = token.error
      return session
    },
  },
}

export const config = {
  basePath: '/api/auth',
  trustHost: true,
  secret: process.env.AUTH_SECRET,
  debug: process.env.NODE_ENV !== 'production',
  pages: { signIn: '/login', signOut: '/out', error: '/oops', verifyRequest: '/mail', newUser: '/welcome' },
  theme: {
    logo: 'https://authjs.dev/img/logo-sm.png',
    colorScheme: 'auto',
    brandColor: '#fff',
    buttonText: '#000',
  },
  session: { strategy: 'jwt', maxAge: 60, updateAge: 30, generateSessionToken: () => crypto.randomUUID() },
  cookies: {
    sessionToken: {
      name: 'mine',
      options: { httpOnly: true, sameSite: 'lax', path: '/', secure: true, domain: 'a.test' },
    },
    pkceCodeVerifier: { name: 'pkce' },
  },
  useSecureCookies: true,
  experimental: { enableWebAuthn: true },
  jwt: {
    maxAge: 60,
    async encode({ token, secret, salt, maxAge }) {
      return encode({ token, secret, salt, maxAge })
    },
    async decode({ token, secret, salt }) {
      return decode({ token, secret, salt })
    },
  },
  logger: {
    error(error) {
      console.error(error.name, error.message, error.cause, error.stack)
    },
    warn(code) {
      console.warn(code)
    },
    debug(message, metadata) {
      console.debug(message, metadata)
    },
  },
  providers: [
    GitHub,
    GitHub({
      clientId: 'a',
      clientSecret: 'b',
      allowDangerousEmailAccountLinking: true,
      account(account) {
        const refresh_token_expires_at =
          Math.floor(Date.now() / 1000) + Number(account.refresh_token_expires_in)
        return {
          access_token: account.access_token,
          expires_at: account.expires_at,
          refresh_token: account.refresh_token,
          refresh_token_expires_at,
        }
      },
      profile(profile) {
        return {
          id: profile.id.toString(),
          name: profile.name ?? profile.login,
          email: profile.email,
          image: profile.avatar_url,
          role: 'user',
        }
      },
      [customFetch]: async (...args: Parameters<typeof fetch>) => fetch(...args),
    }),
    Google({
      profile(profile) {
        return {
          id: profile.sub,
          name: `${profile.given_name} ${profile.family_name}`,
          email: profile.email,
          image: profile.picture,
          role: profile.role ?? 'user',
        }
      },
    }),
    Discord({ authorization: 'https://discord.com/api/oauth2/authorize?scope=identify+email' }),
    Keycloak({
      issuer: 'https://id.test/realms/a',
      clientId: 'x',
      clientSecret: 'y',
      checks: ['pkce', 'state'],
    }),
    Auth0({
      issuer: 'https://a.auth0.com',
      authorization: { params: { audience: encodeURI('https://api.test') } },
    }),
    MicrosoftEntraID({
      clientId: 'id',
      clientSecret: 's',
      issuer: 'https://login.microsoftonline.com/t/v2.0',
    }),
    Credentials({
      name: 'Credentials',
      credentials: {
        username: { label: 'Username', type: 'text', placeholder: 'jsmith' },
        password: { label: 'Password', type: 'password' },
      },
      async authorize(credentials, request) {
        const { username, password } = credentials
        if (typeof username !== 'string' || !password) throw new InvalidLoginError()
        const pwHash = String(credentials.password)
        const user = await database.find({
          email: credentials.username as string,
          pwHash,
          agent: request.headers.get('user-agent'),
        })
        if (!user) throw new Error('User not found.')
        return user
      },
    }),
    Credentials({
      credentials: { email: {}, password: {} },
      authorize: async (credentials) => {
        const response = await fetch('/login', { method: 'POST', body: JSON.stringify(credentials) })
        if (!response.ok) return null
        return (await response.json()) ?? null
      },
    }),
    Credentials({
      id: 'domain',
      authorize: (c) => ({
        name: 'Fill Murray',
        email: 'bill@fillmurray.com',
        image: 'https://a.test/i.png',
        id: '1',
        role: `${c.role}`,
      }),
    }),
    Nodemailer({
      server: { host: 'h', port: 587, auth: { user: 'u', pass: 'p' } },
      from: 'a@b.test',
      maxAge: 60,
      async sendVerificationRequest({ identifier: email, url, provider, theme, token, expires, request }) {
        const { host } = new URL(url)
        await fetch(`https://mail.test/${host}`, {
          method: 'POST',
          body: JSON.stringify({
            to: email,
            from: provider.from,
            server: provider.server,
            color: theme.brandColor,
            token,
            at: expires.toISOString(),
            ip: request.headers.get('x'),
          }),
        })
      },
      normalizeIdentifier(identifier) {
        const [local, domain] = identifier.toLowerCase().trim().split('@')
        return `${local}@${domain?.split(',')[0]}`
      },
      generateVerificationToken: async () => crypto.randomUUID(),
    }),
    Resend({ from: 'no-reply@company.com', apiKey: 'k' }),
    Passkey,
    Passkey({
      formFields: { email: { label: 'Username', autocomplete: 'username webauthn' } },
      registrationOptions: { timeout: 60_000 },
    }),
    {
      id: 'my-provider',
      name: 'My Provider',
      type: 'oidc',
      issuer: 'https://my.oidc-provider.com',
      clientId: process.env.CLIENT_ID,
      clientSecret: process.env.CLIENT_SECRET,
    },
    {
      id: 'kakao-like',
      name: 'Like',
      type: 'oauth',
      authorization: 'https://a.test/authorize?scope',
      token: 'https://a.test/token',
      userinfo: {
        url: 'https://a.test/me',
        async request({ tokens, provider }: any) {
          return fetch(provider.userinfo.url, { headers: { authorization: tokens.access_token } }).then((r) =>
            r.json(),
          )
        },
      },
      client: { token_endpoint_auth_method: 'client_secret_post' },
      profile(profile) {
        return {
          id: profile.id,
          name: profile.kakao_account?.profile.nickname,
          email: profile.kakao_account?.email,
          image: null,
        }
      },
    },
    {
      id: 'http-email',
      name: 'Email',
      type: 'email',
      maxAge: 60 * 60 * 24,
      from: 'a@b.test',
      async sendVerificationRequest({ identifier, url }) {
        await fetch(url, { body: identifier, method: 'POST' })
      },
      options: {},
    },
  ],
  callbacks: {
    async signIn({ user, account, profile, email, credentials }) {
      if (account?.provider === 'google')
        return !!profile?.email_verified && !!profile.email?.endsWith('@example.com')
      if (email?.verificationRequest) return '/blocked'
      if (credentials) return user.role !== 'banned'
      if (profile?.login) return user.email === 'a@b.test'
      return true
    },
    async redirect({ url, baseUrl }) {
      if (url.startsWith('/')) return `${baseUrl}${url}`
      else if (new URL(url).origin === baseUrl) return url
      return baseUrl
    },
    jwt({ token, user, account, profile, trigger, session, isNewUser }) {
      if (trigger === 'update' && session?.name) token.name = session.name
      if (trigger === 'update') token.name = session.user.name
      if (trigger === 'update') return { ...token, ...session.user }
      if (user) {
        token.id = user.id
        token.role = user.role
      }
      if (account) {
        token.accessToken = account.access_token
        token.sub = account.providerAccountId
        token.realm = account.realm
      }
      if (profile) token.locale = profile.locale
      return isNewUser ? token : token
    },
    session({ session, token, user, newSession, trigger }) {
      if (token.sub) session.user.id = token.sub
      session.user.role = user?.role ?? token.role ?? 'user'
      session.accessToken = token.accessToken
      if (trigger === 'update') session.user.name = newSession.name
      return { ...session, user: { ...session.user, address: String(user.id) } }
    },
  },
  events: {
    signIn: async ({ user, account, profile, isNewUser }) =>
      console.log(user.email, account?.type, profile?.sub, isNewUser),
    async signOut(message) {
      if ('session' in message) await database.find({ id: message.session?.userId })
      if ('token' in message) console.log(message.token?.sub, message.token?.role)
    },
    createUser({ user }) {
      console.log(user.id)
    },
    linkAccount({ user, account, profile }) {
      console.log(user.id, account.provider, profile.email)
    },
    session({ session, token }) {
      console.log(session.user.role, token.sub)
    },
  },
} satisfies AuthConfig

// The official guide to a custom sign-in page.
const providers: Provider[] = [
  Credentials({ credentials: { password: { label: 'Password', type: 'password' } }, authorize: () => null }),
  GitHub,
]
export const providerMap = providers
  .map((provider) => {
    if (typeof provider === 'function') {
      const providerData = provider()
      return { id: providerData.id, name: providerData.name }
    } else {
      return { id: provider.id, name: provider.name }
    }
  })
  .filter((provider) => provider.id !== 'credentials')

export interface MyProfile extends Record<string, any> {
  id: string
  nick: string
}
export function MyOAuth<P extends MyProfile>(
  options: OAuthUserConfig<P> & { realm?: string },
): OAuthConfig<P> {
  return {
    id: 'mine',
    name: 'Mine',
    type: 'oauth',
    authorization: { url: `https://mine.test/${options.realm}`, params: { scope: 'identify' } },
    token: 'https://mine.test/token',
    userinfo: 'https://mine.test/me',
    profile(profile) {
      return { id: profile.id, name: profile.nick, email: profile.email, image: profile.avatar }
    },
    style: { bg: '#fff', text: '#000', brandColor: '#123' },
    options,
  }
}
export function MyOidc(options: OIDCUserConfig<GoogleProfile>): OIDCConfig<GoogleProfile> {
  return {
    id: 'oidc',
    name: 'Oidc',
    type: 'oidc',
    issuer: 'https://mine.test',
    checks: ['pkce', 'nonce'],
    idToken: true,
    options,
  }
}
export const own: AuthConfig = {
  providers: [MyOAuth({ clientId: 'a', clientSecret: 'b', realm: 'r' }), MyOidc({ clientId: 'c' })],
}

declare const rows: {
  get(table: string, where: object): Promise<any>
  put(table: string, row: object): Promise<any>
}
export function MyAdapter(): Adapter {
  return {
    async createUser(user) {
      const { id, ...data } = user
      return rows.put('users', { ...data, id: id ?? crypto.randomUUID() })
    },
    async getUser(id) {
      return rows.get('users', { id })
    },
    async getUserByEmail(email) {
      return rows.get('users', { email })
    },
    async getUserByAccount({ providerAccountId, provider }) {
      return rows.get('accounts', { providerAccountId, provider })
    },
    async updateUser({ id, ...data }) {
      return rows.put('users', { id, ...data })
    },
    async deleteUser(userId) {
      await rows.put('users', { userId })
    },
    async linkAccount(account) {
      await rows.put('accounts', account)
      return account
    },
    unlinkAccount: async ({ providerAccountId, provider }) =>
      rows.put('accounts', { providerAccountId, provider }),
    async createSession({ sessionToken, userId, expires }) {
      return { sessionToken, userId, expires }
    },
    async getSessionAndUser(sessionToken) {
      const found = await rows.get('sessions', { sessionToken })
      if (!found) return null
      const { user, ...session } = found
      return { user: user as AdapterUser, session: session as AdapterSession }
    },
    async updateSession({ sessionToken, expires }) {
      return rows.put('sessions', { sessionToken, expires })
    },
    async deleteSession(sessionToken) {
      await rows.put('sessions', { sessionToken })
    },
    async createVerificationToken(token: VerificationToken) {
      return token
    },
    async useVerificationToken({ identifier, token }) {
      return rows.get('tokens', { identifier, token })
    },
    async getAccount(providerAccountId, provider): Promise<AdapterAccount | null> {
      return rows.get('accounts', { providerAccountId, provider })
    },
    async createAuthenticator(authenticator): Promise<AdapterAuthenticator> {
      return { ...authenticator, transports: authenticator.transports ?? null }
    },
  }
}
export const required: Required<Pick<Adapter, 'getUser'>> = { getUser: async () => null }

export async function handle(request: Request): Promise<Response> {
  const options: AuthConfig = { ...config, skipCSRFCheck }
  setEnvDefaults(process.env, options)
  const url = createActionURL('session', 'https', request.headers, process.env, config)
  if (!isAuthAction(url.pathname.split('/').pop() ?? '')) throw new TypeError()
  const token = await getToken({ req: request, secret: 'x', secureCookie: true })
  const name: string | null | undefined = token?.name
  const access: string | undefined = token?.accessToken
  const text: string | null = await getToken({ req: request, secret: 'x', raw: true })
  const answer = await Auth(new Request(url, { headers: { cookie: name ?? access ?? text ?? '' } }), options)
  const data = (await answer.json()) as Session | null
  if (data?.user.role === 'admin') return answer
  const internal = await Auth(request, { ...config, raw })
  for (const c of internal.cookies ?? []) console.log(c.name, c.value, c.options)
  return new Response(null, {
    status: internal.status ?? 302,
    headers: { location: internal.redirect ?? '/' },
  })
}

export function explain(error: unknown): string {
  if (error instanceof AuthError) {
    switch (error.type) {
      case 'CredentialsSignin':
        return 'Invalid credentials.'
      case 'CallbackRouteError':
        return `${error.cause?.err?.message}`
      default:
        return error.message
    }
  }
  if (error instanceof CredentialsSignin) return error.code
  throw error
}

export const typed: {
  errors: AuthError['type'][]
  users: User[]
  accounts: Account[]
  profiles: (Profile | GitHubProfile | GoogleProfile)[]
  tokens: (TokenSet | JWT)[]
  logger: Partial<LoggerInstance>
  inputs: Record<string, CredentialInput>
  forms: CredentialsConfig[]
  mails: (EmailConfig | NodemailerConfig)[]
  wait: Awaitable<string>
} = {
  errors: ['AccessDenied'],
  users: [],
  accounts: [],
  profiles: [],
  tokens: [],
  logger: {},
  inputs: {},
  forms: [],
  mails: [],
  wait: '',
}

/** A custom profile: the presets accept it as their type argument. */
interface RealmProfile extends GoogleProfile {
  groups: string[]
}
export const generic: AuthConfig = {
  providers: [
    Google<RealmProfile>({
      profile: ({ sub, groups, picture }) => ({ id: sub, role: groups[0], image: picture }),
    }),
    Keycloak({
      profile: (profile) => ({ id: profile.sub, name: profile.name, role: profile.realm_access.roles[0] }),
    }),
    Discord({ profile: ({ id, global_name, locale }) => ({ id, name: global_name, role: locale }) }),
  ],
  jwt: {
    async encode({ token, secret }) {
      const key: string = Array.isArray(secret) ? (secret[0] ?? '') : secret
      return `${key}${JSON.stringify(token)}`
    },
    async decode({ token, secret }) {
      const key: string = Array.isArray(secret) ? (secret[0] ?? '') : secret
      return token?.startsWith(key) ? { access_token: '', expires_at: 0 } : null
    },
  },
}

declare const createTransport: (options: { host: string } | string) => {
  sendMail(mail: object): Promise<void>
}
export const mails: AuthConfig = {
  providers: [
    Nodemailer({
      server: 'smtp://localhost',
      async sendVerificationRequest({ identifier, url, provider }) {
        await createTransport(provider.server as string).sendMail({
          to: identifier,
          from: provider.from,
          text: url,
        })
      },
    }),
  ],
}

// Typed values keep their types.
// @ts-expect-error: a name is a string or missing
export const nameOf = (session: Session): number => session.user.name
// @ts-expect-error: the augmented role is a string
export const roleOf = (token: JWT): number | undefined => token.role
// @ts-expect-error: there is no such strategy
export const strategy: AuthConfig = { providers: [], session: { strategy: 'none' } }
// @ts-expect-error: a user has no such member
export const userOf = (user: User): unknown => user.nickname
// @ts-expect-error: a sign-in is allowed, refused or redirected
export const callback: AuthConfig = { providers: [], callbacks: { signIn: () => 1 } }
