/** The types that `createAuth` infers. Each type is compared exactly, so that a wider type is also an error. */
import {
  createAuth,
  type AuthBase,
  type AuthConfig,
  type AuthInstance,
  type ClaimsOf,
  type DefaultSession,
  type JWT,
  type ProviderIdOf,
  type Session,
  type SessionOf,
} from 'authmachine'
import type { Adapter } from 'authmachine/adapters'
import { createAuthClient } from 'authmachine/client'
import { createNodeAuth } from 'authmachine/node'
import type { Provider } from 'authmachine/providers'
import Credentials from 'authmachine/providers/credentials'
import GitHub, { type GitHubProfile } from 'authmachine/providers/github'
import Google, { type GoogleProfile } from 'authmachine/providers/google'
import Resend from 'authmachine/providers/resend'

declare const adapter: Adapter
declare const request: Request
declare const isProduction: boolean
declare const text: string

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <_Claim extends true>(): void => undefined

// The ids of providers: of factories, of presets with and without options, and of objects.
const password = Credentials({ authorize: () => null })
const acme = { id: 'acme', name: 'Acme', type: 'oidc', issuer: 'https://acme.test' } as const
const ids = createAuth({ providers: [GitHub, Google({ id: 'work' }), Resend, password, acme], adapter })
holds<Same<ProviderIdOf<typeof ids>, 'github' | 'work' | 'resend' | 'credentials' | 'acme'>>()
type TokenProvider = Parameters<(typeof ids)['getAccessToken']>[0]['provider']
holds<Same<TokenProvider, 'github' | 'work' | 'acme'>>()

const inline = createAuth({
  providers: [
    {
      id: 'inline',
      name: 'Inline',
      type: 'oauth',
      checks: ['pkce', 'state'],
      profile: (profile) => ({ id: profile.sub, name: profile['display_name'] }),
    },
  ],
  adapter,
})
holds<Same<ProviderIdOf<typeof inline>, 'inline'>>()

// An id that is only known when the program runs makes every id possible.
const dynamic = createAuth({ providers: [GitHub({ id: text })], adapter })
holds<Same<ProviderIdOf<typeof dynamic>, string>>()
const conditional = createAuth({ providers: [GitHub, ...(isProduction ? [Google] : [])], adapter })
holds<Same<ProviderIdOf<typeof conditional>, 'github' | 'google'>>()

// The profile of a preset can still be chosen.
const profiled = Google<GoogleProfile & { readonly locale: string }>({ profile: (p) => ({ id: p.locale }) })
const hub = GitHub({ profile: (p: GitHubProfile) => ({ id: p.login }) })
export const presets = createAuth({ providers: [profiled, hub] })

// The session and the claims.
const shaped = createAuth({
  providers: [GitHub],
  callbacks: {
    jwt: ({ token, user }) => ({ ...token, role: user ? 'admin' : text }),
    session: ({ session, token }) => ({
      ...session,
      since: new Date(),
      user: { name: session.user.name, role: token.role },
    }),
  },
})
interface Shaped {
  since: string
  user: { name: string | null | undefined; role: string }
  expires: string
}
holds<Same<SessionOf<typeof shaped>['user'], Shaped['user']>>()
holds<Same<SessionOf<typeof shaped>['since'], string>>()
holds<Same<ClaimsOf<typeof shaped>['role'], string>>()
export const found: Promise<Shaped | null> = shaped.getSession(request)
export const required = async (): Promise<string | undefined> => {
  const result = await shaped.requireSession(request)
  return result instanceof Response ? undefined : result.session.user.role
}
// @ts-expect-error: the session token stays in its cookie
export const hidden = async () => (await shaped.getSession(request))?.sessionToken

// The claims in the forms in which people write `jwt`.
declare const roleOf: (profile: object) => string
const chosen = createAuth({
  providers: [GitHub],
  callbacks: {
    jwt: ({ token, profile }) => (profile ? { ...token, role: roleOf(profile) } : token),
    session: ({ session, token }) => ({ ...session, role: token.role, name: token.name }),
  },
})
holds<Same<SessionOf<typeof chosen>['role'], string | undefined>>()
holds<Same<SessionOf<typeof chosen>['name'], string | null | undefined>>()
holds<Same<ClaimsOf<typeof chosen>['role'], string | undefined>>()
const early = createAuth({
  providers: [GitHub],
  callbacks: {
    async jwt({ token, profile, trigger }) {
      if (trigger === 'update') return null
      if (profile) return { ...token, role: roleOf(profile), level: 1 }
      return token
    },
    session({ session, token }) {
      return { ...session, user: { ...session.user, id: token.sub, role: token.role ?? 'guest' } }
    },
  },
})
holds<Same<SessionOf<typeof early>['user']['role'], string>>()
holds<Same<ClaimsOf<typeof early>['level'], number | undefined>>()
const assigned = createAuth({
  providers: [GitHub],
  callbacks: {
    jwt({ token, profile }) {
      if (profile) token['role'] = roleOf(profile)
      return token
    },
    session: ({ session, token }) => ({ ...session, role: String(token['role']) }),
  },
})
holds<Same<ClaimsOf<typeof assigned>, JWT>>()

// Only an adapter stores a user. Without one, the token has the id.
createAuth({
  providers: [GitHub],
  adapter,
  callbacks: { session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }) },
})
createAuth({
  providers: [GitHub],
  callbacks: {
    session({ session, token }) {
      if (token.sub) session.user.id = token.sub
      return session
    },
  },
})

// A callback that returns its parameter gives the declared session, and so does a missing callback.
const returned = createAuth({
  providers: [GitHub],
  callbacks: {
    session({ session, token }) {
      session.user.name = token.name ?? null
      return session
    },
  },
})
holds<Same<SessionOf<typeof returned>, Session>>()
holds<Same<ClaimsOf<typeof returned>, JWT>>()
holds<Same<SessionOf<typeof ids>, Session>>()

// A variable of a general type gives the general types, with every method.
declare const config: AuthConfig
const general: AuthInstance = createAuth(config)
holds<Same<ProviderIdOf<typeof general>, string>>()
holds<Same<SessionOf<typeof general>, Session>>()
const listed: Provider[] = [GitHub]
export const fromList: AuthInstance = createAuth({ providers: listed, adapter })
export const spread = createAuth({ ...config, providers: [GitHub] })
holds<Same<ProviderIdOf<typeof spread>, 'github'>>()

// Methods that the configuration does not support.
export const maybe = createAuth({ providers: [GitHub], adapter: isProduction ? adapter : undefined })
export const token = maybe.getAccessToken({ provider: 'github', providerAccountId: '1' })
const without = [
  createAuth({ providers: [GitHub] }),
  createAuth({ providers: [Resend], adapter }),
  createAuth({ providers: [GitHub], adapter: { getAccount: () => null } }),
] as const
// @ts-expect-error: there is no adapter
without[0].getAccessToken
// @ts-expect-error: there is no OAuth provider
without[1].getAccessToken
// @ts-expect-error: the adapter lacks updateAccount
without[2].getAccessToken
export const anyInstance: readonly AuthBase[] = [ids, general, ...without]

// The client and the integrations take the types of the instance.
const client = createAuthClient<typeof shaped>()
export const clientSession: Promise<Shaped | null> = client.getSession()
export const signedIn = client.signIn('github', { redirectTo: '/' })
// @ts-expect-error: there is no such provider
client.signIn('githbu')
export const untyped = createAuthClient().signIn('any')
declare const incoming: Parameters<ReturnType<typeof createNodeAuth>['getSession']>
export const nodeSession: Promise<Shaped | null> = createNodeAuth(shaped).getSession(...incoming)
export const plain: DefaultSession = { expires: '' }
