import { createIdp } from '../../../fuzz/world/idp/idp.ts'
import type { Fault } from '../../../fuzz/world/idp/faults.ts'
import type { AuthConfig } from '../../../src/types/config.ts'
import { openAgent, type Agent } from '../../support/browser-agent.ts'
import type { Library } from './library.ts'

export const origin = 'https://app.test'
const issuer = 'https://idp.test'
export const secret = 'a secret for the suite that is long enough'

/** An application with all kinds of providers, and a browser. */
export interface Application {
  readonly agent: Agent
  readonly idp: ReturnType<typeof createIdp>
  /** Links that were mailed. */
  readonly links: readonly string[]
  /** Messages of logged errors. */
  readonly errors: readonly string[]
}

/** Opens an application. Its provider runs in this process. */
export function openApplication(library: Library, more: Partial<AuthConfig> = {}): Application {
  const clients = [{ id: 'client', secret: 'client-secret' }]
  const claims = { name: 'Ada', email: 'ada@example.com', email_verified: true }
  const idp = createIdp({ issuer, clients, users: [{ sub: 'ada', claims }] })
  const links: string[] = []
  const errors: string[] = []
  const client = { clientId: 'client', clientSecret: 'client-secret', [library.customFetch]: idp.fetch }
  const config: AuthConfig = {
    trustHost: true,
    secret,
    providers: [
      { ...client, id: 'oidc', name: 'Oidc', type: 'oidc', issuer },
      {
        ...client,
        id: 'plain',
        name: 'Plain',
        type: 'oauth',
        issuer,
        authorization: { url: `${issuer}/authorize`, params: { scope: 'profile' } },
        token: `${issuer}/token`,
        userinfo: `${issuer}/userinfo`,
        profile: ({ sub, name, email }: { sub: string; name: string; email: string }) => ({
          id: sub,
          name,
          email,
        }),
      },
      {
        id: 'credentials',
        name: 'Credentials',
        type: 'credentials',
        credentials: {},
        authorize: async (_, request) => {
          const { name, pin } = await new Request(request.clone(), { headers: {} }).json()
          return pin === '2718' ? { id: 'grace', name: String(name), email: 'grace@example.com' } : null
        },
      },
      {
        id: 'mail',
        name: 'Mail',
        type: 'email',
        sendVerificationRequest: ({ url }) => void links.push(url),
      },
      library.Passkey(),
    ],
    adapter: library.memoryAdapter(),
    session: { strategy: 'jwt' },
    experimental: { enableWebAuthn: true },
    logger: { error: ({ name, message }) => void errors.push(`${name}: ${message}`), warn: () => undefined },
    ...more,
  }
  const agent = openAgent(origin, (request) => library.Auth(request, config))
  return { agent, idp, links, errors }
}

/** Posts a form with the CSRF token. */
export async function post(agent: Agent, path: string, form: Record<string, string> = {}): Promise<Response> {
  const { csrfToken } = (await (await agent.send('/auth/csrf')).json()) as { csrfToken: string }
  return agent.send(path, { form: { csrfToken, callbackUrl: `${origin}/home`, ...form } })
}

/** Signs in at the provider. @returns the response of the callback */
export async function signInAt(
  provider: 'oidc' | 'plain',
  { agent, idp }: Application,
  ...faults: readonly Fault[]
): Promise<Response> {
  idp.misbehave(...faults)
  const started = await post(agent, `/auth/signin/${provider}`)
  const { parameters } = await idp.authorize(started.headers.get('location') ?? '')
  return agent.send(`/auth/callback/${provider}?${parameters}`)
}

/** The name of the signed-in user. */
export async function userNameOf(agent: Agent): Promise<unknown> {
  const session = (await (await agent.send('/auth/session')).json()) as { user?: { name?: string } } | null
  return session === null ? null : session.user?.name
}
