import fc from 'fast-check'
import { rejecting, throwing } from '../world/fault-plan.ts'
import { property, type Property } from './property.ts'
import { signInAgain, unsound } from './support/aftermath.ts'
import { flows, flowSetups, goWrong } from './support/flows.ts'
import { heldBy, refuses } from './support/sessions.ts'

const own = ['profile', 'account'] as const

export const hookFaultProperties: readonly Property[] = [
  property({
    proves: ['FI-02', 'AL-11'],
    name: 'after a function of the application failed, the same user can sign in',
    story:
      'A mistake in a new release is mended within minutes; whoever signed in meanwhile never can again.',
    advice: 'Ask the functions of the application before the first write, or take back what was written.',
    needs: ['setup', 'store'],
    setups: flowSetups,
    runs: 20,
    reaches: { failed: 10 },
    input: fc.record({
      door: fc.constantFrom('alpha' as const, 'plain' as const),
      hook: fc.constantFrom(...own),
    }),
    async run(base, { door, hook }) {
      const setup = flowSetups[base.strategy]
      const failing = { [door]: { [hook]: fail } }
      const world = await base.another({ ...setup, provider: failing }, 'same')
      const { ada } = base.people
      const browser = world.browser('ada')
      const reply = await browser.arrive(await browser.visit(door, ada))
      const what = `the ${hook} function at ${door} that throws`
      world.demand(refuses(reply), `${what} is not asked`)
      world.hold('FI-02', heldBy(browser) === '', `${what} signs somebody in`)
      base.reach('failed')
      const again = base.browser('ada')
      await again.arrive(await again.visit(door, ada))
      base.hold('AL-11', (await again.whoAmI()) === 'ada', `after ${what} its user cannot sign in`)
      const flaw = unsound(base)
      base.hold('FI-02', flaw === undefined, `after ${what} ${flaw ?? ''}`)
    },
  }),
  property({
    proves: ['FI-02', 'AL-11'],
    name: 'after a callback, a request or a mail failed, the same user can sign in',
    story: 'A service that an application asks is away for a second, and its user can never sign in again.',
    advice: 'Write only what the next sign-in finds, and goes on with.',
    needs: ['faults', 'clock', 'store'],
    setups: flowSetups,
    runs: 50,
    reaches: { hit: 8 },
    input: fc.record({
      flow: fc.constantFrom(
        'a first sign-in' as const,
        'a first sign-in' as const,
        'linking an account' as const,
        'following a first link' as const,
        'asking for a link' as const,
      ),
      plane: fc.constantFrom('callback', 'callback', 'network', 'mail', 'event'),
      at: fc.oneof(fc.constant(0), fc.nat({ max: 3 })),
      fault: fc.constantFrom(throwing, rejecting),
    }),
    async run(world, { flow: name, plane, at, fault }) {
      const flow = await flows[name].open(world)
      const { call } = await goWrong(world, flow, plane, at, fault)
      if (call === undefined) return
      world.reach('hit')
      const what = `${call} ${fault.name} during ${name}`
      world.hold('AL-11', await signInAgain(world, name), `after ${what}, its user cannot sign in`)
      const flaw = unsound(world)
      world.hold('FI-02', flaw === undefined, `after ${what}, ${flaw ?? ''}`)
    },
  }),
]

function fail(): never {
  throw new Error('out of order')
}
