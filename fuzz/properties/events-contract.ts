import fc from 'fast-check'
import { rejecting, throwing } from '../world/fault-plan.ts'
import type { Browser } from '../world/browser.ts'
import { member, type Reply } from '../world/reply.ts'
import type { Rows } from '../world/store.ts'
import type { World } from '../world/world.ts'
import { bothStrategies, property, type Property } from './property.ts'
import { approach, doors, everyDoor, orElse, type Door } from './support/doors.ts'
import { isSignedIn, refuses as isRefused, sessionOf, update } from './support/sessions.ts'
import { textsOf } from './support/texts.ts'

/** What somebody does, one thing after the other. */
const deeds = fc.array(fc.constantFrom(...doors, 'read', 'update', 'sign out'), {
  minLength: 1,
  maxLength: 5,
})
type Deed = Door | 'read' | 'update' | 'sign out'
const names = ['createUser', 'updateUser', 'linkAccount', 'signIn', 'signOut', 'session'] as const
type EventName = (typeof names)[number]

/** An event, and what the store held when it was told. */
interface Heard {
  readonly event: EventName
  readonly message: unknown
  readonly rows: Rows
}

/** An application that listens to each of its events; `spoil` may throw in its listeners. */
async function openListening(
  base: World,
  strategy: 'jwt' | 'database',
  config: Readonly<Record<string, unknown>> = {},
  spoil: (event: EventName) => unknown = () => undefined,
): Promise<{ readonly world: World; readonly heard: Heard[] }> {
  const heard: Heard[] = []
  const hear = (event: EventName) => (message: unknown) => {
    heard.push({ event, message, rows: structuredClone(opened.world.rows) })
    return spoil(event)
  }
  const events = Object.fromEntries(names.map((event) => [event, hear(event)]))
  const opened = { world: await base.another(everyDoor(strategy, base, { ...config, events }), 'own'), heard }
  return opened
}

/** Everything of a deed but its last request. */
async function prepare(world: World, browser: Browser, deed: Deed): Promise<() => Promise<Reply>> {
  if (deed === 'read') return () => browser.readSession()
  if (deed === 'update') return () => update(world, browser, 'news')
  if (deed !== 'sign out') return approach(world, browser, orElse(world, deed))
  const csrfToken = await browser.csrfToken()
  return () => browser.send(`${world.basePath}/signout`, { form: { csrfToken } })
}

/** Is what the event reports done, by the rows of its moment? */
function isDone({ event, message, rows }: Heard, before: Rows, strategy: string): boolean {
  const id = member(message, 'user', 'id')
  const { users, accounts, sessions } = rows
  switch (event) {
    case 'createUser':
      return users.some((user) => user.id === id)
    case 'updateUser':
      return users.some((user) => user.id === id && user.emailVerified !== null)
    case 'linkAccount':
      return accounts.some(
        ({ provider, providerAccountId }) =>
          provider === member(message, 'account', 'provider') &&
          providerAccountId === member(message, 'account', 'providerAccountId'),
      )
    case 'signIn':
      return strategy === 'jwt' || sessions.some(({ userId }) => userId === id)
    case 'signOut':
      return strategy === 'jwt' || sessions.length < before.sessions.length
    case 'session':
      return true
  }
}

const times = (heard: readonly Heard[], event: EventName) =>
  heard.filter((each) => each.event === event).length

/** Holds that each event was told once for what came to be, after it was, and in order. */
function holdTold(
  world: World,
  heard: readonly Heard[],
  at: {
    readonly before: Rows
    readonly what: string
    readonly held: boolean
    readonly deed: Deed
    readonly went: boolean
  },
): void {
  const { before, what, deed, held, went } = at
  const told = heard.map(({ event }) => event)
  const said = told.join(', ') || 'nothing'
  const early = heard.find((each) => !isDone(each, before, world.strategy))
  world.hold('CB-05', early === undefined, `${what}, tells ${early?.event ?? ''} of what is not done`)
  const isNew = <T>(rows: readonly T[], old: readonly T[], key: (row: T) => string) =>
    rows.filter((row) => !old.some((each) => key(each) === key(row))).length
  const made = {
    createUser: isNew(world.rows.users, before.users, ({ id }) => id),
    linkAccount: isNew(
      world.rows.accounts,
      before.accounts,
      (row) => `${row.provider} ${row.providerAccountId}`,
    ),
  }
  for (const event of ['createUser', 'linkAccount'] as const) {
    const count = times(heard, event)
    // What a flow that failed took back again may have been told.
    const fits = went ? count === made[event] : count >= made[event] || count === 0
    world.hold('CB-05', fits && count <= 1, `${what}, makes ${made[event]} and tells ${event} ${count} times`)
  }
  const order = told.map((event) => names.indexOf(event))
  world.hold(
    'CB-05',
    order.every((place, n) => n === 0 || place >= (order[n - 1] ?? 0)),
    `${what}, tells ${said}`,
  )
  const isEntry = deed !== 'read' && deed !== 'update' && deed !== 'sign out'
  const wanted: Partial<Record<EventName, number>> = {
    signIn: isEntry && went ? 1 : 0,
    signOut: deed === 'sign out' && held && went ? 1 : 0,
    session: (deed === 'read' || deed === 'update') && held && went ? 1 : 0,
  }
  for (const [event, count] of Object.entries(wanted))
    world.hold(
      'CB-05',
      times(heard, event as EventName) === count,
      `${what}, tells ${said}, with ${event} to be told ${count} times`,
    )
  world.hold('CB-05', times(heard, 'updateUser') <= 1, `${what}, tells ${said}`)
}

const hasSession = (browser: Browser) => Object.keys(sessionOf(browser.cookies())).length > 0
const needs = ['setup', 'hooks', 'store'] as const

export const eventsContractProperties: readonly Property[] = [
  property({
    proves: ['CB-05'],
    name: 'each event is told once, after what it reports, and in order',
    story: 'An audit log misses sign-ins or has them twice; a welcome mail greets a user who is not there.',
    advice: 'Collect events where their rows are written, and tell them when everything is done.',
    setups: bothStrategies,
    needs,
    runs: 35,
    reaches: { signIn: 15, signOut: 1, createUser: 8, linkAccount: 8, session: 4 },
    input: fc.record({ deeds, isKnown: fc.boolean() }),
    async run(base, { deeds: list, isKnown }) {
      const { strategy } = base
      const { world, heard } = await openListening(base, strategy)
      const { ada } = world.people
      const known = { id: 'user-of-old', name: 'ada', email: ada.address.mail, emailVerified: null }
      if (isKnown) world.rows.users.push(known)
      let browser = world.browser('ada')
      let registered = false
      for (const deed of list) {
        if (deed === 'passkey') {
          // A passkey registers somebody new, once.
          if (registered) continue
          registered = true
          browser = world.browser('ada')
        }
        const go = await prepare(world, browser, deed)
        const [held, before] = [hasSession(browser), structuredClone(world.rows)]
        heard.length = 0
        const reply = await go()
        const at = { before, held, deed, went: !isRefused(reply), what: `${deed} under ${strategy}` }
        const now = [...heard]
        holdTold(world, now, at)
        const verified = world.rows.users.some(({ id, emailVerified }) => {
          const old = before.users.find((each) => each.id === id)
          return old !== undefined && old.emailVerified === null && emailVerified !== null
        })
        if (verified)
          world.hold('CB-05', times(now, 'updateUser') === 1, `${at.what} does not tell updateUser`)
        for (const { event } of now) world.reach(event)
      }
    },
  }),

  property({
    proves: ['CB-05'],
    name: 'no event tells of what failed',
    story: 'An audit log has sign-ins that never were, and whoever reads it looks for an intruder in vain.',
    advice: 'Tell an event after its commit, and none of a flow that ends otherwise.',
    setups: bothStrategies,
    needs: [...needs, 'faults'],
    runs: 70,
    reaches: { 'failed at store': 3, 'failed at callback.signIn': 2 },
    input: fc.record({
      first: fc.option(fc.constantFrom('alpha', 'mail'), { nil: undefined }),
      same: fc.boolean(),
      deed: fc.constantFrom(...doors, ...doors, 'sign out', 'read'),
      plane: fc.constantFrom('store', 'store', 'store', 'callback.signIn', 'callback.jwt'),
      at: fc.nat({ max: 5 }),
      fault: fc.constantFrom(throwing, rejecting, 'refuses' as const),
    }),
    async run(base, { first, same, deed, plane, at, fault }) {
      const { strategy } = base
      let refuses = false
      const callbacks = {
        signIn: () => !refuses,
        jwt: ({ token }: { token: unknown }) => (refuses ? null : token),
      }
      const { world, heard } = await openListening(base, strategy, { callbacks })
      let browser = world.browser('ada')
      if (first) await (await approach(world, browser, first))()
      if (deed === 'passkey' || !same) browser = world.browser('ada')
      const go = await prepare(world, browser, deed)
      const [held, before] = [hasSession(browser), structuredClone(world.rows)]
      heard.length = 0
      refuses = fault === 'refuses' && plane !== 'store'
      const failing = fault === 'refuses' ? undefined : fault
      world.plan.arm(plane, at, failing)
      const reply = await go()
      const hit = refuses || (failing !== undefined && world.plan.calls.length > at)
      const call = world.plan.calls[at] ?? plane
      world.plan.arm('none')
      refuses = false
      const now = [...heard]
      const isEntry = deed !== 'read' && deed !== 'sign out'
      const came = isEntry && hasSession(browser) && !isRefused(reply)
      const isGone = deed === 'sign out' && world.rows.sessions.length < before.sessions.length
      const left = deed === 'sign out' && (strategy === 'jwt' ? !hasSession(browser) : isGone)
      if (!hit) return
      const what = `${deed} under ${strategy}, when ${call} fails`
      world.reach(`failed at ${plane}`)
      const early = now.find((each) => !isDone(each, before, strategy))
      world.hold('CB-05', early === undefined, `${what}, tells ${early?.event ?? ''} of what is not done`)
      const told = now.map(({ event }) => event).join(', ')
      for (const event of names) world.hold('CB-05', times(now, event) <= 1, `${what}, tells ${told}`)
      if (isEntry)
        world.hold(
          'CB-05',
          times(now, 'signIn') === Number(came),
          `${what}, ${came ? 'signs in' : 'signs nobody in'}, and tells ${told || 'nothing'}`,
        )
      if (deed === 'sign out' && held && !left)
        world.hold('CB-05', times(now, 'signOut') === 0, `${what}, leaves the session, and tells ${told}`)
      if (plane === 'callback.signIn' && isEntry)
        world.hold('CB-05', now.length === 0, `${what}, tells ${told}`)
    },
  }),

  property({
    proves: ['CB-05'],
    name: 'what an event throws is logged, and changes nothing',
    story: 'A statistics service that is down keeps everybody out, or nobody ever learns that it is down.',
    advice: 'Await each event in a try of its own, and log what it throws.',
    setups: bothStrategies,
    needs,
    runs: 25,
    reaches: { signIn: 3, signOut: 3, session: 3, createUser: 3 },
    input: fc.record({
      door: fc.constantFrom(...doors),
      bad: fc.subarray([...names], { minLength: 1 }),
      isLate: fc.boolean(),
    }),
    async run(base, { door, bad, isLate }) {
      const { strategy } = base
      const spoil = (event: EventName) => {
        if (!bad.includes(event)) return undefined
        const error = new Error(`canary of ${event}`)
        if (isLate) return Promise.reject(error)
        throw error
      }
      const { world, heard } = await openListening(base, strategy, {}, spoil)
      const browser = world.browser('ada')
      for (const deed of [orElse(world, door), 'read', 'sign out'] as const) {
        const go = await prepare(world, browser, deed)
        const before = structuredClone(world.rows)
        const [held, logged] = [hasSession(browser), world.told.errors.length]
        heard.length = 0
        await go()
        const now = [...heard]
        const what = `${deed} under ${strategy}, with events that throw,`
        const isEntry = deed !== 'read' && deed !== 'sign out'
        world.hold('CB-05', hasSession(browser) === (deed !== 'sign out'), `${what} ends otherwise`)
        holdTold(world, now, { before, held, deed, went: true, what })
        const errors = world.told.errors.slice(logged)
        const texts = errors.flatMap((error) => textsOf(error)).join('\n')
        const thrownNow = now.map(({ event }) => event).filter((event) => bad.includes(event))
        world.hold(
          'CB-05',
          errors.length >= thrownNow.length,
          `${what} logs ${errors.length} errors for ${thrownNow.join(', ')}`,
        )
        for (const event of thrownNow) {
          const isLogged = texts.includes(`canary of ${event}`)
          world.hold('CB-05', isLogged, `${what} does not log what ${event} threw`)
          world.reach(event)
        }
        if (isEntry) world.hold('CB-05', isSignedIn(await browser.readSession()), `${what} signs nobody in`)
      }
    },
  }),
]
