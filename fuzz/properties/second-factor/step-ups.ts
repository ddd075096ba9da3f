import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import { property, type Property } from '../property.ts'
import { enrol, enterCode, hasFactor, withFactor } from '../support/second-factor.ts'
import { isSignedIn } from '../support/sessions.ts'
import { goTo, shownEnd } from '../support/session-times.ts'

/** Seconds. */
const lifetime = 7200
const limited = { 'second-factor': true, 'absolute-lifetime': lifetime } as const

const isIn = async (browser: Browser) => isSignedIn(await browser.readSession())

/** A code that is entered while signed in. */
export const stepUpProperties: readonly Property[] = [
  property({
    proves: ['SF-08', 'SE-08'],
    name: 'replaces the session after a code by one that ends at the same time, and ends the earlier one',
    story:
      'Eve has a copy of the session of Ada. Ada enters a code, and the copy remains valid, or no longer has an end.',
    advice:
      'Give the session another id, remove the earlier row, and copy its end and the time of its sign-in.',
    needs: ['setup', 'store', 'clock'],
    setups: {
      database: withFactor.database,
      'database with an absolute end': { ...withFactor.database, with: limited },
      'jwt with an absolute end': { ...withFactor.jwt, with: limited },
    },
    runs: 12,
    input: fc.record({ seconds: fc.integer({ min: 60, max: 800 }), times: fc.integer({ min: 1, max: 3 }) }),
    async run(world, { seconds, times }) {
      const browser = world.browser('ada')
      await browser.arrive(await browser.visit('alpha', world.people.ada))
      const app = await enrol(world, browser)
      const from = world.clock.now()
      const first = shownEnd((await browser.readSession()).json)
      for (let n = 0; n < times; n++) {
        world.advance(seconds)
        const end = shownEnd((await browser.readSession()).json)
        const earlier = browser.save()
        await enterCode(world, browser, app.code())
        const { json } = await browser.readSession()
        world.check('SF-08', await hasFactor(browser), 'a code gives the session no second factor')
        if (world.strategy !== 'database') continue
        const later = Math.round((shownEnd(json) - end) / 1000)
        world.check('SF-08', later === 0, `a session ends ${later} s later because a code was entered`)
        const renewed = browser.save()
        browser.restore(earlier)
        const says = 'a copy of the session from before a code is still a session'
        world.check('SF-08', !(await isIn(browser)), says, { observed: 'a session' })
        browser.restore(renewed)
      }
      const isLimited = first <= from + lifetime * 1000
      goTo(world, (isLimited ? from + lifetime * 1000 : first) + 60_000)
      const says = 'the session is still valid after its end, because a code was entered'
      world.check('SE-08', !(await isIn(browser)), says, { observed: 'a session' })
    },
  }),
]
