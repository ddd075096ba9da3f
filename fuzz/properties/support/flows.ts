import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Browser } from '../../world/browser.ts'
import type { Fault } from '../../world/fault-plan.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { collectUnhandled } from './unhandled.ts'

/** A request of a flow, with everything before it done. */
export interface Flow {
  readonly browser: Browser
  readonly go: () => Promise<Reply>
}

/** What a flow is for: it signs somebody in, prepares that, reads, or ends a session. */
export type Kind = 'admits' | 'prepares' | 'reads' | 'leaves'

/** Requests of every flow of an application with a store, by name. */
export const flows = {
  'starting a sign-in': { kind: 'prepares', open: (world) => start(world, world.browser('ada')) },
  'starting a sign-in over a session': {
    kind: 'prepares',
    open: async (world) => start(world, await comeIn(world)),
  },
  'a first sign-in': { kind: 'admits', open: (world) => arrive(world, world.browser('ada'), 'alpha') },
  'one more sign-in': {
    kind: 'admits',
    async open(world) {
      await comeIn(world)
      return arrive(world, world.browser('ada'), 'alpha')
    },
  },
  'a sign-in over a session': {
    kind: 'admits',
    open: async (world) => arrive(world, await comeIn(world), 'alpha'),
  },
  'linking an account': {
    kind: 'admits',
    open: async (world) => arrive(world, await comeIn(world), 'plain'),
  },
  'asking for a link': {
    kind: 'prepares',
    async open(world) {
      const browser = world.browser('ada')
      const csrfToken = await browser.csrfToken()
      const form = { csrfToken, email: world.people.ada.address.mail }
      return {
        browser,
        go: () => browser.send(`${world.basePath}/signin/${world.idOf('mail') ?? ''}`, { form }),
      }
    },
  },
  'following a first link': { kind: 'admits', open: (world) => follow(world, world.browser('ada')) },
  'following a link over a session': {
    kind: 'admits',
    open: async (world) => follow(world, await comeIn(world)),
  },
  'reading the session': {
    kind: 'reads',
    async open(world) {
      const browser = await comeIn(world)
      world.clock.advance(5)
      return { browser, go: () => browser.readSession() }
    },
  },
  'updating the session': {
    kind: 'reads',
    async open(world) {
      const browser = await comeIn(world)
      const csrfToken = await browser.csrfToken()
      world.clock.advance(5)
      return {
        browser,
        go: () => browser.send(`${world.basePath}/session`, { json: { csrfToken, data: 'news' } }),
      }
    },
  },
  'signing out': {
    kind: 'leaves',
    async open(world) {
      const browser = await comeIn(world)
      const csrfToken = await browser.csrfToken()
      return { browser, go: () => browser.send(`${world.basePath}/signout`, { form: { csrfToken } }) }
    },
  },
} as const satisfies Record<string, { kind: Kind; open: (world: World) => Promise<Flow> }>

export type FlowName = keyof typeof flows
export const flowNames = Object.keys(flows) as FlowName[]

/** The applications that have all these flows; every access extends a session. */
export const flowSetups = {
  database: { config: { session: { updateAge: 0 } } },
  jwt: { strategy: 'jwt', config: { adapter: true } },
} as const

/** Somebody who is signed in. */
export async function comeIn(world: World): Promise<Browser> {
  const browser = world.browser('ada')
  await browser.signIn('alpha', world.people.ada)
  return browser
}

async function start(world: World, browser: Browser): Promise<Flow> {
  const csrfToken = await browser.csrfToken()
  return {
    browser,
    go: () => browser.send(`${world.basePath}/signin/${world.idOf('alpha') ?? ''}`, { form: { csrfToken } }),
  }
}

async function arrive(world: World, browser: Browser, door: 'alpha' | 'plain'): Promise<Flow> {
  const arrival = await browser.visit(door, world.people.ada)
  return { browser, go: () => browser.arrive(arrival) }
}

async function follow(world: World, browser: Browser): Promise<Flow> {
  const mail = await browser.askLink(world.people.ada.address.mail)
  return { browser, go: () => browser.followLink(mail) }
}

/** Seconds: a step has thirty of them at most, and what tidies up after it as many. */
const patience = 62

/** Turns the clock, a minute at most, until something is done; is it? */
export async function waitFor(world: World, work: Promise<unknown>): Promise<boolean> {
  const state = { isDone: false }
  const done = () => void (state.isDone = true)
  work.then(done, done)
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  for (let second = 0; second < patience && !state.isDone; second++) {
    world.clock.advance(1)
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  }
  return state.isDone
}

/** What came of a request while one call went wrong. */
export interface Outcome {
  readonly reply: Reply
  /** The call that went wrong; undefined when there were not so many. */
  readonly call: string | undefined
  /** Did it never answer, however long the clock was turned? */
  readonly isStuck: boolean
  /** What was rejected, and nobody heard. */
  readonly unhandled: readonly unknown[]
}

/** Sends the request of a flow while the k-th call of a plane goes wrong; turns the clock when that hangs. */
export async function goWrong(
  world: World,
  flow: Flow,
  plane: string,
  call: number,
  fault: Fault,
): Promise<Outcome> {
  const [outcome, unhandled] = await collectUnhandled(async () => {
    world.plan.arm(plane, call, fault)
    const answer = flow.go()
    if (fault.hangs) await Promise.race([world.plan.hung(), answer])
    const isStuck = fault.hangs === true && !(await waitFor(world, answer))
    if (isStuck) world.plan.end()
    const reply = await answer
    const name = world.plan.calls[call]
    world.plan.end()
    world.plan.arm('none')
    return { reply, call: name, isStuck }
  })
  if (outcome.call !== undefined) world.history.say(`meanwhile ${outcome.call} ${fault.name}`)
  return { ...outcome, unhandled }
}
