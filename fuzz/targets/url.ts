import { fetchLimited } from 'authmachine/instrumented'
import { Unreached } from '../world/breach.ts'
import type { Clock } from '../world/clock.ts'
import { createPlan } from '../world/fault-plan.ts'
import { openHosted, type Hosted } from '../world/hosted.ts'
import type { Idp } from '../world/idp/contract.ts'
import type { Mailbox } from '../world/mailbox.ts'
import type { ProviderName } from '../world/people.ts'
import { openPoints } from '../world/points.ts'
import type { Rows } from '../world/store.ts'
import { createRecorded } from '../world/recorded.ts'
import type { Driver, Handle, Stage } from './target.ts'

/** A running application, and how to reach it. */
export interface Application {
  /** The URL of its routes: `http://localhost:3000/auth`. */
  readonly url: string
  /** The capabilities that it claims. @default [] */
  readonly capabilities?: readonly string[]
  /** The first of the world's four ports. @default 4010 */
  readonly port?: number
  /** Confirms that you own the application, which allows testing it on another machine. @default false */
  readonly isOwn?: boolean
}

/** Milliseconds between two requests to an application on another machine. */
const gap = 200

const limits = { patience: 20_000, size: 1024 * 1024 }

/** Maximum listed providers. Each costs two requests. */
const maxProviders = 100

/**
 * Opens the world of a running application, and detects which of its providers redirect there.
 * @throws {Error} if it does not respond, is on another machine, or has no provider of this world
 */
export async function driveUrl(application: Application): Promise<Driver & { close: () => Promise<void> }> {
  const url = new URL(application.url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!isLocal && !application.isOwn)
    throw new Error(
      `${url.host} is not this machine. The oracle attacks the application; confirm with --i-own-this that you own it`,
    )
  const hosted = await openHosted(application.port)
  const basePath = url.pathname.replace(/\/$/, '')
  const send = sendTo(url.origin)
  const handle = isLocal ? send : unhurried(send)
  const ids = await findProviders(url.origin, basePath, handle, hosted).catch(async (error: unknown) => {
    await hosted.close()
    throw new Error(`${application.url} does not respond like an Auth.js application: ${reasonOf(error)}`, {
      cause: error,
    })
  })
  if (ids.size === 0) {
    await hosted.close()
    throw new Error(
      `No provider of ${application.url} redirects to the oracle's provider at ${hosted.idps.alpha.issuer}. Configure the providers as the oracle guide shows`,
    )
  }
  return {
    name: application.url,
    capabilities: new Set(application.capabilities),
    features: new Set(url.protocol === 'https:' ? ['https'] : []),
    providers: new Set(ids.keys()),
    open: async () => openStage(url.origin, basePath, handle, hosted, ids),
    close: hosted.close,
  }
}

/** Returns why a request failed, from the cause of fetch's error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  // A host name with several addresses has one error for each.
  return cause instanceof AggregateError ? String(cause.errors[0]) : cause.message
}

/**
 * Sends requests to the application and rejects all others. The application may be hostile: its links and forms can name
 * any host, and the user has confirmed only this one.
 */
function sendTo(origin: string): Handle {
  return async (request) => {
    const to = new URL(request.url).origin
    if (to !== origin)
      throw new Unreached(`the oracle sends no request to ${to}, which is not the application`)
    const { response, bytes, isCut } = await fetchLimited(fetch, request, limits)
    if (isCut) throw new Error('the response is larger than 1 MiB')
    return new Response(response.body && bytes, response)
  }
}

function unhurried(handle: Handle): Handle {
  let turn = Promise.resolve()
  return (request) => {
    turn = turn.then(() => new Promise((resolve) => setTimeout(resolve, gap)))
    return turn.then(() => handle(request))
  }
}

type Listed = Readonly<Record<string, { readonly id: string; readonly type: string }>>

/**
 * Maps providers by where a sign-in redirects. The first e-mail provider is assumed to send links through the world's mail
 * server.
 */
async function findProviders(
  origin: string,
  basePath: string,
  handle: Handle,
  { idps }: Hosted,
): Promise<ReadonlyMap<ProviderName, string>> {
  const request = (path: string, init?: RequestInit) =>
    handle(new Request(`${origin}${basePath}/${path}`, { redirect: 'manual', ...init }))
  const response = await request('providers')
  if (!response.ok) throw new Error(`its list of providers has status ${response.status}`)
  const listed = Object.values((await response.json()) as Listed)
  if (listed.length > maxProviders)
    throw new Error(`it has ${listed.length} providers, and the oracle tries at most ${maxProviders}`)
  const found = new Map<ProviderName, string>()
  for (const { id, type } of listed) {
    if (type === 'email' && !found.has('mail')) found.set('mail', id)
    if (type !== 'oidc' && type !== 'oauth') continue
    const csrf = await request('csrf')
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const cookie = csrf.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ csrfToken }).toString()
    const location =
      (await request(`signin/${id}`, { method: 'POST', headers, body })).headers.get('location') ?? ''
    for (const [name, idp] of Object.entries(idps))
      if (location.startsWith(idp.issuer)) found.set(name as ProviderName, id)
  }
  return found
}

const realClock: Clock = {
  now: () => Date.now(),
  advance: () => refuse('clock'),
  reset: () => {},
}

function refuse(feature: string): never {
  throw new Unreached(`a running application does not support the feature ${feature}`)
}

/** Hides the requests of earlier cases. */
function since(idp: Idp): Idp {
  const before = idp.log.length
  return {
    ...idp,
    get log() {
      return idp.log.slice(before)
    },
    requestsTo: (wanted) => idp.log.slice(before).filter(({ endpoint }) => endpoint === wanted),
  }
}

function mailsSince(mailbox: Mailbox): Mailbox {
  const before = mailbox.mails.length
  return {
    ...mailbox,
    get mails() {
      return mailbox.mails.slice(before)
    },
    waitFor: (address, after) => mailbox.waitFor(address, before + after),
  }
}

function openStage(
  origin: string,
  basePath: string,
  handle: Handle,
  hosted: Hosted,
  ids: ReadonlyMap<ProviderName, string>,
): Stage {
  const plan = createPlan()
  const before = hosted.sent.length
  return {
    origin,
    basePath,
    handle,
    idOf: (name) => ids.get(name),
    idps: {
      alpha: since(hosted.idps.alpha),
      beta: since(hosted.idps.beta),
      plain: since(hosted.idps.plain),
    },
    mailbox: mailsSince(hosted.mailbox),
    clock: realClock,
    rows: new Proxy({} as Rows, { get: () => refuse('store') }),
    recorded: createRecorded(),
    network: {
      fetch: () => refuse('network'),
      get sent() {
        return hosted.sent.slice(before)
      },
    },
    plan,
    points: openPoints(plan),
    async close() {
      for (const idp of Object.values(hosted.idps)) {
        idp.misbehave()
        idp.addToTokens({})
      }
    },
  }
}
