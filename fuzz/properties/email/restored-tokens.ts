import fc from 'fast-check'
import { opensSession } from '../../monitors/monitor.ts'
import { rejecting, throwing } from '../../world/fault-plan.ts'
import type { Mail } from '../../world/mailbox.ts'
import { property, type Property } from '../property.ts'
import { enterCode, mailingCodes } from '../support/codes.ts'
import { faultOf } from '../support/faults.ts'
import { wasAtGate } from '../support/gates.ts'
import { freshAddress, isRefusal, stored } from '../support/outcome.ts'

export const restoredTokenProperties: readonly Property[] = [
  property({
    proves: ['FI-09', 'SU-01', 'SU-03'],
    name: 'accepts a link or code once more if its sign-in failed on the server, but no longer than before',
    story: 'The database fails for a moment, and the user has to request another link.',
    advice: 'Store the used token again, with its expiry, when a later step of the sign-in fails.',
    needs: ['setup', 'faults', 'store', 'clock'],
    setups: {
      ...stored({ providers: ['mail'] }),
      'database with codes': { ...mailingCodes.database, providers: ['mail'] },
    },
    runs: 60,
    reaches: { 'in time': 8, late: 2 },
    input: fc.record({
      address: freshAddress,
      isKnown: fc.boolean(),
      later: fc.nat({ max: 5 }),
      fault: faultOf(throwing, rejecting),
      isLate: fc.nat({ max: 3 }).map((n) => n === 0),
    }),
    async run(world, { address, isKnown, later, fault, isLate }) {
      const browser = world.browser('ada')
      // The browser that requested a link needs no confirmation while the link is valid, unless a gate has held its sign-in.
      const needsNone = () => world.capabilities.has('confirm-page') && !isLate && !wasAtGate(world)
      const open = (mail: Mail) => (needsNone() ? browser.openLink(mail) : browser.followLink(mail))
      const follow = async (mail: Mail) =>
        /^\d{6}$/.test(mail.token ?? '') ? enterCode(world, browser, mail.token ?? '') : open(mail)
      const request = async (to: string) => {
        const first = await browser.requestLink(to)
        if (!isKnown) return first
        await follow(first)
        return browser.requestLink(to)
      }
      // How many calls the same sign-in makes for another user.
      const rehearsed = await request('rehearsal@mail.example')
      world.plan.arm('store')
      await follow(rehearsed)
      const usedAt = world.plan.calls.indexOf('store.useVerificationToken')
      const at = usedAt + 1 + (later % Math.max(1, world.plan.calls.length - usedAt - 1))
      world.plan.arm('none')
      await browser.signOut()
      const mail = await request(address)
      const left = Number(world.rows.links.at(-1)?.expires) - world.clock.now()
      world.advance(left / 2000)
      world.plan.arm('store', at, fault)
      const failed = await follow(mail)
      const calls = [...world.plan.calls]
      world.plan.arm('none')
      const used = calls.indexOf('store.useVerificationToken')
      world.assume(
        used !== -1 && used < at && calls.length > at && isRefusal(failed),
        'nothing failed in time',
      )
      world.check('SU-01', !opensSession(failed), 'a failed sign-in opened a session')
      if (isLate) world.advance(left / 2000)
      const again = await follow(mail)
      // After a gate has let it pass, the sign-in waits there again instead.
      const resumed = opensSession(again) || isLate ? again : await browser.resume()
      const isAccepted = resumed !== undefined && opensSession(resumed)
      world.reach(isLate ? 'late' : 'in time')
      if (isLate) return world.check('SU-03', !isAccepted, 'a fault made a link or code last longer')
      world.check('FI-09', isAccepted, `a link or code is lost after ${calls[at] ?? ''} failed`)
      await browser.signOut()
      const isReused = opensSession(await follow(mail))
      world.check('SU-01', !isReused, 'a link or code signs in twice after a fault')
    },
  }),
]
