import type { RequirementId } from 'authmachine/spec'
import { watchIdentities } from '../monitors/identity.ts'
import { actionOf, type Monitor, type Watched } from '../monitors/monitor.ts'
import { watchRevocations } from '../monitors/revocation.ts'
import { watchCodes, watchLinks } from '../monitors/single-use.ts'
import type { Setup } from '../targets/setup.ts'
import type { Driver, Feature, Stage } from '../targets/target.ts'
import { Absent, Breach, Unreached, type Meaning } from './breach.ts'
import type { Browser } from './browser.ts'
import { describeCommand, describeExchange } from './describe.ts'
import { openUnusual } from './unusual.ts'
import { findUndeclared } from './find-undeclared.ts'
import { openHistory, type History } from './history.ts'
import { ownerOf, people, registrantOf, type Person, type ProviderName, type RemoteName } from './people.ts'
import { openBrowser } from './open-browser.ts'
import { originOf } from './origin-of.ts'
import { narrate, type NarratedIdp } from './narrate.ts'
import { nameReply, nameRequest } from './playback.ts'
import type { Race } from './race.ts'
import type { Reading } from './reading.ts'
import { member, readReply, type Reply } from './reply.ts'

/** The environment of a property: an application, people with browsers, identity providers, a mailbox, a store. */
export interface World extends Omit<Stage, 'another'> {
  readonly people: typeof people
  /** The capabilities of the application. */
  readonly capabilities: ReadonlySet<string>
  readonly features: ReadonlySet<Feature>
  /** The application's session strategy. */
  readonly strategy: 'jwt' | 'database'
  readonly history: History
  /** All requests with their responses, in order. */
  readonly replies: readonly HandledRequest[]
  /** Opens a second application; see {@link Stage.another}. @throws {Unreached} if the target cannot have one */
  readonly another: (setup: Setup, store: 'same' | 'own') => Promise<World>
  /**
   * Opens a new browser of a person, without cookies.
   *
   * @param options with `staysAtGates`, it does not answer the page of a gate to which it is redirected
   */
  readonly browser: (owner?: string, options?: { readonly staysAtGates?: boolean }) => Browser
  /**
   * Sends a request that no browser would send. Unless it has an `Origin`, it gets that of the application.
   *
   * @param body the text to show for a body that never ends
   */
  readonly send: (request: Request, body?: string) => Promise<Reply>
  /** Returns a URL of the application: `url('session')`. */
  readonly url: (path: string) => string
  /** Records that a person authenticated in this browser, if the browser's methods cannot notice it. */
  readonly prove: (browser: Browser, person: Person, provider: ProviderName) => void
  /** Asserts a requirement, if it applies to the application. @throws {Breach} if the condition is false */
  readonly check: (id: RequirementId, condition: boolean, message: string, meaning?: Partial<Meaning>) => void
  /** Asserts a precondition of the case. @throws {Unreached} if the condition is false */
  readonly assume: (condition: boolean, message: string) => void
  /** Counts a situation that the case reached. */
  readonly reach: (situation: string) => void
  /** From now on, the application's external calls wait for this scheduler. */
  readonly enter: (race: Race) => void
  /** Advances the clock, and adds that to the trace. */
  readonly advance: (seconds: number) => void
}

/** A request and its response. */
export interface HandledRequest {
  readonly request: Request
  readonly reply: Reply
}

/**
 * Returns the capabilities of this application: those that the target always has, and those that its setup turns on.
 */
function listCapabilities({ capabilities, optional }: Driver, { with: wanted = {} }: Setup): Set<string> {
  return new Set([...capabilities].filter((name) => !optional?.has(name) || name in wanted))
}

/** Milliseconds of real time to wait for a response. */
const patience = 20_000

/** The reports of a case in addition to its verdict. */
export interface Evidence {
  /** The case reached a situation. */
  readonly reach: (situation: string) => void
  /** The case checked a requirement, whether it held or not. */
  readonly check: (id: RequirementId) => void
  /** The case sent a request to a route that signs in by this provider. */
  readonly attempt: (provider: ProviderName) => void
}

const unnoted: Evidence = { reach() {}, check() {}, attempt() {} }

/** @param salt the seed of the world's random generator */
export async function openWorld(
  driver: Driver,
  setup: Setup,
  salt: number,
  evidence = unnoted,
): Promise<World> {
  const stage = await driver.open(setup, salt)
  return surround(driver, setup, stage, {
    history: openHistory({ world: stage.controls }),
    evidence,
    hasMonitors: true,
  })
}

/**
 * Opens a world without monitors, for a search that makes its own checks.
 *
 * @param history records the events; a search that restores earlier states has none
 */
export async function openBareWorld(
  driver: Driver,
  setup: Setup,
  salt: number,
  history?: History,
): Promise<World> {
  const watch = { evidence: unnoted, hasMonitors: false, ...(history && { history }) }
  return surround(driver, setup, await driver.open(setup, salt), watch)
}

/** The observers of a world. Without a history, nothing is kept of a request. */
interface Watch {
  readonly history?: History
  readonly evidence: Evidence
  readonly hasMonitors: boolean
}

function surround(driver: Driver, setup: Setup, opened: Stage, watch: Watch): World {
  const { history, evidence } = watch
  const idps = history ? narrateAll(opened, history) : opened.idps
  const stage = { ...opened, idps }
  const replies: HandledRequest[] = []
  const unusual = openUnusual()
  const watched: Watched = {
    basePath: stage.basePath,
    strategy: driver.strategy ?? setup.strategy ?? 'database',
    capabilities: listCapabilities(driver, setup),
  }
  const reading: Reading = (stage.routes && stage.described?.reading) ?? {
    actionOf: (request) => actionOf(request, stage.basePath),
    sessionOf: ({ json }) => json,
  }
  const monitors: readonly Monitor[] = watch.hasMonitors
    ? [
        watchIdentities(reading),
        watchCodes(stage.network),
        // These know the cookies of Auth.js.
        ...(stage.routes ? [] : [watchLinks(watched), watchRevocations(watched)]),
      ]
    : []
  const say = (line: string) => history?.say(line)

  const deliver = async (request: Request, by: string): Promise<Reply> => {
    noteAttempt(request)
    if (!history) {
      const reply = await receive(request)
      replies.push({ request, reply })
      return reply
    }
    const reply = await (stage.playback?.during(
      { by, text: nameRequest(request, stage.basePath) },
      () => receive(request),
      (received) => nameReply(received, stage.origin),
    ) ?? receive(request))
    replies.push({ request, reply })
    history.learn(reply)
    return reply
  }
  const receive = async (request: Request): Promise<Reply> => {
    try {
      const reply = stage.handle(request).then((response) => readReply(response, request.url))
      return await withPatience(reply)
    } catch (error) {
      if (error instanceof Unreached || error instanceof Breach) throw error
      const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      return readReply(new Response(null, { status: 500 }), request.url, why)
    }
  }
  const noteAttempt = ({ url }: Request) => {
    const [, action, id] = /\/(signin|callback)\/([^/]+)$/.exec(new URL(url).pathname) ?? []
    const provider = action && [...driver.providers].find((name) => stage.idOf(name) === id)
    if (provider) evidence.attempt(provider)
  }
  const prove = (browser: Browser, person: Person, provider: ProviderName) => {
    for (const monitor of monitors) monitor.proven?.(browser, person, provider)
  }
  const idOf = (name: ProviderName) => {
    const id = stage.idOf(name)
    if (id === undefined) throw new Absent(`the application does not use the provider ${name}`)
    return id
  }

  const keep =
    (back: () => void = () => {}) =>
    () => {
      back()
      replies.length = 0
    }

  const open: World['browser'] = (owner = 'ada', { staysAtGates = false } = {}) =>
    openBrowser(owner, {
      origin: stage.origin,
      basePath: stage.basePath,
      idOf,
      ...(stage.routes && { routes: stage.routes }),
      attempt: evidence.attempt,
      async deliver(browser, request, sending) {
        const { says } = sending
        if (!history) return deliver(request, owner)
        const carries = unusual.of(request, sending)
        const body = await request.clone().text()
        const cookie = request.headers.get('cookie') ?? ''
        history.command(describeCommand(request.clone(), body), `${owner} ${says ?? 'sends a request'}`)
        for (const monitor of monitors) monitor.sent?.(browser, request)
        noteProof(browser, request, body)
        const reply = await deliver(request, owner)
        unusual.note(reply)
        const session = reading.actionOf(request) === 'session' ? reading.sessionOf(reply) : undefined
        history.say(describeExchange({ by: owner, says, request, reply, cookie, session, unusual: carries }))
        for (const monitor of monitors)
          monitor.answered?.({ browser, request, body, reply, at: stage.clock.now() })
        return reply
      },
      async consent(browser, provider, as, url) {
        const idp: NarratedIdp = idps[provider]
        idp.choose(`${as.name}-at-${provider}`)
        const where = owner === as.name ? '' : `, in the browser of ${owner}`
        const says = `${as.name} consents at ${provider}${where}`
        const { parameters, mode } = await idp.authorize(url.href, says).catch((error: unknown) => {
          throw new Unreached(`${provider} refused the sign-in: ${String(error)}`)
        })
        prove(browser, as, provider)
        return { provider, parameters, mode }
      },
      async mailTo(address, after) {
        const mail = await stage.mailbox.waitFor(address, after)
        if (mail) {
          history?.readMail(address, mail.link)
          say(`${address} receives the link ${mail.link.pathname}${mail.link.search}`)
          stage.playback?.note(`${address} receives a mail`)
        }
        return mail
      },
      mailCount: () => stage.mailbox.mails.length,
      note: say,
      gates: stage.gates,
      staysAtGates,
      refusal: (provider) =>
        Object.entries(stage.idps)
          .find(([name]) => name === provider)?.[1]
          .refusals.at(-1),
      whoIs(session) {
        const address = member(session, 'user', 'email')
        if (typeof address === 'string') return ownerOf(address)?.name ?? address
        // A passkey registration proves no address; the application may use the typed one as the name.
        const name = member(session, 'user', 'name')
        const isTyped = typeof name === 'string' && name.includes('@')
        return isTyped ? (registrantOf(name)?.name ?? name) : undefined
      },
    })

  /** Detects proofs in requests: a link from one's own mail, or the right password. */
  const noteProof = (browser: Browser, request: Request, body: string) => {
    const { searchParams } = new URL(request.url)
    const form = new URLSearchParams(body)
    const token = searchParams.get('token') ?? form.get('token')
    const mail = stage.mailbox.mails.find(
      ({ link }) => link.href === request.url || (token !== null && link.searchParams.get('token') === token),
    )
    const reader = mail && ownerOf(mail.to)
    if (reader && reader.name === browser.name) prove(browser, reader, 'mail')
    const writer = Object.values(people).find(({ password }) => password === form.get('password'))
    if (writer && writer.name === browser.name) prove(browser, writer, 'form')
  }

  return {
    ...stage,
    people,
    history: history ?? openHistory(),
    replies,
    ...(stage.save && { save: () => keep(stage.save?.()) }),
    async another(next, store) {
      const second = await stage.another?.(next, store)
      if (!second) throw new Unreached('the target cannot open a second application')
      return surround(driver, next, second, watch)
    },
    capabilities: watched.capabilities,
    features: driver.features,
    strategy: watched.strategy,
    browser: open,
    async send(request, body) {
      const { origin } = originOf(request.method, new URL(request.url).origin)
      if (origin !== undefined && !request.headers.has('origin')) request.headers.set('origin', origin)
      if (!history) return deliver(request, 'a client')
      const text = body ?? (await request.clone().text())
      history.command(describeCommand(request, text), 'a client sends a request')
      const cookie = request.headers.get('cookie') ?? ''
      const carries = unusual.of(request)
      const reply = await deliver(request, 'a client')
      unusual.note(reply)
      history.say(describeExchange({ by: 'a client', request, reply, cookie, unusual: carries }))
      return reply
    },
    url: (path) => `${stage.origin}${stage.basePath}/${path}`,
    prove,
    check(id, condition, message, meaning) {
      if (findUndeclared(id, driver.capabilities) !== undefined) return
      evidence.check(id)
      if (!condition) throw new Breach(id, message, meaning)
    },
    assume(condition, message) {
      if (!condition) throw new Unreached(message)
    },
    reach: evidence.reach,
    enter: (race) => stage.points.enter(race),
    advance(seconds) {
      if (seconds !== 0) {
        say(`the clock advances by ${seconds} s`)
        stage.playback?.note(`the clock advances by ${seconds} s`)
      }
      stage.clock.advance(seconds)
    },
  }
}

function narrateAll({ idps, playback }: Stage, history: History): Record<RemoteName, NarratedIdp> {
  const tell = (name: RemoteName) => narrate(idps[name], name, history, playback?.note)
  return { alpha: tell('alpha'), beta: tell('beta'), plain: tell('plain') }
}

const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

async function withPatience<T>(response: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = startTimer(() => reject(new Error(`no response within ${patience / 1000} s`)), patience)
  })
  try {
    return await Promise.race([response, late])
  } finally {
    stopTimer(timer)
  }
}
