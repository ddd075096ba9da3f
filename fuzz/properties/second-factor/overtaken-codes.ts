import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import { property, type Property } from '../property.ts'
import { outdatedBy } from '../support/faults.ts'
import { enrol, enterCode, withFactor, wrongCodes } from '../support/second-factor.ts'
import { isSignedIn } from '../support/sessions.ts'

/** Properties of guesses that arrive at the same time. */
export const overtakenCodeProperties: readonly Property[] = [
  property({
    proves: ['SF-11'],
    name: 'accepts no right code after five wrong ones, if all arrive at once',
    story:
      'Eve knows the password, and sends thousands of codes at once. The application compares them all before it counts the first one.',
    advice:
      'Replace the record with a compare-and-swap, and refuse the code if the record has changed since you read it.',
    needs: ['setup', 'faults', 'store'],
    setups: withFactor,
    runs: 20,
    reaches: { 'in one browser': 2, 'in several browsers': 2 },
    parts: [{ where: 'in one browser' }, { where: 'in several browsers' }],
    input: fc.record({
      wrong: fc.integer({ min: 5, max: 8 }),
      seed: fc.integer({ min: 1, max: 900_000 }),
      where: fc.constantFrom('in one browser', 'in several browsers'),
    }),
    async run(world, { wrong, seed, where }) {
      const signIn = async (): Promise<Browser> => {
        const browser = world.browser('ada')
        await browser.arrive(await browser.visit('alpha', world.people.ada))
        return browser
      }
      const app = await enrol(world, await signIn())
      const last = await signIn()
      const others: Browser[] = []
      for (let n = 0; n < wrong; n++) others.push(where === 'in one browser' ? last : await signIn())
      const codes = wrongCodes(app, seed, wrong)
      let isOvertaken = false
      // The request with the right code has read how many codes were wrong.
      const overtake = async () => {
        for (const [n, browser] of others.entries()) await enterCode(world, browser, codes[n] ?? '')
        isOvertaken = true
      }
      world.plan.arm('store.getFactor', 0, outdatedBy(overtake))
      await enterCode(world, last, app.code())
      world.plan.arm('none')
      world.assume(isOvertaken, 'no wrong code arrived in between')
      const says = `a right code signs in, although ${wrong} wrong ones that arrived at the same time were counted first`
      world.check('SF-11', !isSignedIn(await last.readSession()), says, { observed: 'another user' })
      const later = await signIn()
      await enterCode(world, later, app.recovery[0] ?? '')
      world.assume(isSignedIn(await later.readSession()), 'a recovery code signs nobody in')
      world.reach(where)
    },
  }),
]
