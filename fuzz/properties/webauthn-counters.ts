import fc from 'fast-check'
import { losing, rejecting, throwing } from '../world/fault-plan.ts'
import {
  answerTo,
  demandOptions,
  enrol,
  openDevice,
  perform,
  postAnswer,
  signInWith,
} from '../world/passkeys.ts'
import { property, type Property } from './property.ts'
import { withPasskeys } from './support/passkeys.ts'

const counter = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 3 }), weight: 6 },
  { arbitrary: fc.constantFrom(255, 256, 65_536, 2 ** 31, 2 ** 32 - 1), weight: 1 },
)

export const webauthnCounterProperties: readonly Property[] = [
  property({
    proves: ['WA-05'],
    name: 'a counter that does not go up lets nobody in',
    story: 'A copy of an authenticator goes on signing in beside the original, and nobody notices.',
    advice: 'Refuse a counter that is not above the stored one unless both are 0, and store the new one.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 60,
    reaches: { 'gone back': 5, 'stood still': 1, 'never counted': 1, advanced: 5 },
    input: fc.record({
      first: fc.oneof(fc.constant(0), counter),
      next: fc.array(counter, { minLength: 1, maxLength: 4 }),
    }),
    async run(world, { first, next }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      await enrol(world, world.browser('ada'), device, { counter: first })
      let known = first
      for (const received of next) {
        const isHonest = received > known || (received === 0 && known === 0)
        const browser = world.browser('ada')
        world.prove(browser, ada, 'passkey')
        await perform(world, browser, device, 'authenticate', { faults: { counter: received } })
        const me = await browser.whoAmI()
        if (isHonest) world.demand(me === 'ada', `a counter of ${received} after ${known} is refused`)
        else world.hold('WA-05', me === undefined, `a counter of ${received} after ${known} opened a session`)
        world.reach(
          received > known
            ? 'advanced'
            : received < known
              ? 'gone back'
              : known > 0
                ? 'stood still'
                : 'never counted',
        )
        if (isHonest) known = received
        if (!world.features.has('store')) continue
        const stored = world.rows.credentials[0]?.counter
        world.hold('WA-05', stored === known, `the store has a counter of ${stored}, where it is ${known}`)
      }
    },
  }),
  property({
    proves: ['WA-05'],
    name: 'nobody comes in whose counter could not be stored',
    story:
      'While the database fails, a copy of an authenticator may answer with the same counter again and again.',
    advice: 'Store the counter before the session, and stop when that fails.',
    needs: ['passkey', 'faults', 'store'],
    setups: { passkeys: withPasskeys },
    runs: 30,
    reaches: { 'not stored': 3 },
    input: fc.record({ fault: fc.constantFrom(throwing, rejecting, losing), counts: fc.boolean() }),
    async run(world, { fault, counts }) {
      const { ada } = world.people
      // What does not count need not be stored, and nobody sees that it was not.
      const device = openDevice(world, ada, { counts })
      await enrol(world, world.browser('ada'), device)
      const browser = world.browser('ada')
      const options = await demandOptions(world, browser, 'authenticate', { action: 'authenticate' })
      const answer = answerTo(device, 'authenticate', options)
      world.prove(browser, ada, 'passkey')
      world.plan.arm('store.updateAuthenticatorCounter', 0, fault)
      await postAnswer(world, browser, 'authenticate', answer)
      const isMet = world.plan.calls.length > 0
      world.plan.arm('none')
      if (!isMet && !counts) return
      world.reach('not stored')
      const me = await browser.whoAmI()
      world.hold(
        'WA-05',
        me === undefined,
        `updateAuthenticatorCounter ${fault.name}: ${me ?? ''} is signed in`,
      )
      await signInWith(world, world.browser('ada'), device)
    },
  }),
]
