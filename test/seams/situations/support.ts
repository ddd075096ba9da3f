import { memoryAdapter } from '../../../src/adapters/memory.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import type { Call, Stage } from '../situation.ts'

const issuer = 'https://idp.test'

/** Responses of the provider's endpoints. Missing ones are correct. */
export interface Answers {
  readonly discovery?: () => Response
  readonly token?: () => Response
  readonly userinfo?: () => Response
}

const endpoints = {
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
}

export const metadata = {
  issuer,
  ...endpoints,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
}

export const tokens = { access_token: 'access', token_type: 'bearer' }
export const profile = { id: '7', name: 'Ada', email: 'ada@example.com' }

function answerer(answers: Answers): typeof fetch {
  return async (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (pathname.startsWith('/.well-known/')) return answers.discovery?.() ?? Response.json(metadata)
    if (pathname === '/token') return answers.token?.() ?? Response.json(tokens)
    if (pathname === '/userinfo') return answers.userinfo?.() ?? Response.json(profile)
    return new Response(null, { status: 404 })
  }
}

/** An OAuth provider with configured endpoints. */
export function oauthProvider({ lib }: Stage, answers: Answers = {}, more: object = {}): object {
  return {
    id: 'idp',
    name: 'Idp',
    type: 'oauth',
    clientId: 'client',
    clientSecret: 'client-secret',
    authorization: `${issuer}/authorize`,
    token: `${issuer}/token`,
    userinfo: `${issuer}/userinfo`,
    checks: ['pkce', 'state'],
    [lib.customFetch]: answerer(answers),
    ...more,
  }
}

/** An OpenID provider with discovery. */
export function oidcProvider({ lib }: Stage, answers: Answers = {}, more: object = {}): object {
  return {
    id: 'idp',
    name: 'Idp',
    type: 'oidc',
    issuer,
    clientId: 'client',
    clientSecret: 'client-secret',
    checks: ['pkce', 'state'],
    [lib.customFetch]: answerer(answers),
    ...more,
  }
}

/** An e-mail provider, and the links it sent. */
export function emailProvider(links: string[] = [], more: object = {}): object {
  return {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    from: 'no-reply@app.test',
    maxAge: 3600,
    sendVerificationRequest: async ({ url }: { readonly url: string }) => void links.push(url),
    ...more,
  }
}

/** A credentials provider that accepts everyone as Ada by default. */
export function formProvider(authorize: () => unknown = () => ada, more: object = {}): object {
  return { id: 'form', name: 'Form', type: 'credentials', credentials: { name: {} }, authorize, ...more }
}

export const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com' }

/** A memory store. Methods in `broken` throw from the moment they are added. */
export function store(broken: ReadonlySet<string> = new Set()): Adapter {
  const adapter = memoryAdapter()
  const entries = Object.entries(adapter).map(([name, operation]) => [
    name,
    async (...args: unknown[]) => {
      if (broken.has(name)) throw new Error(`${name}: the database is unreachable`)
      const answer: unknown = await (operation as (...all: unknown[]) => unknown)(...args)
      // The published library lets a user be created without an id.
      return answer
    },
  ])
  const wrapped = Object.fromEntries(entries) as unknown as Adapter
  const createUser = wrapped.createUser
  return {
    ...wrapped,
    createUser: (user) => createUser?.({ ...user, id: user.id ?? crypto.randomUUID() }) ?? user,
  }
}

export const throwError = (): never => {
  throw new Error('broken by the comparison')
}

/** Starts a sign-in at the provider. @returns the callback request of its response */
export async function startAtProvider(
  stage: Stage,
  answer: Readonly<Record<string, string>> = { code: 'code' },
): Promise<Call> {
  const started = await stage.visit({ path: '/auth/signin/idp', form: {} })
  const state = new URL(started.headers.get('location') ?? 'about:blank').searchParams.get('state')
  const query = new URLSearchParams({ ...answer, ...(state && !('state' in answer) && { state }) })
  return { path: `/auth/callback/idp?${query}` }
}

/** Requests a link. @returns the request that follows it */
export async function requestLink(stage: Stage, links: readonly string[]): Promise<Call> {
  await stage.visit({ path: '/auth/signin/mail', form: { email: 'ada@example.com' } })
  const { pathname, search } = new URL(links.at(-1) ?? 'about:blank')
  return { path: `${pathname}${search}` }
}
