import { createHash } from 'node:crypto'
import type { Adapter } from '../../src/types/adapter.ts'
import type { AuthConfig } from '../../src/types/config.ts'

export const origin = 'https://app.test'
export const basePath = '/auth'
export const secret = 'a secret for the benchmark that is long enough'

export const user = {
  id: '1',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  image: 'https://app.test/ada.png',
}

/** The claims of the user's session token. */
export const claims = { name: user.name, email: user.email, picture: user.image, sub: user.id }

const idp = 'https://idp.test'
export const provider = {
  id: 'plain',
  clientId: 'client',
  clientSecret: 'a client secret',
  authorization: `${idp}/authorize`,
  token: `${idp}/token`,
  userinfo: `${idp}/userinfo`,
}

/** Names of the cookies over https. */
export const cookies = {
  session: '__Secure-authjs.session-token',
  csrf: '__Host-authjs.csrf-token',
  callbackUrl: '__Secure-authjs.callback-url',
  state: '__Secure-authjs.state',
  pkce: '__Secure-authjs.pkce.code_verifier',
  links: '__Host-authjs.requested-links',
  challenge: '__Secure-authjs.challenge',
}

/** A CSRF token and its cookie, in the format that all implementations of the protocol share. */
const csrfToken = 'c'.repeat(64)
const csrfHash = createHash('sha256').update(`${csrfToken}${secret}`).digest('hex')
export const csrf = { token: csrfToken, cookie: `${csrfToken}|${csrfHash}` }

/** The cookies of a returning browser, so that no route needs to set a CSRF token or a callback URL. */
export const heldCookies = `${cookies.csrf}=${encodeURIComponent(csrf.cookie)}; ${cookies.callbackUrl}=${encodeURIComponent(origin)}`

/** Configures a credentials provider, an OAuth provider (PKCE and state), and `more` further OAuth providers. */
export function configure(more = 0): AuthConfig {
  const oauth = (id: string) =>
    ({
      ...provider,
      id,
      name: id,
      type: 'oauth',
      authorization: { url: provider.authorization, params: { scope: 'profile' } },
      checks: ['pkce', 'state'],
      profile: (profile: { sub: string; name: string; email: string; picture: string }) => ({
        id: profile.sub,
        name: profile.name,
        email: profile.email,
        image: profile.picture,
      }),
    }) as unknown as AuthConfig['providers'][number]
  const credentials = {
    id: 'credentials',
    name: 'Credentials',
    type: 'credentials',
    credentials: { password: {} },
    authorize: ({ password }: { password: unknown }) => (password === 'password' ? { ...user } : null),
  } as unknown as AuthConfig['providers'][number]
  return {
    secret,
    basePath,
    trustHost: true,
    logger: { error: rethrow, warn: ignore, debug: ignore },
    providers: [
      oauth(provider.id),
      credentials,
      ...Array.from({ length: more }, (_, n) => oauth(`more-${n}`)),
    ],
  }
}

/** A store with one session that responds immediately. A real store would cost all libraries the same. */
export function storeOneSession(sessionToken: string): Adapter {
  const expires = new Date(Date.now() + 30 * 86_400_000)
  const member = { ...user, emailVerified: null }
  const find = (token: string) =>
    token === sessionToken ? { session: { sessionToken, userId: user.id, expires }, user: member } : null
  const refuse = () => {
    throw new Error('The benchmark never calls the adapter to write')
  }
  return {
    createUser: refuse,
    getUser: async () => member,
    getUserByEmail: async () => member,
    getUserByAccount: async () => member,
    updateUser: refuse,
    linkAccount: refuse,
    createSession: refuse,
    getSessionAndUser: async (token: string) => find(token),
    updateSession: refuse,
    deleteSession: refuse,
  }
}

/** Nothing fails in a benchmark, and errors are not measured. */
function rethrow(error: Error): never {
  throw error
}

function ignore(): void {}

/** A mock identity provider that replaces the runtime's fetch, the same for all libraries. */
export async function answerAsProvider(input: RequestInfo | URL): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input)
  if (url === provider.token) return Response.json({ access_token: 'an access token', token_type: 'bearer' })
  if (url !== provider.userinfo) throw new Error(`Unexpected request to ${url}`)
  const { name, email, image } = user
  return Response.json({ sub: user.id, id: user.id, name, email, email_verified: true, picture: image })
}
