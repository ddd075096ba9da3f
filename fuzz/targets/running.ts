import { fetchLimited } from 'authmachine/instrumented'
import { Breach, Unreached } from '../world/breach.ts'
import type { Clock } from '../world/clock.ts'
import { createPlan } from '../world/fault-plan.ts'
import type { Hosted } from '../world/hosted.ts'
import type { Idp } from '../world/idp/contract.ts'
import type { Mailbox } from '../world/mailbox.ts'
import type { ProviderName } from '../world/people.ts'
import { openPoints } from '../world/points.ts'
import { createRecorded } from '../world/recorded.ts'
import type { Rows } from '../world/store.ts'
import { sendWithHost } from './send-with-host.ts'
import type { Routes } from '../world/browser.ts'
import type { Described, Handle, Stage } from './target.ts'

/** Milliseconds between two requests to an application on another machine. */
const gap = 200

const limits = { patience: 20_000, size: 1024 * 1024 }

/** Returns why a request failed, from the cause of fetch's error. */
export function reasonOf(error: unknown): string {
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
export function sendTo(origin: string): Handle {
  let answered: Request | undefined
  return async (request) => {
    const to = new URL(request.url).origin
    if (to !== origin)
      throw new Unreached(`the oracle sends no request to ${to}, which is not the application`)
    const { response, bytes, isCut } = await fetchLimited(fetchTwice, request, limits).catch(
      (error: unknown) => {
        throw answered && codeOf(error) === 'ECONNREFUSED' ? endedAfter(answered) : error
      },
    )
    answered = request
    if (isCut) throw new Error('the response is larger than 1 MiB')
    return new Response(response.body && bytes, response)
  }
}

/** The application accepts no more connections. The last request to which it responded may have ended it. */
function endedAfter({ method, url }: Request): Breach {
  const { pathname, search } = new URL(url)
  return new Breach(
    'FI-12',
    `the application accepts no more connections, since ${method} ${`${pathname}${search}`.slice(0, 200)}`,
    {
      story: 'One request of a stranger ends the process, and with it the application of all users.',
      advice:
        'Read in the output of the application which error ended it. Catch errors in event handlers and in work that continues after the response, and restart a process that ends.',
      observed: 'a cost',
    },
  )
}

/**
 * Sends a request a second time if the connection ended before the response began. A server may close a connection at any
 * time, and some do after a request that they refused. Browsers then repeat the next request on a new one (RFC 9112 9.3.1).
 */
const fetchTwice: typeof fetch = async (input, init) => {
  const request = new Request(input)
  if (request.headers.has('host')) return sendWithHost(request)
  return fetch(request.clone(), init).catch((error: unknown) => {
    if (!ended.has(codeOf(error))) throw error
    return fetch(request, init)
  })
}

const ended: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

function codeOf(error: unknown): unknown {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined
  // A host name with several addresses has one error for each.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  return first instanceof Error && 'code' in first ? first.code : undefined
}

/** Sends at most five requests per second. */
export function unhurried(handle: Handle): Handle {
  let turn = Promise.resolve()
  return (request) => {
    turn = turn.then(() => new Promise((resolve) => setTimeout(resolve, gap)))
    return turn.then(() => handle(request))
  }
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
  const refused = idp.refusals.length
  const issued = idp.issued.length
  return {
    ...idp,
    get refusals() {
      return idp.refusals.slice(refused)
    },
    get issued() {
      return idp.issued.slice(issued)
    },
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

/** A running application. */
export interface Running {
  readonly origin: string
  readonly basePath: string
  readonly handle: Handle
  readonly idOf: (name: ProviderName) => string | undefined
  readonly routes?: Routes
  readonly described?: Described
}

/** Opens the world around a running application for one case. */
export function openRunning(application: Running, hosted: Hosted): Stage {
  const plan = createPlan()
  const before = hosted.sent.length
  for (const idp of Object.values(hosted.idps)) idp.forget()
  return {
    ...application,
    controls: hosted.page,
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
