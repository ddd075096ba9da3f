import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { rejecting, throwing } from '../world/fault-plan.ts'
import type { Setup } from '../targets/setup.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { flowNames, flows, flowSetups, goWrong } from './support/flows.ts'
import { heldBy, isSignedIn, refuses } from './support/sessions.ts'
import { anyFlow, faultOf, all } from './support/faults.ts'
import { collectUnhandled } from './support/unhandled.ts'

/** What a logger rejects with. Loggers answer nothing, so that a promise of one is its maker's to handle. */
const ownFault = new Error('a logger that rejects')

export const throwingHookProperties: readonly Property[] = [
  property({
    ...all,
    proves: ['FI-07', 'FI-12'],
    name: 'events and a logger that throw change nothing; callbacks that throw let nobody in',
    story: 'A failing statistics service signs everybody out; a failing check of a ban lets the banned in.',
    advice: 'Catch what events and loggers throw; end the flow for what callbacks throw.',
    setups: {
      database: flowSetups.database,
      jwt: flowSetups.jwt,
      'a logger that throws what it is told': { config: { logger: { error: fail } } },
      'a logger that throws': { config: { logger: { error: fail, warn: fail, debug: fail } } },
      'a logger that rejects': {
        config: {
          logger: {
            error: () => Promise.reject(ownFault),
            warn: fail,
            debug: () => Promise.reject(ownFault),
          },
        },
      },
    },
    runs: 50,
    input: fc.record({
      flow: anyFlow,
      plane: fc.constantFrom('event', 'event', 'callback.signIn', 'callback.jwt'),
      at: fc.nat({ max: 2 }),
      fault: faultOf(throwing, rejecting),
    }),
    run: unheard(async (world, { flow: name, plane, at, fault }) => {
      const { kind, open } = flows[name]
      const flow = await open(world)
      const held = heldBy(flow.browser)
      const { reply, call, unhandled } = await goWrong(world, flow, plane, at, fault)
      const what = `${name}, when ${call ?? 'no call'} ${fault.name}`
      world.hold(
        'FI-12',
        unhandled.every((reason) => reason === ownFault) && reply.failure === undefined,
        `${what}: a failure that nobody handles`,
      )
      if (call === undefined || plane === 'event') {
        world.hold('FI-07', !refuses(reply), `${what}, fails`)
        const isIn = isSignedIn(await flow.browser.readSession())
        if (kind === 'admits') world.hold('FI-07', isIn, `${what}, signs nobody in`)
        if (kind === 'leaves') world.hold('FI-07', !isIn, `${what}, leaves the session`)
      } else if (kind !== 'reads') {
        world.reach('a callback failed')
        world.hold('FI-07', refuses(reply), `${what}, is a success`)
        world.hold('FI-07', heldBy(flow.browser) === held, `${what}, changes the session`)
      }
    }),
  }),

  ...(['profile', 'account', 'authorize', 'redirect'] as const).map((hook) =>
    property({
      proves: ['FI-07'],
      name: `a ${hook} function that throws lets nobody in`,
      story: 'A mistake in the code of an application opens its door.',
      advice: 'End the flow with the error page for whatever an application’s own function throws.',
      setups: {
        throws: hookSetup(hook, fail),
        // What account answers is no promise, by its type.
        ...(hook !== 'account' && {
          rejects: hookSetup(hook, () => Promise.reject(new Error('out of order'))),
        }),
      },
      runs: 8,
      async run(world) {
        const { ada } = world.people
        const browser = world.browser('ada')
        if (hook === 'redirect') {
          const reply = await browser.send(`${world.basePath}/signin?callbackUrl=%2Fhere`)
          world.hold(
            'FI-07',
            reply.failure === undefined,
            'a redirect callback that throws breaks the application',
          )
          return
        }
        const [reply, unhandled] = await collectUnhandled(async () =>
          hook === 'authorize'
            ? browser.enterPassword(ada)
            : browser.arrive(await browser.visit('plain', ada)),
        )
        world.hold(
          'FI-07',
          reply.failure === undefined && unhandled.length === 0,
          `a ${hook} function that throws breaks the application`,
        )
        world.hold('FI-07', heldBy(browser) === '', `a ${hook} function that throws lets somebody in`)
        world.hold(
          'FI-07',
          !isSignedIn(await browser.readSession()),
          `a ${hook} function that throws lets somebody in`,
        )
      },
    }),
  ),

  property({
    proves: ['FI-07'],
    name: 'an event that throws is told to the logger, and to nobody else',
    story: 'The audit trail of an application is broken for weeks, and nothing says so.',
    advice: 'Catch what an event throws, and log it with the name of the event.',
    needs: ['faults', 'hooks', 'clock', 'store'],
    setups: flowSetups,
    runs: 30,
    reaches: { 'an event failed': 10 },
    input: fc.record({
      flow: fc.constantFrom(...flowNames.filter((name) => flows[name].kind !== 'prepares')),
      at: fc.nat({ max: 2 }),
      fault: fc.constantFrom(throwing, rejecting),
    }),
    async run(world, { flow: name, at, fault }) {
      const flow = await flows[name].open(world)
      const before = world.told.errors.length
      const { reply, call } = await goWrong(world, flow, 'event', at, fault)
      const what = `${name}, when ${call ?? 'no event'} ${fault.name}`
      world.hold('FI-07', !refuses(reply) && reply.failure === undefined, `${what}, fails`)
      if (call === undefined) return
      world.hold('FI-07', world.told.errors.length > before, `${what}, leaves nothing in the log`)
      world.reach('an event failed')
    },
  }),
]

/** The same run, in which nobody has to hear what a logger rejects with. */
function unheard<Input>(
  run: (world: World, input: Input) => Promise<void>,
): (world: World, input: Input) => Promise<void> {
  return async (world, input) => {
    const hear = (reason: unknown) => {
      if (reason !== ownFault) throw reason
    }
    process.on('unhandledRejection', hear)
    try {
      await run(world, input)
      await nextTurn()
    } finally {
      process.off('unhandledRejection', hear)
    }
  }
}

function fail(): never {
  throw new Error('out of order')
}

function hookSetup(hook: 'profile' | 'account' | 'authorize' | 'redirect', fault: () => unknown): Setup {
  if (hook === 'redirect') return { config: { callbacks: { redirect: fault } } }
  if (hook === 'authorize')
    return { strategy: 'jwt', providers: ['form'], provider: { form: { authorize: fault } } }
  return { provider: { plain: { [hook]: fault } } }
}
