import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import {
  garbage,
  hanging,
  losing,
  muting,
  rejecting,
  returning,
  throwing,
  type Fault,
} from '../../world/fault-plan.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { hasOrphan, signInAgain, findInconsistency } from '../support/aftermath.ts'
import { throughCallback } from '../support/callbacks.ts'
import { type Flow, type FlowName, flows, flowSetups, runWithFault, waitFor } from '../support/flows.ts'
import { sessionTokenOf, isSignedIn, issuedBy, moveTo, refuses } from '../support/sessions.ts'
import { anyFlow, faultOf, all, withSilentStore } from '../support/faults.ts'

const places = fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 8 }))

const faulty = (...faults: readonly Fault[]) =>
  fc.record({ flow: anyFlow, at: places, fault: faultOf(...faults) })

/** The calls of a first sign-in, which stores a user, an account and a session in turn. */
const firstWrites = fc.record({
  flow: fc.constant<FlowName>('a first sign-in'),
  at: fc.nat({ max: 5 }),
  fault: faultOf(muting, hanging),
})

/** Sessions whose token cannot become a cookie. */
const withoutToken = fc.record({
  flow: fc.constantFrom<FlowName>('a first sign-in', 'a repeated sign-in', 'following a first link'),
  plane: fc.constant('store.createSession'),
  at: fc.constant(0),
  fault: fc.constantFrom(
    returning('a session without a token', (row) => ({ ...Object(row), sessionToken: undefined })),
    returning('a session with an empty token', (row) => ({ ...Object(row), sessionToken: '' })),
  ),
})

/** The maximum number of store calls in a flow. */
const farthest = 12

/** The maximum duration of a request, in seconds. */
const deadline = 60

/** Repeats a request that needs the session, while each of its calls fails in turn, and checks that the session remains. */
async function checkOutages(
  world: World,
  name: FlowName,
  flow: Flow,
  plane: string,
  fault: Fault,
): Promise<void> {
  const held = sessionTokenOf(flow.browser)
  for (let at = 0; at <= farthest; at++) {
    const logged = world.recorded.errors.length
    const { reply, call } = await runWithFault(world, flow, plane, at, fault)
    if (call === undefined) break
    if (call.endsWith('redirect')) continue
    world.reach('hit')
    const what = `${name}, when ${call} ${fault.name}`
    const isHonest = isSignedIn(reply) || reply.status >= 400
    world.check('FI-08', isHonest, `${what}, returns ${reply.status} ${reply.text}, as if signed out`)
    const isKept = sessionTokenOf(flow.browser) !== '' && held !== ''
    world.check('FI-08', isKept, `${what}, clears the session cookie`)
    if (!isSignedIn(reply)) {
      const isTransient = reply.status === 503 && reply.json === null
      world.check('DEC-23a', isTransient, `${what}, returns ${reply.status} ${reply.text}`)
      world.check('DEC-23a', world.recorded.errors.length > logged, `${what}, logs nothing`)
    }
    world.clock.advance(5)
  }
  const isBack = isSignedIn(await flow.browser.readSession())
  world.check('FI-08', isBack, `${name}, when calls of the ${plane} failed (${fault.name}), ends the session`)
}

export const faultProperties: readonly Property[] = [
  property({
    ...withSilentStore,
    proves: ['FI-01', 'FI-12'],
    name: 'reports every store failure in its response, and signs nobody in',
    story: 'The database fails in the middle of a sign-in, and somebody is signed in by mistake.',
    advice: 'End the flow with the error page on every store failure, and set cookies last.',
    runs: 80,
    reaches: { hit: 12 },
    input: faulty(throwing, rejecting),
    async run(world, { flow: name, at, fault }) {
      const { kind, open } = flows[name]
      const flow = await open(world)
      const held = sessionTokenOf(flow.browser)
      const { reply, call, unhandled } = await runWithFault(world, flow, 'store', at, fault)
      world.check(
        'FI-12',
        unhandled.length === 0,
        `${name}, ${call ?? 'no call'} ${fault.name}: unhandled rejection`,
      )
      world.check(
        'FI-12',
        reply.failure === undefined,
        `${name}, ${call ?? 'no call'} ${fault.name}: ${reply.failure ?? ''}`,
      )
      if (call === undefined) {
        world.check('FI-01', !refuses(reply), `${name} fails without a fault`)
        return
      }
      world.reach('hit')
      const what = `${name}, although ${call} ${fault.name}`
      if (kind !== 'reads') world.check('FI-01', refuses(reply), `${what}, reports success`)
      if (kind === 'signs in' || kind === 'starts') {
        world.check('FI-01', issuedBy(reply).length === 0, `${what}, sets a session cookie`)
        world.check('FI-01', sessionTokenOf(flow.browser) === held, `${what}, changes the session`)
      }
      if (held === '')
        world.check('FI-01', !isSignedIn(await flow.browser.readSession()), `${what}, signs somebody in`)
    },
  }),

  property({
    ...withSilentStore,
    proves: ['FI-02'],
    name: 'keeps rows consistent after a store fault, and lets the user sign in again',
    story: 'The database fails once, and a user can never sign in again.',
    advice: 'Undo unfinished writes, or continue from them at the next sign-in.',
    runs: 150,
    reaches: { hit: 30 },
    input: faulty(throwing, rejecting, losing, muting, hanging),
    async run(world, { flow: name, at, fault }) {
      const flow = await flows[name].open(world)
      // After a timeout, a late failure of the store counts as an exception.
      const { call } = await runWithFault(world, flow, 'store', at, fault)
      if (call !== undefined) world.reach('hit')
      const isIn = await signInAgain(world, name)
      world.check(
        'FI-02',
        isIn,
        `after ${call ?? 'no call'} ${fault.name} during ${name}, its user cannot sign in`,
      )
      const flaw = findInconsistency(world)
      world.check(
        'FI-02',
        flaw === undefined,
        `after ${call ?? 'no call'} ${fault.name} during ${name}, ${flaw ?? ''}`,
      )
    },
  }),

  property({
    ...all,
    proves: ['FI-02'],
    name: 'leaves no unusable user behind when a store call hangs or fails',
    story: 'The database hangs during a first sign-in, and leaves an unusable user that blocks the address.',
    advice: 'Give each write a shorter deadline than the request, so that there is time to undo it.',
    // Each case fails all calls in turn.
    runs: 15,
    reaches: { hit: 40 },
    ...everyOf({
      name: ['a first sign-in', 'following a first link', 'linking an account'],
      fault: [throwing, rejecting, losing, muting, hanging],
    }),
    async run(base, { name, fault }) {
      for (let at = 0; at <= farthest; at++) {
        const world = await base.another({ ...flowSetups[base.strategy], strategy: base.strategy }, 'own')
        const flow = await flows[name].open(world)
        const { call } = await runWithFault(world, flow, 'store', at, fault)
        if (call === undefined) break
        world.reach('hit')
        const what = `after ${call} ${fault.name} during ${name}`
        const left = hasOrphan(world.rows)
        world.check('FI-02', !left, `${what}, nobody can sign in as one of the users`)
        world.check('FI-02', await signInAgain(world, name), `${what}, its user cannot sign in`)
        const flaw = findInconsistency(world)
        world.check('FI-02', flaw === undefined, `${what}, ${flaw ?? ''}`)
      }
    },
  }),

  property({
    ...all,
    proves: ['FI-03', 'FI-12'],
    name: 'signs in only the right user, whatever the store returns',
    story: 'A broken adapter returns another user’s row, or an invalid one, and the library trusts it.',
    advice: 'Validate what the store returns: an id, valid dates, one row.',
    runs: 100,
    reaches: { hit: 15 },
    input: fc.oneof(
      { weight: 9, arbitrary: faulty(...garbage).map((input) => ({ ...input, plane: 'store' })) },
      { weight: 1, arbitrary: withoutToken },
    ),
    async run(world, { flow: name, plane, at, fault }) {
      const { kind, open } = flows[name]
      const flow = await open(world)
      const { reply, call, unhandled } = await runWithFault(world, flow, plane, at, fault)
      const what = `${name}, when ${call ?? 'no call'} ${fault.name}`
      world.check(
        'FI-12',
        unhandled.length === 0 && reply.failure === undefined,
        `${what}: unhandled rejection`,
      )
      world.check('FI-03', !/Invalid Date|NaN/.test(reply.text), `${what}, shows an invalid date`)
      if (call === undefined) return
      world.reach('hit')
      const me = await flow.browser.whoAmI()
      world.check('FI-03', me === undefined || me === 'ada', `${what}, signs in ${me ?? ''}`)
      if (issuedBy(reply).length > 0 && kind === 'signs in')
        world.check('FI-03', me === 'ada', `${what}, issues an invalid session`)
      world.check('FI-03', await signInAgain(world, name), `after ${what}, its user cannot sign in`)
    },
  }),

  property({
    ...all,
    proves: ['FI-08', 'DEC-23a'],
    name: 'keeps users signed in during a short store outage, and does not report them as signed out',
    story: 'The database is unavailable for a second, and every user is signed out.',
    advice: 'Return 503 and keep the cookie. Clear it only if it is invalid or expired.',
    setups: {
      'database, store': flowSetups.database,
      'database, silent store': withSilentStore.setups['silent store'],
      'jwt, callbacks': {
        strategy: 'jwt',
        config: { adapter: true, callbacks: { session: ({ session }: { session: unknown }) => session } },
      },
      'database, callbacks': {
        config: throughCallback,
      },
    },
    runs: 30,
    reaches: { hit: 2 },
    input: fc.record({
      flow: fc.constantFrom('reading the session' as const, 'updating the session' as const),
      fault: faultOf(throwing, rejecting, losing, hanging),
    }),
    async run(world, { flow: name, fault }) {
      const flow = await flows[name].open(world)
      for (const plane of ['store', 'callback']) await checkOutages(world, name, flow, plane, fault)
    },
  }),

  property({
    ...all,
    proves: ['FI-13'],
    name: 'keeps the current session when another sign-in fails',
    story: 'A user tries to switch accounts, the database fails, and the user loses the first session.',
    advice: 'Delete the old session only after the new one is stored.',
    setups: { database: {} },
    runs: 60,
    reaches: { failed: 6 },
    input: fc.record({
      flow: fc.constantFrom(
        'a sign-in over a session' as const,
        'linking an account' as const,
        'following a link over a session' as const,
        'starting a sign-in over a session' as const,
      ),
      plane: fc.constantFrom('store', 'store', 'network', 'callback'),
      at: places,
      fault: faultOf(throwing, rejecting),
    }),
    async run(world, { flow: name, plane, at, fault }) {
      const flow = await flows[name].open(world)
      const held = sessionTokenOf(flow.browser)
      const { reply, call } = await runWithFault(world, flow, plane, at, fault)
      if (!refuses(reply)) return
      world.reach('failed')
      const what = `a failed ${name}, as ${call ?? 'no call'} ${fault.name},`
      world.check('FI-13', sessionTokenOf(flow.browser) === held, `${what} changed the session cookie`)
      world.check('FI-13', isSignedIn(await flow.browser.readSession()), `${what} ended the old session`)
    },
  }),

  ...(['database', 'jwt'] as const).map((strategy) =>
    property({
      ...all,
      proves: ['FI-10'],
      name: `leaves no half-finished sign-in when the process dies, and the next one succeeds (${strategy})`,
      setups: { [strategy]: flowSetups[strategy] },
      story: 'A deployment in the middle of a sign-in locks its user out, or signs them in by mistake.',
      advice: 'Order the writes so that the store is valid after each of them.',
      runs: 60,
      reaches: { hit: 4 },
      input: fc.oneof(faulty(muting, hanging), firstWrites),
      async run(world, { flow: name, at, fault }) {
        const flow = await flows[name].open(world)
        const before = await flow.browser.whoAmI()
        world.plan.arm('store', at, fault)
        const process = world.plan.spawn(() => flow.go())
        const response = process.result.then(
          () => 'responded',
          () => 'failed',
        )
        const what = await Promise.race([world.plan.hung().then(() => 'died'), response])
        const call = world.plan.calls[at]
        const next = await world.another(flowSetups[strategy], 'same')
        world.plan.arm('none')
        if (what === 'died') {
          world.reach('hit')
          process.kill()
        }
        // Both simulated processes share a real one, where work on a row waits for earlier work until its deadline.
        world.advance(deadline)
        const moved = moveTo(next, flow.browser, world.people.ada)
        const me = await moved.whoAmI()
        if (before === undefined && what === 'died')
          world.check(
            'FI-10',
            me === undefined,
            `a process that died at ${call ?? 'no call'} during ${name} signed somebody in`,
          )
        const fresh = next.browser('ada')
        const { alpha } = world.people.ada.address
        const isUserAlone =
          next.rows.users.some(({ email }) => email === alpha) && next.rows.accounts.length === 0
        // No adapter stores a user and an account in one step: a user between the two signs in by their address.
        if (isUserAlone) await fresh.followLink(await fresh.requestLink(alpha))
        else await fresh.arrive(await fresh.visit('alpha', world.people.ada))
        world.check(
          'FI-10',
          (await fresh.whoAmI()) === 'ada',
          `after a process died at ${call ?? 'no call'} during ${name}, its user cannot sign in`,
        )
        world.plan.end()
        await waitFor(world, response)
      },
    }),
  ),
]
