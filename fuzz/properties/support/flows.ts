import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Browser } from '../../world/browser.ts'
import type { Fault } from '../../world/fault-plan.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { collectUnhandled } from './unhandled.ts'

/** A request of a flow, after everything before it. */
export interface Flow {
  readonly browser: Browser
  readonly go: () => Promise<Reply>
}

/** The kind of a flow: it completes a sign-in, starts one, reads a session, or ends one. */
export type Kind = 'signs in' | 'starts' | 'reads' | 'signs out'

/** Requests of every flow of an application with a store, by name. */
export const flows = {
  'starting a sign-in': { kind: 'starts', open: (world) => start(world, world.browser('ada')) },
  'starting a sign-in over a session': {
    kind: 'starts',
    open: async (world) => start(world, await openSignedIn(world)),
  },
  'a first sign-in': { kind: 'signs in', open: (world) => arrive(world, world.browser('ada'), 'alpha') },
  'a repeated sign-in': {
    kind: 'signs in',
    async open(world) {
      await openSignedIn(world)
      return arrive(world, world.browser('ada'), 'alpha')
    },
  },
  'a sign-in over a session': {
    kind: 'signs in',
    open: async (world) => arrive(world, await openSignedIn(world), 'alpha'),
  },
  'linking an account': {
    kind: 'signs in',
    open: async (world) => arrive(world, await openSignedIn(world), 'plain'),
  },
  'requesting a link': {
    kind: 'starts',
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
  'following a first link': { kind: 'signs in', open: (world) => follow(world, world.browser('ada')) },
  'following a link over a session': {
    kind: 'signs in',
    open: async (world) => follow(world, await openSignedIn(world)),
  },
  'reading the session': {
    kind: 'reads',
    async open(world) {
      const browser = await openSignedIn(world)
      world.clock.advance(5)
      return { browser, go: () => browser.readSession() }
    },
  },
  'updating the session': {
    kind: 'reads',
    async open(world) {
      const browser = await openSignedIn(world)
      const csrfToken = await browser.csrfToken()
      world.clock.advance(5)
      return {
        browser,
        go: () => browser.send(`${world.basePath}/session`, { json: { csrfToken, data: 'news' } }),
      }
    },
  },
  'signing out': {
    kind: 'signs out',
    async open(world) {
      const browser = await openSignedIn(world)
      const csrfToken = await browser.csrfToken()
      return { browser, go: () => browser.send(`${world.basePath}/signout`, { form: { csrfToken } }) }
    },
  },
} as const satisfies Record<string, { kind: Kind; open: (world: World) => Promise<Flow> }>

export type FlowName = keyof typeof flows
export const flowNames = Object.keys(flows) as FlowName[]

/** The applications with all these flows; every access extends a session. */
export const flowSetups = {
  database: { config: { session: { updateAge: 0 } } },
  jwt: { strategy: 'jwt', config: { adapter: true } },
} as const

/** Opens a browser that is signed in as Ada. */
export async function openSignedIn(world: World): Promise<Browser> {
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

async function arrive(world: World, browser: Browser, method: 'alpha' | 'plain'): Promise<Flow> {
  const arrival = await browser.visit(method, world.people.ada)
  return { browser, go: () => browser.arrive(arrival) }
}

async function follow(world: World, browser: Browser): Promise<Flow> {
  const mail = await browser.requestLink(world.people.ada.address.mail)
  return { browser, go: () => browser.followLink(mail) }
}

/** In seconds: a step takes at most thirty, and so does its cleanup. */
const patience = 62

/** Advances the clock by at most a minute, until a promise settles; returns whether it did. */
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

/** The outcome of a request in which one call failed. */
export interface Outcome {
  readonly reply: Reply
  /** The failed call; undefined if there were fewer calls. */
  readonly call: string | undefined
  /** Whether the request never finished, however far the clock advanced. */
  readonly isStuck: boolean
  /** Unhandled rejections. */
  readonly unhandled: readonly unknown[]
}

/** Sends the request of a flow while the k-th call of a plane fails. Advances the clock if the call hangs. */
export async function runWithFault(
  world: World,
  flow: Flow,
  plane: string,
  call: number,
  fault: Fault,
): Promise<Outcome> {
  const [outcome, unhandled] = await collectUnhandled(async () => {
    world.plan.arm(plane, call, fault)
    const response = flow.go()
    if (fault.hangs) await Promise.race([world.plan.hung(), response])
    const isStuck = fault.hangs === true && !(await waitFor(world, response))
    if (isStuck) world.plan.end()
    const reply = await response
    const name = world.plan.calls[call]
    world.plan.end()
    world.plan.arm('none')
    return { reply, call: name, isStuck }
  })
  if (outcome.call !== undefined) world.history.say(`during this request, ${outcome.call} ${fault.name}`)
  return { ...outcome, unhandled }
}
