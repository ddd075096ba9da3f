import fc from 'fast-check'
import { addDevice, openDevice } from '../../world/passkeys.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { freshAddress } from '../support/outcome.ts'
import { passkeysAndSessions } from '../support/passkeys.ts'

/** Returns the store calls of a request for a link. */
async function countCalls(world: World, email: string): Promise<string> {
  const browser = world.browser('eve')
  await browser.csrfToken()
  world.plan.arm('store')
  await browser.start('mail', { email })
  const calls = world.plan.calls.join(', ')
  world.plan.arm('none')
  return calls
}

/** Properties of the information that the response time reveals, because each store call takes time. */
export const storeCallProperties: readonly Property[] = [
  property({
    proves: ['IL-10'],
    name: 'makes the same store calls for a request for a link, whatever the address',
    story: 'An attacker measures requests for a link, and finds out who has an account, and of which kind.',
    advice: 'Make the same queries for an unknown address, and ignore their results.',
    needs: ['passkey', 'store', 'faults'],
    setups: passkeysAndSessions,
    runs: 20,
    reaches: { 'a passkey': 3, 'no passkey': 3, 'an address in the row': 2 },
    parts: [
      { hasPasskey: false },
      { hasPasskey: true, isMoved: false },
      { hasPasskey: true, isMoved: true, by: 'alpha' },
      { hasPasskey: true, isMoved: true, by: 'plain' },
    ],
    input: fc.record({
      unknown: freshAddress,
      by: fc.constantFrom('alpha' as const, 'plain' as const, 'mail' as const),
      hasPasskey: fc.boolean(),
      isMoved: fc.boolean(),
    }),
    async run(world, { unknown, by, hasPasskey, isMoved }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(by, ada)
      if (hasPasskey) await addDevice(world, browser, openDevice(world, ada))
      world.reach(hasPasskey ? 'a passkey' : 'no passkey')
      // A user of an earlier version or another library, who has only a passkey.
      if (hasPasskey && isMoved && by !== 'mail') {
        world.rows.accounts = world.rows.accounts.filter(({ type }) => type === 'webauthn')
        world.reach('an address in the row')
      }
      const expected = await countCalls(world, unknown)
      const seen = await countCalls(world, ada.address[by])
      world.check('IL-10', seen === expected, `an unknown address costs ${expected}, a known one ${seen}`)
    },
  }),
]
