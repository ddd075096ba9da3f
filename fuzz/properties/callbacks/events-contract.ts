import fc from 'fast-check'
import { rejecting, throwing } from '../../world/fault-plan.ts'
import { bothStrategies, property, type Property } from '../property.ts'
import { prepareSignIn, orElse, signInMethods } from '../support/sign-in-methods.ts'
import { isSignedIn, refuses as isRefused } from '../support/sessions.ts'
import { textsOf } from '../support/texts.ts'
import {
  actions,
  names,
  openListening,
  prepare,
  isDone,
  times,
  checkEvents,
  hasSession,
  needs,
  type EventName,
} from '../support/events.ts'

export const eventsContractProperties: readonly Property[] = [
  property({
    proves: ['CB-05', 'DEC-21c'],
    name: 'emits each event once, in order, after the change it reports',
    story:
      'An audit log misses sign-ins or records them twice, or a welcome mail greets a user who does not exist.',
    advice: 'Collect events where their rows are written, and emit them when the flow is complete.',
    setups: bothStrategies,
    needs,
    runs: 35,
    reaches: { signIn: 15, signOut: 1, createUser: 8, linkAccount: 8, session: 4 },
    input: fc.record({ actions, isKnown: fc.boolean() }),
    async run(base, { actions: list, isKnown }) {
      const { strategy } = base
      let running = 0
      let most = 0
      const work = async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 1))
        running--
      }
      const { world, emitted } = await openListening(base, strategy, {}, work)
      const { ada } = world.people
      const known = { id: 'earlier-user', name: 'ada', email: ada.address.mail, emailVerified: null }
      if (isKnown) world.rows.users.push(known)
      let browser = world.browser('ada')
      let registered = false
      for (const action of list) {
        if (action === 'passkey') {
          // A passkey registers a new user once.
          if (registered) continue
          registered = true
          browser = world.browser('ada')
        }
        const go = await prepare(world, browser, action)
        const [held, before] = [hasSession(browser), structuredClone(world.rows)]
        emitted.length = 0
        const reply = await go()
        const at = { before, held, action, went: !isRefused(reply), what: `${action} under ${strategy}` }
        const now = [...emitted]
        checkEvents(world, now, at)
        world.check('CB-05', most <= 1, `${at.what} emits an event while the handler of another one runs`)
        world.check('DEC-21c', running === 0, `${at.what} returns before an event handler is done`)
        const verified = world.rows.users.some(({ id, emailVerified }) => {
          const old = before.users.find((each) => each.id === id)
          return old !== undefined && old.emailVerified === null && emailVerified !== null
        })
        if (verified)
          world.check('CB-05', times(now, 'updateUser') === 1, `${at.what} does not emit updateUser`)
        for (const { event } of now) world.reach(event)
      }
    },
  }),

  property({
    proves: ['CB-05'],
    name: 'emits no event for an operation that failed',
    story:
      'An audit log shows sign-ins that never happened, and an investigator looks for an intruder who does not exist.',
    advice: 'Emit an event only after its commit, and none if the flow fails.',
    setups: bothStrategies,
    needs: [...needs, 'faults'],
    runs: 70,
    reaches: { 'failed at store': 3, 'failed at callback.signIn': 2 },
    input: fc.record({
      first: fc.option(fc.constantFrom('alpha', 'mail'), { nil: undefined }),
      same: fc.boolean(),
      action: fc.constantFrom(...signInMethods, ...signInMethods, 'sign out', 'read'),
      plane: fc.constantFrom('store', 'store', 'store', 'callback.signIn', 'callback.jwt'),
      at: fc.nat({ max: 5 }),
      fault: fc.constantFrom(throwing, rejecting, 'refuses' as const),
    }),
    async run(base, { first, same, action, plane, at, fault }) {
      const { strategy } = base
      let refuses = false
      const callbacks = {
        signIn: () => !refuses,
        jwt: ({ token }: { token: unknown }) => (refuses ? null : token),
      }
      const { world, emitted } = await openListening(base, strategy, { callbacks })
      let browser = world.browser('ada')
      if (first) await (await prepareSignIn(world, browser, first))()
      if (action === 'passkey' || !same) browser = world.browser('ada')
      const go = await prepare(world, browser, action)
      const [held, before] = [hasSession(browser), structuredClone(world.rows)]
      emitted.length = 0
      refuses = fault === 'refuses' && plane !== 'store'
      const failing = fault === 'refuses' ? undefined : fault
      world.plan.arm(plane, at, failing)
      const reply = await go()
      const hit = refuses || (failing !== undefined && world.plan.calls.length > at)
      const call = world.plan.calls[at] ?? plane
      world.plan.arm('none')
      refuses = false
      const now = [...emitted]
      const isEntry = action !== 'read' && action !== 'sign out'
      const signedIn = isEntry && hasSession(browser) && !isRefused(reply)
      const isGone = action === 'sign out' && world.rows.sessions.length < before.sessions.length
      const left = action === 'sign out' && (strategy === 'jwt' ? !hasSession(browser) : isGone)
      if (!hit) return
      const what = `${action} under ${strategy}, when ${call} fails`
      world.reach(`failed at ${plane}`)
      const early = now.find((each) => !isDone(each, before, strategy))
      world.check('CB-05', early === undefined, `${what}, emits ${early?.event ?? ''} before the change`)
      const told = now.map(({ event }) => event).join(', ')
      for (const event of names) world.check('CB-05', times(now, event) <= 1, `${what}, emits ${told}`)
      if (isEntry)
        world.check(
          'CB-05',
          times(now, 'signIn') === Number(signedIn),
          `${what}, ${signedIn ? 'signs in' : 'signs nobody in'}, and emits ${told || 'nothing'}`,
        )
      if (action === 'sign out' && held && !left)
        world.check('CB-05', times(now, 'signOut') === 0, `${what}, leaves the session, and emits ${told}`)
      if (plane === 'callback.signIn' && isEntry)
        world.check('CB-05', now.length === 0, `${what}, emits ${told}`)
    },
  }),

  property({
    proves: ['CB-05'],
    name: 'logs an exception of an event handler, and changes nothing else',
    story: 'A statistics service is down, and nobody can sign in, or nobody notices the outage.',
    advice: 'Await each event handler in its own try block, and log what it throws.',
    setups: bothStrategies,
    needs,
    runs: 25,
    reaches: { signIn: 3, signOut: 3, session: 3, createUser: 3 },
    input: fc.record({
      method: fc.constantFrom(...signInMethods),
      bad: fc.subarray([...names], { minLength: 1 }),
      isLate: fc.boolean(),
    }),
    async run(base, { method, bad, isLate }) {
      const { strategy } = base
      const throwIn = (event: EventName) => {
        if (!bad.includes(event)) return undefined
        const error = new Error(`canary of ${event}`)
        if (isLate) return Promise.reject(error)
        throw error
      }
      const { world, emitted } = await openListening(base, strategy, {}, throwIn)
      const browser = world.browser('ada')
      for (const action of [orElse(world, method), 'read', 'sign out'] as const) {
        const go = await prepare(world, browser, action)
        const before = structuredClone(world.rows)
        const [held, logged] = [hasSession(browser), world.recorded.errors.length]
        emitted.length = 0
        await go()
        const now = [...emitted]
        const what = `${action} under ${strategy}, with events that throw,`
        const isEntry = action !== 'read' && action !== 'sign out'
        world.check('CB-05', hasSession(browser) === (action !== 'sign out'), `${what} ends differently`)
        checkEvents(world, now, { before, held, action, went: true, what })
        const errors = world.recorded.errors.slice(logged)
        const texts = errors.flatMap((error) => textsOf(error)).join('\n')
        const thrownNow = now.map(({ event }) => event).filter((event) => bad.includes(event))
        world.check(
          'CB-05',
          errors.length >= thrownNow.length,
          `${what} logs ${errors.length} errors for ${thrownNow.join(', ')}`,
        )
        for (const event of thrownNow) {
          const isLogged = texts.includes(`canary of ${event}`)
          world.check('CB-05', isLogged, `${what} does not log what ${event} threw`)
          world.reach(event)
        }
        if (isEntry) world.check('CB-05', isSignedIn(await browser.readSession()), `${what} signs nobody in`)
      }
    },
  }),
]
