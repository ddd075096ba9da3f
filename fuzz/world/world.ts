import type { RequirementId } from 'authmachine/spec'
import { watchIdentities } from '../monitors/identity.ts'
import type { Monitor, Watched } from '../monitors/monitor.ts'
import { watchRevocations } from '../monitors/revocation.ts'
import { watchSingleUse } from '../monitors/single-use.ts'
import type { Setup } from '../targets/setup.ts'
import type { Driver, Feature, Stage } from '../targets/target.ts'
import { Absent, Breach, Unreached } from './breach.ts'
import { openBrowser, type Browser } from './browser.ts'
import { describeCommand, describeExchange } from './describe.ts'
import { openHistory, type History } from './history.ts'
import { ownerOf, people, registrantOf, type Person, type ProviderName } from './people.ts'
import type { Race } from './race.ts'
import { member, readReply, type Reply } from './reply.ts'

/** Everything that a property has at hand: an application, people with browsers, and what surrounds them. */
export interface World extends Omit<Stage, 'another'> {
  readonly people: typeof people
  readonly capabilities: ReadonlySet<string>
  readonly features: ReadonlySet<Feature>
  /** How the application keeps sessions. */
  readonly strategy: 'jwt' | 'database'
  readonly history: History
  /** Everything that was answered, in order. */
  readonly replies: readonly Answered[]
  /** A second application beside this one; see {@link Stage.another}. @throws {Unreached} where a target can't have one */
  readonly another: (setup: Setup, store: 'same' | 'own') => Promise<World>
  /** A new browser of somebody, without cookies. */
  readonly browser: (owner?: string) => Browser
  /** Sends a request that no browser would, and reads the answer. */
  readonly send: (request: Request) => Promise<Reply>
  /** A URL of the application: `url('session')`. */
  readonly url: (path: string) => string
  /** Somebody proved who they are in this browser, in a way that the browser's own methods do not see. */
  readonly prove: (browser: Browser, person: Person, provider: ProviderName) => void
  /** @throws {Breach} unless it holds */
  readonly hold: (id: RequirementId, holds: boolean, otherwise: string) => void
  /** @throws {Unreached} unless the case came to what it speaks of */
  readonly demand: (holds: boolean, otherwise: string) => void
  /** Counts a situation that the case came to. */
  readonly reach: (situation: string) => void
  /** From now on calls of the application wait for this scheduler. */
  readonly enter: (race: Race) => void
  /** Turns the clock, and says so. */
  readonly pass: (seconds: number) => void
}

/** A request and its answer. */
export interface Answered {
  readonly request: Request
  readonly reply: Reply
}

/** Milliseconds of real time after which a request is taken to be unanswered. */
const patience = 20_000

/** @param salt seeds what the world draws at random */
export async function openWorld(
  driver: Driver,
  setup: Setup,
  salt: number,
  reach: (situation: string) => void,
): Promise<World> {
  return surround(driver, setup, await driver.open(setup, salt), openHistory(), reach)
}

function surround(
  driver: Driver,
  setup: Setup,
  stage: Stage,
  history: History,
  reach: (situation: string) => void,
): World {
  const replies: Answered[] = []
  const watched: Watched = {
    basePath: stage.basePath,
    strategy: driver.strategy ?? setup.strategy ?? 'database',
    capabilities: driver.capabilities,
  }
  const monitors: readonly Monitor[] = [
    watchIdentities(watched),
    watchSingleUse(watched, stage.network),
    watchRevocations(watched),
  ]

  const deliver = async (request: Request): Promise<Reply> => {
    const reply = await receive(request)
    replies.push({ request, reply })
    return reply
  }
  const receive = async (request: Request): Promise<Reply> => {
    try {
      return await readReply(await withPatience(stage.handle(request)), request.url)
    } catch (error) {
      const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      return readReply(new Response(null, { status: 500 }), request.url, why)
    }
  }
  const prove = (browser: Browser, person: Person, provider: ProviderName) => {
    for (const monitor of monitors) monitor.proven?.(browser, person, provider)
  }
  const idOf = (name: ProviderName) => {
    const id = stage.idOf(name)
    if (id === undefined) throw new Absent(`the application has no provider like ${name}`)
    return id
  }

  const open = (owner = 'ada'): Browser =>
    openBrowser(owner, {
      origin: stage.origin,
      basePath: stage.basePath,
      idOf,
      async deliver(browser, request, { says }) {
        const body = await request.clone().text()
        const cookie = request.headers.get('cookie') ?? ''
        history.command(describeCommand(request.clone(), body))
        for (const monitor of monitors) monitor.sent?.(browser, request)
        noteProof(browser, request, body)
        const reply = await deliver(request)
        history.say(describeExchange({ by: owner, says, request, reply, cookie }))
        for (const monitor of monitors)
          monitor.answered?.({ browser, request, body, reply, at: stage.clock.now() })
        return reply
      },
      async consent(browser, provider, as, url) {
        const idp = stage.idps[provider]
        idp.choose(`${as.name}-at-${provider}`)
        const { parameters, mode } = await idp.authorize(url.href).catch((error: unknown) => {
          throw new Unreached(`${provider} refused the sign-in: ${String(error)}`)
        })
        history.say(`${owner} consents at ${provider} as ${as.name}, and is sent back with ${parameters}`)
        prove(browser, as, provider)
        return { provider, parameters, mode }
      },
      async mailTo(address, after) {
        const mail = await stage.mailbox.waitFor(address, after)
        if (mail) history.say(`a mail to ${address} brings the link ${mail.link.pathname}${mail.link.search}`)
        return mail
      },
      mailCount: () => stage.mailbox.mails.length,
      whoIs(session) {
        const address = member(session, 'user', 'email')
        if (typeof address === 'string') return ownerOf(address)?.name ?? address
        // Whoever registered a passkey has proven no address; the one that they typed may be their name.
        const name = member(session, 'user', 'name')
        const isTyped = typeof name === 'string' && name.includes('@')
        return isTyped ? (registrantOf(name)?.name ?? name) : undefined
      },
    })

  /** A link of one's own mail and the right password are proofs; both are seen when they are sent. */
  const noteProof = (browser: Browser, request: Request, body: string) => {
    const { searchParams } = new URL(request.url)
    const form = new URLSearchParams(body)
    const token = searchParams.get('token') ?? form.get('token')
    const mail =
      token === null
        ? undefined
        : stage.mailbox.mails.find(({ link }) => link.searchParams.get('token') === token)
    const reader = mail && ownerOf(mail.to)
    if (reader && reader.name === browser.name) prove(browser, reader, 'mail')
    const writer = Object.values(people).find(({ password }) => password === form.get('password'))
    if (writer && writer.name === browser.name) prove(browser, writer, 'form')
  }

  return {
    ...stage,
    people,
    history,
    replies,
    async another(next, store) {
      const second = await stage.another?.(next, store)
      if (!second) throw new Unreached('the target has no second application')
      return surround(driver, next, second, history, reach)
    },
    capabilities: driver.capabilities,
    features: driver.features,
    strategy: watched.strategy,
    browser: open,
    async send(request) {
      const body = await request.clone().text()
      history.command(describeCommand(request, body))
      const cookie = request.headers.get('cookie') ?? ''
      const reply = await deliver(request)
      history.say(describeExchange({ by: 'somebody', request, reply, cookie }))
      return reply
    },
    url: (path) => `${stage.origin}${stage.basePath}/${path}`,
    prove,
    hold(id, holds, otherwise) {
      if (!holds) throw new Breach(id, otherwise)
    },
    demand(holds, otherwise) {
      if (!holds) throw new Unreached(otherwise)
    },
    reach,
    enter: (race) => stage.points.enter(race),
    pass(seconds) {
      history.say(`the clock goes on by ${seconds} s`)
      stage.clock.advance(seconds)
    },
  }
}

const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

async function withPatience(response: Promise<Response>): Promise<Response> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = startTimer(() => reject(new Error(`no answer within ${patience / 1000} s`)), patience)
  })
  try {
    return await Promise.race([response, late])
  } finally {
    stopTimer(timer)
  }
}
