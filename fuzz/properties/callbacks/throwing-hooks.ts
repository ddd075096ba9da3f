import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { hanging, rejecting, throwing, throwingObject } from '../../world/fault-plan.ts'
import type { Setup } from '../../targets/setup.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { flowNames, flows, flowSetups, runWithFault } from '../support/flows.ts'
import { sessionTokenOf, isSignedIn, refuses } from '../support/sessions.ts'
import { anyFlow, faultOf, all } from '../support/faults.ts'
import { collectUnhandled } from '../support/unhandled.ts'

/** The rejection of a logger. Loggers return nothing, so a logger that returns a promise must handle it itself. */
const ownFault = new Error('a logger that rejects')

export const throwingHookProperties: readonly Property[] = [
  property({
    ...all,
    proves: ['FI-07', 'FI-12', 'DEC-21c'],
    name: 'ignores exceptions of events and the logger, and ends the sign-in on an exception of a callback',
    story: 'A failing statistics service signs everyone out, or a failing ban check admits a banned user.',
    advice: 'Catch exceptions of events and loggers, and end the flow on exceptions of callbacks.',
    setups: {
      database: flowSetups.database,
      jwt: flowSetups.jwt,
      'a logger whose error method throws': { config: { logger: { error: fail } } },
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
      fault: faultOf(throwing, rejecting, throwingObject, hanging),
    }),
    run: ignoringLoggerRejections(async (world, { flow: name, plane, at, fault }) => {
      const { kind, open } = flows[name]
      const flow = await open(world)
      const held = sessionTokenOf(flow.browser)
      const { reply, call, unhandled, isStuck } = await runWithFault(world, flow, plane, at, fault)
      const what = `${name}, when ${call ?? 'no call'} ${fault.name}`
      if (plane === 'event') world.check('DEC-21c', !isStuck, `${what}, never ends`)
      world.check(
        'FI-12',
        unhandled.every((reason) => reason === ownFault) && reply.failure === undefined,
        `${what}: unhandled rejection`,
      )
      if (call === undefined || plane === 'event') {
        world.check('FI-07', !refuses(reply), `${what}, fails`)
        const isIn = isSignedIn(await flow.browser.readSession())
        if (kind === 'signs in') world.check('FI-07', isIn, `${what}, signs nobody in`)
        if (kind === 'signs out') world.check('FI-07', !isIn, `${what}, leaves the session`)
      } else if (kind !== 'reads') {
        world.reach('a callback failed')
        world.check('FI-07', refuses(reply), `${what}, succeeds`)
        world.check('FI-07', sessionTokenOf(flow.browser) === held, `${what}, changes the session`)
      }
    }),
  }),

  ...(['profile', 'account', 'authorize'] as const).map((hook) =>
    property({
      proves: ['FI-07'],
      name: `signs nobody in when the ${hook} function throws`,
      story: 'A bug in an application’s own code signs somebody in.',
      advice: 'End the flow with the error page when an application’s function throws.',
      setups: {
        throws: hookSetup(hook, fail),
        // By its type, account returns no promise.
        ...(hook !== 'account' && {
          rejects: hookSetup(hook, reject),
        }),
      },
      runs: 8,
      async run(world) {
        const { ada } = world.people
        const browser = world.browser('ada')
        const [reply, unhandled] = await collectUnhandled(async () =>
          hook === 'authorize'
            ? browser.enterPassword(ada)
            : browser.arrive(await browser.visit('plain', ada)),
        )
        world.check(
          'FI-07',
          reply.failure === undefined && unhandled.length === 0,
          `a ${hook} function that throws breaks the application`,
        )
        world.check(
          'FI-07',
          sessionTokenOf(browser) === '',
          `a ${hook} function that throws signs somebody in`,
        )
        world.check(
          'FI-07',
          !isSignedIn(await browser.readSession()),
          `a ${hook} function that throws signs somebody in`,
        )
      },
    }),
  ),

  property({
    proves: ['FI-07'],
    name: 'never redirects to another site when the redirect function throws',
    story: 'A bug in the application’s own check of targets turns its sign-in page into an open redirect.',
    advice: 'Redirect to the base URL when the redirect function throws.',
    setups: { throws: hookSetup('redirect', fail), rejects: hookSetup('redirect', reject) },
    runs: 8,
    async run(world) {
      const browser = world.browser('ada')
      const callbackUrl = 'https://evil.example/here'
      const arrival = await browser.visit('plain', world.people.ada, { callbackUrl })
      const { failure, location } = await browser.arrive(arrival)
      const what = 'a redirect function that throws'
      world.check('FI-07', failure === undefined, `${what} breaks the application`)
      world.check('FI-07', location?.origin === world.origin, `${what} redirects to ${location?.href}`)
    },
  }),

  property({
    proves: ['FI-07'],
    name: 'reports an exception of an event only to the logger',
    story: 'An application’s audit trail is broken for weeks, and nothing reports it.',
    advice: 'Catch exceptions of an event, and log them with the event’s name.',
    severity: 'hardening',
    needs: ['faults', 'hooks', 'clock', 'store'],
    setups: flowSetups,
    runs: 30,
    reaches: { 'an event failed': 10 },
    input: fc.record({
      flow: fc.constantFrom(...flowNames.filter((name) => flows[name].kind !== 'starts')),
      at: fc.nat({ max: 2 }),
      fault: fc.constantFrom(throwing, rejecting, throwingObject),
    }),
    async run(world, { flow: name, at, fault }) {
      const flow = await flows[name].open(world)
      const before = world.recorded.errors.length
      const { reply, call } = await runWithFault(world, flow, 'event', at, fault)
      const what = `${name}, when ${call ?? 'no event'} ${fault.name}`
      world.check('FI-07', !refuses(reply) && reply.failure === undefined, `${what}, fails`)
      if (call === undefined) return
      world.check('FI-07', world.recorded.errors.length > before, `${what}, logs nothing`)
      world.reach('an event failed')
    },
  }),
]

/** Wraps a run, and ignores unhandled rejections of a logger. */
function ignoringLoggerRejections<Input>(
  run: (world: World, input: Input) => Promise<void>,
): (world: World, input: Input) => Promise<void> {
  return async (world, input) => {
    const ignore = (reason: unknown) => {
      if (reason !== ownFault) throw reason
    }
    process.on('unhandledRejection', ignore)
    try {
      await run(world, input)
      await nextTurn()
    } finally {
      process.off('unhandledRejection', ignore)
    }
  }
}

function fail(): never {
  throw new Error('unavailable')
}

function reject(): Promise<never> {
  return Promise.reject(new Error('unavailable'))
}

function hookSetup(hook: 'profile' | 'account' | 'authorize' | 'redirect', fault: () => unknown): Setup {
  if (hook === 'redirect') return { config: { callbacks: { redirect: fault } } }
  if (hook === 'authorize')
    return { strategy: 'jwt', providers: ['form'], provider: { form: { authorize: fault } } }
  return { provider: { plain: { [hook]: fault } } }
}
