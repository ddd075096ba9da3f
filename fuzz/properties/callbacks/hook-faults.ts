import fc from 'fast-check'
import { rejecting, throwing } from '../../world/fault-plan.ts'
import { property, type Property } from '../property.ts'
import { signInAgain, findInconsistency } from '../support/aftermath.ts'
import { flows, flowSetups, runWithFault } from '../support/flows.ts'
import { sessionTokenOf, refuses } from '../support/sessions.ts'

const own = ['profile', 'account'] as const

export const hookFaultProperties: readonly Property[] = [
  property({
    proves: ['FI-02', 'AL-11'],
    name: 'lets the user sign in again after a callback or event of the application failed',
    story:
      'A bug in a release is fixed within minutes, but users who signed in meanwhile are locked out for good.',
    advice: 'Call the application’s functions before the first write, or undo what was written.',
    needs: ['setup', 'store'],
    setups: flowSetups,
    runs: 20,
    reaches: { failed: 10 },
    input: fc.record({
      method: fc.constantFrom('alpha' as const, 'plain' as const),
      hook: fc.constantFrom(...own),
    }),
    async run(base, { method, hook }) {
      const setup = flowSetups[base.strategy]
      const failing = { [method]: { [hook]: fail } }
      const world = await base.another({ ...setup, provider: failing }, 'same')
      const { ada } = base.people
      const browser = world.browser('ada')
      const reply = await browser.arrive(await browser.visit(method, ada))
      const what = `a ${hook} function of ${method} that throws`
      world.assume(refuses(reply), `${what} is not called`)
      world.check('FI-02', sessionTokenOf(browser) === '', `${what} signs somebody in`)
      base.reach('failed')
      const again = base.browser('ada')
      await again.arrive(await again.visit(method, ada))
      base.check('AL-11', (await again.whoAmI()) === 'ada', `after ${what} its user cannot sign in`)
      const flaw = findInconsistency(base)
      base.check('FI-02', flaw === undefined, `after ${what} ${flaw ?? ''}`)
    },
  }),
  property({
    proves: ['FI-02', 'AL-11'],
    name: 'lets the user sign in again after a callback, a request or a mail failed',
    story: 'A service that the application calls is down for a second, and its user can never sign in again.',
    advice: 'Write only rows that the next sign-in can find and continue from.',
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
        'requesting a link' as const,
      ),
      plane: fc.constantFrom('callback', 'callback', 'network', 'mail', 'event'),
      at: fc.oneof(fc.constant(0), fc.nat({ max: 3 })),
      fault: fc.constantFrom(throwing, rejecting),
    }),
    async run(world, { flow: name, plane, at, fault }) {
      const flow = await flows[name].open(world)
      const { call } = await runWithFault(world, flow, plane, at, fault)
      if (call === undefined) return
      world.reach('hit')
      const what = `${call} ${fault.name} during ${name}`
      world.check('AL-11', await signInAgain(world, name), `after ${what}, its user cannot sign in`)
      const flaw = findInconsistency(world)
      world.check('FI-02', flaw === undefined, `after ${what}, ${flaw ?? ''}`)
    },
  }),
]

function fail(): never {
  throw new Error('unavailable')
}
