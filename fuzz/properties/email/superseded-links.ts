import fc from 'fast-check'
import { opensSession } from '../../monitors/monitor.ts'
import { Absent } from '../../world/breach.ts'
import { property, type Property } from '../property.ts'
import { freshAddress, stored } from '../support/outcome.ts'

export const supersededLinkProperties: readonly Property[] = [
  property({
    proves: ['SU-07', 'OPT-011'],
    name: 'invalidates the older links that a browser requested for an address',
    story:
      'A user requests link after link. An attacker who reads the mailbox later finds one that still works.',
    advice:
      'Remove the older tokens of an address when you issue a new one, and after a sign-in by one of them.',
    needs: ['setup'],
    setups: stored({ providers: ['mail'], with: { 'supersede-links': true } }),
    runs: 40,
    reaches: { replaced: 8, 'signed in': 8 },
    input: fc.record({
      address: freshAddress,
      many: fc.integer({ min: 2, max: 4 }),
      known: fc.boolean(),
      // Followed before the newest link, or after the sign-in by the newest link.
      when: fc.constantFrom('before', 'after'),
    }),
    async run(world, { address, many, known, when }) {
      if (known) await world.browser().followLink(await world.browser().requestLink(address))
      const browser = world.browser()
      const stranger = await world.browser().requestLink(address)
      const mails = []
      for (let n = 0; n < many; n++) mails.push(await browser.requestLink(address))
      const newest = mails.pop()
      if (!newest) return
      if (when === 'after') {
        const reply = await browser.followLink(newest)
        world.assume(opensSession(reply), 'the newest link does not work')
      }
      for (const mail of mails) {
        const reply = await world.browser().followLink(mail)
        world.check('SU-07', !opensSession(reply), 'an older link works after a new one was requested')
      }
      world.reach(when === 'after' ? 'signed in' : 'replaced')
      if (when === 'after') return
      world.check(
        'OPT-011',
        opensSession(await world.browser().followLink(stranger)),
        'a new link ends that of another browser',
      )
      world.check('SU-07', opensSession(await browser.followLink(newest)), 'the newest link does not work')
    },
  }),

  property({
    proves: ['OPT-011'],
    name: 'keeps older links valid unless supersedeLinks is set',
    story: 'A user requests a second link because the first is late, then opens the first and is refused.',
    advice: 'Remove older tokens only if the option is set.',
    needs: ['setup'],
    setups: stored({ providers: ['mail'] }),
    runs: 20,
    input: fc.record({ address: freshAddress, many: fc.integer({ min: 2, max: 4 }) }),
    async run(world, { address, many }) {
      if (world.capabilities.has('supersede-links'))
        throw new Absent('the application always invalidates older links')
      const browser = world.browser()
      const mails = []
      for (let n = 0; n < many; n++) mails.push(await browser.requestLink(address))
      for (const mail of mails) {
        const reply = await browser.followLink(mail)
        world.check('OPT-011', opensSession(reply), 'a newer link invalidates an older one')
      }
    },
  }),
]
