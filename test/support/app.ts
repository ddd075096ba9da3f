import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createHandler } from '../../src/handler/create-handler.ts'
import type { Flow } from '../../src/flows/engine/flow.ts'
import type { Flows } from '../../src/flows/flows.ts'
import { createTokenReader } from '../../src/handler/get-access-token.ts'
import { createSessionReader } from '../../src/handler/read-session.ts'
import type { Hop } from '../../src/flows/engine/run.ts'
import { platform as platformKey } from '../../src/types/symbols.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import type { FoundSession } from '../../src/types/found-session.ts'
import type { AccessTokenAnswer, AccountKey } from '../../src/types/records.ts'
import type { EventCallbacks } from '../../src/types/callbacks.ts'
import type { AuthConfig, Platform } from '../../src/types/config.ts'
import type { OAuthConfig } from '../../src/types/provider.ts'
import { openAgent, type Agent } from './browser-agent.ts'
import type { Idp, IdpOptions } from '../../fuzz/world/idp/contract.ts'
import { createIdp } from '../../fuzz/world/idp/idp.ts'
import { virtualClock, type VirtualClock } from '../../fuzz/testing/virtual-clock.ts'
import { noteHop } from './journeys/record.ts'
import { recordRows, type Rows } from './rows.ts'

export const origin = 'https://app.test'
export const issuer = 'https://idp.test'
export const secret = 'a secret of the tests, long enough'
const start = Date.UTC(2030, 0, 1)

export interface AppOptions {
  readonly config?: Partial<AuthConfig>
  /** Additional options of the provider. */
  readonly provider?: Partial<OAuthConfig> & { readonly type?: 'oauth' | 'oidc' }
  readonly providers?: AuthConfig['providers']
  readonly idp?: Partial<IdpOptions>
  /** `jwt` without a store, `database`, or `jwt-stored` for JWT sessions with a store. @default 'jwt' */
  readonly strategy?: 'jwt' | 'database' | 'jwt-stored'
  /** Wraps the store, to watch it or to make it fail. */
  readonly wrap?: (adapter: Adapter) => Adapter
  readonly flows?: Flows
  /**
   * Serves each agent as a separate process would. Agents share the store and the clock, and do not wait for each
   * other.
   * @default false
   */
  readonly apart?: boolean
}

/** An application in one process: the handler, an identity provider, a store, a clock, and the log. */
export interface App {
  readonly config: AuthConfig
  readonly idp: Idp
  readonly store: Required<Adapter>
  /** The rows of the store. */
  readonly rows: Rows
  readonly clock: Pick<VirtualClock, 'now' | 'advance'>
  readonly errors: Error[]
  readonly warnings: string[]
  readonly debugs: { readonly message: string; readonly metadata: unknown }[]
  readonly events: { readonly event: keyof EventCallbacks; readonly message: Record<string, unknown> }[]
  readonly hops: Hop[]
  /** The final state of the last flow. */
  readonly ended: () => string | undefined
  readonly handle: (request: Request) => Promise<Response>
  readonly agent: () => Agent
  readonly accessToken: (account: AccountKey) => Promise<AccessTokenAnswer>
  /** Reads the session of a request to the application, as `getSession` does. */
  readonly readSession: (request: Request) => Promise<FoundSession>
}

const user = {
  sub: 'ada',
  claims: { name: 'Ada', email: 'ada@example.com', picture: 'https://idp.test/ada.png' },
}
const others = [
  { sub: 'bob', claims: { name: 'Bob', email: 'bob@example.com' } },
  { sub: 'eve', claims: { name: 'Eve', email: 'eve@example.com' } },
]

export function openApp(options: AppOptions = {}): App {
  const clock = virtualClock(new Date(start))
  const clients = [{ id: 'client', secret: 'client-secret' }]
  const idp = createIdp({ issuer, clients, users: [user, ...others], now: clock.now, ...options.idp })
  const platform: Partial<Platform> = { ...clock, fetch: idp.fetch }
  const { store, rows } = recordRows(memoryAdapter())
  const app = {
    errors: [] as Error[],
    warnings: [] as string[],
    debugs: [] as App['debugs'],
    events: [] as App['events'],
  }
  const provider = {
    id: 'idp',
    name: 'Idp',
    type: 'oidc',
    issuer,
    clientId: 'client',
    clientSecret: 'client-secret',
  }
  const config: AuthConfig = {
    trustHost: true,
    secret,
    providers: options.providers ?? [{ ...provider, ...options.provider } as OAuthConfig],
    ...(options.strategy &&
      options.strategy !== 'jwt' && { adapter: (options.wrap ?? ((same) => same))(store) }),
    session: { strategy: options.strategy === 'database' ? 'database' : 'jwt', ...options.config?.session },
    events: reportEvents((event, message) => app.events.push({ event, message })),
    ...withoutSession(options.config),
    debug: options.config?.debug ?? true,
    logger: {
      error: (error) => void app.errors.push(error),
      warn: (code) => void app.warnings.push(code),
      debug: (message, metadata) => void app.debugs.push({ message, metadata }),
      ...options.config?.logger,
    },
    [platformKey]: { ...platform, ...options.config?.[platformKey] },
  }
  const hops: Hop[] = []
  const { flows } = options
  const replaced = new Map<string, Flow>(Object.entries(flows ?? {}))
  const replace = (flow: Flow) => replaced.get(flow.id) ?? flow
  const observe = (hop: Hop) => {
    hops.push(hop)
    noteHop(hop, config, clock.now())
  }
  const answer = createHandler(replace, observe)
  const readToken = createTokenReader(replace, (hop) => void hops.push(hop))
  const readSession = createSessionReader(replace, (hop) => void hops.push(hop))
  const serve = (served: AuthConfig) => async (request: Request) =>
    (await answer(request, served)) as Response
  const handle = serve(config)
  /** The library distinguishes processes by their clocks. */
  const handleApart = () => {
    const timer: Platform['timer'] = (milliseconds, ring) => clock.timer(milliseconds, ring)
    return serve({ ...config, [platformKey]: { ...config[platformKey], timer } })
  }
  return {
    ...app,
    config,
    idp,
    store,
    rows,
    hops,
    clock,
    ended: () =>
      app.debugs.map(({ metadata }) => (metadata as { ended?: string } | undefined)?.ended).findLast(Boolean),
    handle,
    agent: () => openAgent(origin, options.apart ? handleApart() : handle),
    accessToken: (account) => readToken(config, account),
    readSession: async (request) => readSession(request, config, false),
  }
}

function withoutSession(config: Partial<AuthConfig> = {}): Partial<AuthConfig> {
  const { session: _session, ...rest } = config
  return rest
}

/** Every event of the library, as calls of one function. */
export function reportEvents(
  report: (event: keyof EventCallbacks, message: Record<string, unknown>) => unknown,
): EventCallbacks {
  const record = (event: keyof EventCallbacks) => (message: object) => void report(event, { ...message })
  return {
    signIn: record('signIn'),
    signOut: record('signOut'),
    createUser: record('createUser'),
    updateUser: record('updateUser'),
    linkAccount: record('linkAccount'),
    unlinkAccount: record('unlinkAccount'),
    updatePassword: record('updatePassword'),
    updateSecondFactor: record('updateSecondFactor'),
    deleteUser: record('deleteUser'),
    session: record('session'),
  }
}

/** Fetches a CSRF token for this browser. */
export async function csrfOf(agent: Agent): Promise<string> {
  const response = await agent.send('/auth/csrf')
  const { csrfToken } = (await response.json()) as { csrfToken: string }
  return csrfToken
}

/** Starts a sign-in. @returns the response that redirects to the provider */
export async function startSignIn(
  agent: Agent,
  provider = 'idp',
  form: Record<string, string> = {},
  query = '',
) {
  const csrfToken = await csrfOf(agent)
  return agent.send(`/auth/signin/${provider}${query}`, { form: { csrfToken, ...form } })
}

/** Starts a sign-in and authorizes it. @returns the parameters with which the provider redirects back */
export async function visitProvider(
  app: Pick<App, 'idp'>,
  agent: Agent,
  provider = 'idp',
  form: Record<string, string> = {},
) {
  const started = await startSignIn(agent, provider, form)
  return app.idp.authorize(started.headers.get('location') ?? '')
}

/** Completes a sign-in. @returns the response of the callback */
export async function signIn(
  app: Pick<App, 'idp'>,
  agent: Agent,
  provider = 'idp',
  form: Record<string, string> = {},
) {
  const { parameters } = await visitProvider(app, agent, provider, form)
  return agent.send(`/auth/callback/${provider}?${parameters}`)
}

/** Fetches the body of the session route. */
export async function sessionOf(agent: Agent): Promise<Record<string, unknown> | null> {
  const response = await agent.send('/auth/session')
  return (await response.json()) as Record<string, unknown> | null
}

/** Signs out. @returns the response */
export async function signOut(agent: Agent, form: Record<string, string> = {}) {
  const csrfToken = await csrfOf(agent)
  return agent.send('/auth/signout', { form: { csrfToken, ...form } })
}
