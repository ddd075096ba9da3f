import fc from 'fast-check'
import { garbage, hanging, losing, muting, rejecting, throwing, type Fault } from '../world/fault-plan.ts'
import { property, type Property } from './property.ts'
import { signInAgain, unsound } from './support/aftermath.ts'
import { throughCallback } from './support/callbacks.ts'
import { flows, flowSetups, goWrong, waitFor } from './support/flows.ts'
import { heldBy, isSignedIn, issuedBy, moveTo, refuses } from './support/sessions.ts'
import { anyFlow, faultOf, all } from './support/faults.ts'

const places = fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 8 }))

const faulty = (...faults: readonly Fault[]) =>
  fc.record({ flow: anyFlow, at: places, fault: faultOf(...faults) })

export const faultProperties: readonly Property[] = [
  property({
    ...all,
    proves: ['FI-01', 'FI-12'],
    name: 'whichever call of the store fails, the answer says so, and nobody comes in',
    story: 'The database hiccups in the middle of a sign-in, and somebody is signed in whom nobody let in.',
    advice: 'Let every failure of the store end the flow with the error page; set cookies last.',
    runs: 80,
    reaches: { hit: 12 },
    input: faulty(throwing, rejecting),
    async run(world, { flow: name, at, fault }) {
      const { kind, open } = flows[name]
      const flow = await open(world)
      const held = heldBy(flow.browser)
      const { reply, call, unhandled } = await goWrong(world, flow, 'store', at, fault)
      world.hold(
        'FI-12',
        unhandled.length === 0,
        `${name}, ${call ?? 'no call'} ${fault.name}: a rejection that nobody handles`,
      )
      world.hold(
        'FI-12',
        reply.failure === undefined,
        `${name}, ${call ?? 'no call'} ${fault.name}: ${reply.failure ?? ''}`,
      )
      if (call === undefined) {
        world.hold('FI-01', !refuses(reply), `${name} fails although nothing went wrong`)
        return
      }
      world.reach('hit')
      const what = `${name}, although ${call} ${fault.name}`
      if (kind !== 'reads') world.hold('FI-01', refuses(reply), `${what}, is answered as a success`)
      if (kind === 'admits' || kind === 'prepares') {
        world.hold('FI-01', issuedBy(reply).length === 0, `${what}, sets a session cookie`)
        world.hold('FI-01', heldBy(flow.browser) === held, `${what}, changes the session`)
      }
      if (held === '')
        world.hold('FI-01', !isSignedIn(await flow.browser.readSession()), `${what}, signs somebody in`)
    },
  }),

  property({
    ...all,
    proves: ['FI-02'],
    name: 'after a fault of the store its rows go together, and the same user can sign in',
    story: 'One hiccup of the database, and a user can never sign in again.',
    advice: 'Undo what was begun, or go on with it at the next sign-in.',
    runs: 150,
    reaches: { hit: 30 },
    input: faulty(throwing, rejecting, losing, muting, hanging),
    async run(world, { flow: name, at, fault }) {
      const flow = await flows[name].open(world)
      // Of a store that never answers the row asks no answer: what hung fails at last, and then it is as after a throw.
      const { call } = await goWrong(world, flow, 'store', at, fault)
      if (call !== undefined) world.reach('hit')
      const isIn = await signInAgain(world, name)
      world.hold(
        'FI-02',
        isIn,
        `after ${call ?? 'no call'} ${fault.name} during ${name}, its user cannot sign in`,
      )
      const flaw = unsound(world)
      world.hold(
        'FI-02',
        flaw === undefined,
        `after ${call ?? 'no call'} ${fault.name} during ${name}, ${flaw ?? ''}`,
      )
    },
  }),

  property({
    ...all,
    proves: ['FI-03', 'FI-12'],
    name: 'whatever the store answers, nobody comes in but the user',
    story: 'A broken adapter answers a row of somebody else, or none, and it counts.',
    advice: 'Check what the store answers: an id, real dates, one row.',
    runs: 100,
    reaches: { hit: 15 },
    input: faulty(...garbage),
    async run(world, { flow: name, at, fault }) {
      const { kind, open } = flows[name]
      const flow = await open(world)
      const { reply, call, unhandled } = await goWrong(world, flow, 'store', at, fault)
      const what = `${name}, when ${call ?? 'no call'} ${fault.name}`
      world.hold(
        'FI-12',
        unhandled.length === 0 && reply.failure === undefined,
        `${what}: a failure that nobody handles`,
      )
      world.hold('FI-03', !/Invalid Date|NaN/.test(reply.text), `${what}, shows a date that is none`)
      if (call === undefined) return
      world.reach('hit')
      const me = await flow.browser.whoAmI()
      world.hold('FI-03', me === undefined || me === 'ada', `${what}, signs in ${me ?? ''}`)
      if (issuedBy(reply).length > 0 && kind === 'admits')
        world.hold('FI-03', me === 'ada', `${what}, issues a session that is none`)
      world.hold('FI-03', await signInAgain(world, name), `after ${what}, its user cannot sign in`)
    },
  }),

  property({
    ...all,
    proves: ['FI-08'],
    name: 'a hiccup does not sign anybody out, and does not look as if it did',
    story: 'The database is away for a second, and every user is signed out.',
    advice: 'Answer 503 and keep the cookie; only what is invalid or expired is taken away.',
    setups: {
      'database, store': flowSetups.database,
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
      plane: fc.constantFrom('store', 'callback'),
      at: fc.nat({ max: 1 }),
      fault: faultOf(throwing, rejecting, hanging),
    }),
    async run(world, { flow: name, plane, at, fault }) {
      const flow = await flows[name].open(world)
      const held = heldBy(flow.browser)
      const { reply, call } = await goWrong(world, flow, plane, at, fault)
      if (call === undefined || call.endsWith('redirect')) return
      world.reach('hit')
      const what = `${name}, when ${call} ${fault.name}`
      const isTold = isSignedIn(reply) || reply.status >= 400
      world.hold(
        'FI-08',
        isTold,
        `${what}, is answered ${reply.status} ${reply.text}, as for somebody who is signed out`,
      )
      world.hold(
        'FI-08',
        heldBy(flow.browser) !== '' && held !== '',
        `${what}, takes the session cookie away`,
      )
      world.hold('FI-08', isSignedIn(await flow.browser.readSession()), `${what}, ends the session`)
    },
  }),

  property({
    ...all,
    proves: ['FI-13'],
    name: 'a sign-in over a session that fails leaves the session as it was',
    story: 'Somebody tries another account, the database hiccups, and they are signed out of the first.',
    advice: 'Delete the old session only after the new one is there.',
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
      const held = heldBy(flow.browser)
      const { reply, call } = await goWrong(world, flow, plane, at, fault)
      if (!refuses(reply)) return
      world.reach('failed')
      const what = `${name} that failed, as ${call ?? 'no call'} ${fault.name},`
      world.hold('FI-13', heldBy(flow.browser) === held, `${what} changed the session cookie`)
      world.hold('FI-13', isSignedIn(await flow.browser.readSession()), `${what} ended the old session`)
    },
  }),

  ...(['database', 'jwt'] as const).map((strategy) =>
    property({
      ...all,
      proves: ['FI-10'],
      name: `whenever the process dies, nobody is half signed in, and the next one goes on (${strategy})`,
      setups: { [strategy]: flowSetups[strategy] },
      story: 'A deployment in the middle of a sign-in locks its user out, or in.',
      advice: 'Order the writes so that what is there after any of them is a state of its own.',
      runs: 40,
      reaches: { hit: 4 },
      input: faulty(muting, hanging),
      async run(world, { flow: name, at, fault }) {
        const flow = await flows[name].open(world)
        const before = await flow.browser.whoAmI()
        world.plan.arm('store', at, fault)
        const answer = flow.go().then(
          () => 'answered',
          () => 'failed',
        )
        const what = await Promise.race([world.plan.hung().then(() => 'died'), answer])
        const call = world.plan.calls[at]
        const next = await world.another(flowSetups[strategy], 'same')
        world.plan.arm('none')
        if (what === 'died') world.reach('hit')
        const moved = moveTo(next, flow.browser, world.people.ada)
        const me = await moved.whoAmI()
        if (before === undefined && what === 'died')
          world.hold(
            'FI-10',
            me === undefined,
            `a process that died at ${call ?? 'no call'} during ${name} let somebody in`,
          )
        const fresh = next.browser('ada')
        const { alpha } = world.people.ada.address
        const isUserAlone =
          next.rows.users.some(({ email }) => email === alpha) && next.rows.accounts.length === 0
        // No adapter stores a user and an account at once: whoever is left between the two comes in by their address.
        if (isUserAlone) await fresh.followLink(await fresh.askLink(alpha))
        else await fresh.arrive(await fresh.visit('alpha', world.people.ada))
        world.hold(
          'FI-10',
          (await fresh.whoAmI()) === 'ada',
          `after a process died at ${call ?? 'no call'} during ${name}, its user cannot sign in`,
        )
        world.plan.end()
        await waitFor(world, answer)
      },
    }),
  ),
]
