/** Mistakes in configurations, each with the message that the compiler shows for it. */

interface Mistake {
  readonly name: string
  readonly program: string
  /** The whole message, its lines joined by spaces. */
  readonly message: string
}

const imports = `
import { createAuth } from 'authmachine'
import { memoryAdapter } from 'authmachine/adapters/memory'
import { createAuthClient } from 'authmachine/client'
import Credentials from 'authmachine/providers/credentials'
import GitHub from 'authmachine/providers/github'
import Google from 'authmachine/providers/google'
import Resend from 'authmachine/providers/resend'
const adapter = memoryAdapter()
const account = { providerAccountId: '1' }
`

function mistake(name: string, program: string, message: string): Mistake {
  return { name, program: imports + program, message }
}

export const mistakes: readonly Mistake[] = [
  mistake(
    'a misspelt provider id',
    `createAuth({ providers: [GitHub, Google], adapter }).getAccessToken({ provider: 'githbu', ...account })`,
    `Type '"githbu"' is not assignable to type '"github" | "google"'. Did you mean '"github"'?`,
  ),
  mistake(
    'a misspelt provider id in the client',
    `const auth = createAuth({ providers: [GitHub, Google] })
     createAuthClient<typeof auth>().signIn('githbu')`,
    `Argument of type '"githbu"' is not assignable to parameter of type '"github" | "google" | undefined'.`,
  ),
  mistake(
    'an access token without an adapter',
    `createAuth({ providers: [GitHub] }).getAccessToken({ provider: 'github', ...account })`,
    `Property 'getAccessToken' does not exist on type 'AuthWithoutAdapter<{ readonly session: Session; readonly claims: JWT; readonly provider: "github"; readonly oauthProvider: "github"; }>'.`,
  ),
  mistake(
    'a list of sessions without an adapter',
    `createAuth({ providers: [GitHub] }).listSessions('1')`,
    `Property 'listSessions' does not exist on type 'AuthWithoutAdapter<{ readonly session: Session; readonly claims: JWT; readonly provider: "github"; readonly oauthProvider: "github"; }>'.`,
  ),
  mistake(
    'a list of the sessions of a missing user',
    `const auth = createAuth({ providers: [Resend], adapter })
     auth.getSession(new Request('https://app.test')).then((session) => auth.listSessions(session?.user?.id))`,
    `Argument of type 'string | undefined' is not assignable to parameter of type 'string'. Type 'undefined' is not assignable to type 'string'.`,
  ),
  mistake(
    'an access token without an OAuth provider',
    `createAuth({ providers: [Resend], adapter }).getAccessToken({ provider: 'resend', ...account })`,
    `Property 'getAccessToken' does not exist on type 'AuthWithoutOAuthProvider<{ readonly session: Session; readonly claims: JWT; readonly provider: "resend"; readonly oauthProvider: never; }>'.`,
  ),
  mistake(
    'an access token with an adapter that cannot update accounts',
    `createAuth({ providers: [GitHub], adapter: { getAccount: () => null } })
       .getAccessToken({ provider: 'github', ...account })`,
    `Property 'getAccessToken' does not exist on type 'AuthWithoutUpdateAccount<{ readonly session: Session; readonly claims: JWT; readonly provider: "github"; readonly oauthProvider: "github"; }>'.`,
  ),
  mistake(
    'a misspelt option',
    `createAuth({ providers: [GitHub], basepath: '/api/auth' })`,
    `Object literal may only specify known properties, but 'basepath' does not exist in type 'AuthOptions<readonly [<const Id extends GivenId = GivenId>(options?: GitHubOptions & { id?: Id | undefined; }) => Preset<OAuth2Config<GitHubProfile>, "github", Id>], undefined, Session, NoOwnClaims>'. Did you mean to write 'basePath'?`,
  ),
  mistake(
    'a misspelt callback',
    `createAuth({ providers: [GitHub], callbacks: { signin: () => true } })`,
    `Object literal may only specify known properties, but 'signin' does not exist in type 'Partial<InferredCallbacks<Session, NoOwnClaims, undefined>>'. Did you mean to write 'signIn'?`,
  ),
  mistake(
    'a misspelt option of a preset',
    `createAuth({ providers: [GitHub({ clientID: 'x' })] })`,
    `Object literal may only specify known properties, but 'clientID' does not exist in type 'GitHubOptions & { id?: GivenId | undefined; }'. Did you mean to write 'clientId'?`,
  ),
  mistake(
    'a misspelt option of a provider',
    `createAuth({ providers: [{ id: 'acme', name: 'Acme', type: 'oidc', clientID: 'x' }] })`,
    `Type '"x"' is not assignable to type '"x" & NoSuchOption<"clientID">'. Type 'string' is not assignable to type 'NoSuchOption<"clientID">'.`,
  ),
  mistake(
    'an unknown type of provider',
    `createAuth({ providers: [{ id: 'acme', name: 'Acme', type: 'openid' }] })`,
    `Type '"openid"' is not assignable to type '"oidc"'.`,
  ),
  mistake(
    'credentials without authorize',
    `createAuth({ providers: [Credentials({})] })`,
    `Argument of type '{}' is not assignable to parameter of type 'CredentialsOptions<Record<string, CredentialInput>> & { id?: GivenId | undefined; }'. Property 'authorize' is missing in type '{}' but required in type 'CredentialsOptions<Record<string, CredentialInput>>'.`,
  ),
  mistake(
    'credentials that are not called',
    `createAuth({ providers: [Credentials] })`,
    `Type '<const Inputs extends Record<string, CredentialInput>, const Id extends GivenId = GivenId>(options: CredentialsOptions<Inputs> & { id?: Id | undefined; }) => Identified<CredentialsConfig<Record<string, CredentialInput>>, "credentials", Id>' is not assignable to type 'Provider & {}'. Type '<const Inputs extends Record<string, CredentialInput>, const Id extends GivenId = GivenId>(options: CredentialsOptions<Inputs> & { id?: Id | undefined; }) => Identified<CredentialsConfig<Record<string, CredentialInput>>, "credentials", Id>' is not assignable to type '(() => EmailConfig) & {}'. Type '<const Inputs extends Record<string, CredentialInput>, const Id extends GivenId = GivenId>(options: CredentialsOptions<Inputs> & { id?: Id | undefined; }) => Identified<CredentialsConfig<Record<string, CredentialInput>>, "credentials", Id>' is not assignable to type '() => EmailConfig'. Target signature provides too few arguments. Expected 1 or more, but got 0.`,
  ),
  mistake(
    'a session callback without an expiry',
    `createAuth({ providers: [GitHub], callbacks: { session: () => ({ user: { name: 'Ada' } }) } })`,
    `Type '() => { user: { name: string; }; }' is not assignable to type '(params: TokenSessionParams<JWT>) => Awaitable<DefaultSession>'. Type '{ user: { name: string; }; }' is not assignable to type 'Awaitable<DefaultSession>'. Property 'expires' is missing in type '{ user: { name: string; }; }' but required in type 'DefaultSession'.`,
  ),
  mistake(
    'a member that the session callback does not return',
    `const auth = createAuth({
       providers: [GitHub],
       callbacks: { session: ({ session }) => ({ expires: '', user: { id: session.user.id } }) },
     })
     auth.getSession(new Request('https://app.test')).then((session) => session?.user.email)`,
    `Property 'email' does not exist on type '{ id: string | undefined; }'.`,
  ),
  mistake(
    'a claim that the jwt callback does not return',
    `createAuth({
       providers: [GitHub],
       callbacks: {
         jwt: ({ token }) => ({ ...token, role: 'admin' }),
         session: ({ session, token }) => ({ expires: session.expires, role: token.rôle satisfies string }),
       },
     })`,
    `Property 'rôle' does not exist on type '{ role: string; name?: string | null | undefined; email?: string | null | undefined; picture?: string | null | undefined; sub?: string | undefined; iat?: number | undefined; exp?: number | undefined; jti?: string | undefined; }'.`,
  ),
  mistake(
    'the stored user without an adapter',
    `createAuth({
       providers: [GitHub],
       callbacks: { session: ({ session, user }) => ({ ...session, user: { id: user.id } }) },
     })`,
    `Property 'user' does not exist on type 'TokenSessionParams<JWT>'.`,
  ),
  mistake(
    'a session callback before the jwt callback',
    `createAuth({
       providers: [GitHub],
       callbacks: {
         session: ({ session, token }) => ({ ...session, role: token.role }),
         jwt: ({ token }) => ({ ...token, role: 'admin' }),
       },
     })`,
    `Type '({ token }: JwtCallbackParams) => { role: string; name?: string | null | undefined; email?: string | null | undefined; picture?: string | null | undefined; sub?: string | undefined; iat?: number | undefined; exp?: number | undefined; jti?: string | undefined; }' is not assignable to type '(params: JwtCallbackParams) => Awaitable<NoOwnClaims | null>'. Type '{ role: string; name?: string | null; email?: string | null; picture?: string | null; sub?: string; iat?: number; exp?: number; jti?: string; }' is not assignable to type 'Awaitable<NoOwnClaims | null>'. Property ''write jwt before session'' is missing in type '{ role: string; name?: string | null; email?: string | null; picture?: string | null; sub?: string; iat?: number; exp?: number; jti?: string; }' but required in type 'NoOwnClaims'.`,
  ),
]
