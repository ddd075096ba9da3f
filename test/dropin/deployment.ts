import { vi } from 'vitest'
import { findTarget } from '../../fuzz/targets/find-target.ts'
import ours from '../../fuzz/targets/ours.ts'
import type { LibraryTarget } from '../../fuzz/targets/target.ts'
import { createIdp } from '../../fuzz/world/idp/idp.ts'
import { createStore, type Rows } from '../../fuzz/world/store.ts'
import type { Authenticator, Options as Ceremony } from '../../fuzz/world/webauthn/authenticator.ts'
import { openAgent, type Agent } from '../support/browser-agent.ts'

export const origin = 'https://app.test'
const issuer = 'https://idp.test'

const peer = findTarget('auth-core@0.41.3')
if (peer.kind !== 'library') throw new Error(`${peer.name} is not a library`)
const { default: theirs } = (await import(peer.module)) as { default: LibraryTarget }

/** The two libraries between which a deployment switches, in both directions. */
export const ways = [
  { from: '@auth/core', to: 'this library', before: theirs, after: ours },
  { from: 'this library', to: '@auth/core', before: ours, after: theirs },
] as const

type Config = Readonly<Record<string, unknown>>

/** A deployment: one store, one provider and one secret, with either library. */
export interface Deployment {
  readonly rows: Rows
  readonly idp: ReturnType<typeof createIdp>
  /** Links sent by e-mail. */
  readonly links: readonly string[]
  readonly errors: readonly string[]
  /** Opens a browser, which keeps its cookies when the library is switched. */
  readonly browser: () => Agent
  /** Switches to this library. */
  readonly use: (library: LibraryTarget) => Promise<void>
}

export interface Options {
  /** @default 'jwt' */
  readonly strategy?: 'jwt' | 'database'
  /** Additional configuration. */
  readonly config?: Config
  /** Additional options of the OpenID provider. */
  readonly provider?: Config
  /** Additional providers. */
  readonly providers?: readonly Config[]
  /** Adds a passkey provider. @default false */
  readonly passkeys?: boolean
}

/** Opens a deployment without network access. The provider in this process handles all requests. */
export function openDeployment(options: Options = {}): Deployment {
  const { strategy = 'jwt', config, provider, providers = [], passkeys = false } = options
  const store = createStore()
  const claims = { name: 'Ada', email: 'ada@example.com', email_verified: true }
  const clients = [{ id: 'client', secret: 'client-secret' }]
  const idp = createIdp({ issuer, clients, users: [{ sub: 'ada', claims }] })
  vi.stubGlobal('fetch', idp.fetch)
  const links: string[] = []
  const errors: string[] = []
  const secrets = { clientId: 'client', clientSecret: 'client-secret' }
  const form = {
    id: 'credentials',
    name: 'Credentials',
    type: 'credentials',
    credentials: {},
    authorize: ({ pin }: { pin?: unknown }) => (pin === '2718' ? { id: 'grace', name: 'Grace' } : null),
  }
  const configure = (library: LibraryTarget) => ({
    trustHost: true,
    secret: 'a secret for the deployment that is long enough',
    adapter: store.operations,
    session: { strategy },
    providers: [
      { ...secrets, id: 'oidc', name: 'Oidc', type: 'oidc', issuer, ...provider },
      mailProvider('mail', links),
      ...(strategy === 'jwt' ? [form] : []),
      ...providers,
      ...(passkeys ? [library.passkey?.({ id: 'passkey', name: 'Passkey' })] : []),
    ],
    experimental: { enableWebAuthn: true },
    logger: {
      error: ({ name, message }: Error) => void errors.push(`${name}: ${message}`),
      warn: () => undefined,
      debug: () => undefined,
    },
    ...config,
  })
  let handle = async (_: Request): Promise<Response> =>
    Promise.reject(new Error('select a library with use() first'))
  return {
    rows: store.rows,
    idp,
    links,
    errors,
    browser: () => openAgent(origin, (request) => handle(request)),
    async use(library) {
      const open = await library.open(configure(library))
      handle = async (request) => open(request)
    },
  }
}

/** An e-mail provider that collects its links in a list. */
export function mailProvider(id: string, links: string[]): Config {
  return {
    id,
    name: id,
    type: 'email',
    from: 'no-reply@app.test',
    maxAge: 3600,
    server: {},
    options: {},
    sendVerificationRequest: async ({ url }: { url: string }) => void links.push(url),
  }
}

export async function csrfTokenOf(browser: Agent): Promise<string> {
  const { csrfToken } = (await (await browser.send('/auth/csrf')).json()) as { csrfToken: string }
  return csrfToken
}

/** Posts a form with the CSRF token. */
export async function post(
  browser: Agent,
  path: string,
  form: Record<string, string> = {},
): Promise<Response> {
  return browser.send(path, { form: { csrfToken: await csrfTokenOf(browser), ...form } })
}

/** Starts a sign-in and authorizes it at the provider. @returns the callback URL */
export async function visitProvider({ idp }: Deployment, browser: Agent): Promise<string> {
  const started = await post(browser, '/auth/signin/oidc', { callbackUrl: `${origin}/home` })
  const { parameters } = await idp.authorize(started.headers.get('location') ?? '')
  return `/auth/callback/oidc?${parameters}`
}

/** Signs in at the provider. */
export async function signIn(deployment: Deployment, browser: Agent): Promise<Response> {
  return browser.send(await visitProvider(deployment, browser))
}

/** The session, or null. */
export async function sessionOf(
  browser: Agent,
): Promise<{ readonly user?: Config; readonly expires?: string } | null> {
  return (await (await browser.send('/auth/session')).json()) as { user?: Config; expires?: string } | null
}

/** Performs a complete passkey ceremony. */
export async function performCeremony(
  browser: Agent,
  action: 'register' | 'authenticate',
  act: (asked: Ceremony) => unknown,
): Promise<Response> {
  return answerCeremony(browser, action, act(await askCeremony(browser, action)))
}

/** Requests the options of a ceremony. */
export async function askCeremony(browser: Agent, action: 'register' | 'authenticate'): Promise<Ceremony> {
  const query = new URLSearchParams({ action, ...(action === 'register' && { email: 'ada@example.com' }) })
  const answer = await browser.send(`/auth/webauthn-options/passkey?${query}`)
  const { options } = (await answer.json()) as { options: Ceremony }
  return options
}

/** Posts the response of the authenticator. */
export async function answerCeremony(browser: Agent, action: string, answer: unknown): Promise<Response> {
  const form = { action, data: JSON.stringify(answer), callbackUrl: origin }
  return post(browser, '/auth/callback/passkey', form)
}

/**
 * Signs until both integers of the signature have their full length. `@simplewebauthn/server` 9, which `@auth/core`
 * uses, rejects shorter ones, about one in 120, because it does not pad them.
 */
export function signAtLength(authenticator: Authenticator, asked: Ceremony): unknown {
  for (;;) {
    const answer = authenticator.get(asked)
    const der = Buffer.from(String(answer.response['signature']), 'base64url')
    const second = 4 + (der[3] ?? 0)
    if (isFull(der.subarray(3)) && isFull(der.subarray(second + 1))) return answer
  }
}

/** A 32-byte integer after its length, with a leading zero if it would be negative. */
function isFull([length, first]: Uint8Array): boolean {
  return length === 33 || (length === 32 && first !== 0)
}
