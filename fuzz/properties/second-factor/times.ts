import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { enrol, enterCode, period, withFactor, wrongCodes } from '../support/second-factor.ts'
import { isSignedIn } from '../support/sessions.ts'

/** Enters the first factor. */
async function signIn(world: World, browser: Browser = world.browser('ada')): Promise<Browser> {
  await browser.arrive(await browser.visit('alpha', world.people.ada))
  return browser
}

const isIn = async (browser: Browser) => isSignedIn(await browser.readSession())

/** Seconds for which the application remembers browsers. */
const rememberedFor = 86_400

/** Wrong codes in a row after which no code is compared. */
const most = 100

/** The seconds for which no code is compared after this many wrong ones in a row. */
const pauseAfter = (wrong: number) => Math.min(30 * 2 ** (wrong - 5), 3600)

/** Steps from the current one, and whether a code of that step is accepted. */
const steps = [-20, -4, -3, -2, -1, 0, 1, 2, 3, 4, 20] as const

/** How long a code, a pause between wrong codes, and a remembered browser last. */
export const factorTimeProperties: readonly Property[] = [
  property({
    proves: ['SF-11'],
    name: 'compares no code during the pause after wrong ones, which doubles each time',
    story:
      'Eve knows the password, waits half a minute after five wrong codes, and tries five more, for weeks.',
    advice:
      'Keep the number of wrong codes until a right one, double the pause after each, and stop after a hundred.',
    needs: ['setup', 'clock'],
    setups: withFactor,
    runs: 12,
    reaches: { 'a pause': 1, 'no end': 1 },
    parts: [5, 6, 9, 14, most].map((wrong) => ({ wrong })),
    input: fc.record({
      wrong: fc.integer({ min: 5, max: 14 }),
      seed: fc.integer({ min: 1, max: 900_000 }),
      late: fc.integer({ min: 1, max: 30 }),
    }),
    async run(world, { wrong, seed, late }) {
      // The session of the owner can enter codes, too. A sign-in would not wait that long.
      const owner = await signIn(world)
      const app = await enrol(world, owner)
      for (let n = 1; n <= wrong; n++) {
        await enterCode(world, owner, wrongCodes(app, seed + 10 * n, 1)[0] ?? '')
        if (n >= 5 && n < wrong) world.clock.advance(pauseAfter(n) + late)
      }
      const isOver = wrong === most
      world.clock.advance(isOver ? 86_400 : pauseAfter(wrong) - late)
      const thief = await signIn(world)
      await enterCode(world, thief, app.code())
      const when = isOver ? 'a day later' : `${late} s before the end of the pause`
      world.check('SF-11', !(await isIn(thief)), `after ${wrong} wrong codes, a code is compared ${when}`)
      world.reach(isOver ? 'no end' : 'a pause')
      if (isOver) return enterRecovery(world, app.recovery[0] ?? '')
      world.clock.advance(2 * late)
      await enterCode(world, thief, app.code())
      world.check('SF-11', await isIn(thief), `after ${wrong} wrong codes, no code works after the pause`)
    },
  }),

  property({
    proves: ['SF-03'],
    name: 'accepts the code of the current step and of one beside it, and no other',
    story: 'Eve reads a code over the shoulder of Ada, types it minutes later, and it still works.',
    advice: 'Compare with the step of the server and one step on each side.',
    needs: ['setup', 'clock'],
    setups: withFactor,
    runs: steps.length,
    ...eachOf(steps),
    async run(world, step) {
      const app = await enrol(world, await signIn(world))
      // The code of the enrolment is used up.
      world.clock.advance(100 * period)
      const browser = await signIn(world)
      const code = app.code(step)
      const isValid = [-1, 0, 1].some((each) => app.code(each) === code)
      await enterCode(world, browser, code)
      const says = `a code of ${step} steps from now is ${isValid ? 'refused' : 'accepted'}`
      world.check('SF-03', (await isIn(browser)) === isValid, says)
    },
  }),

  property({
    proves: ['SF-09'],
    name: 'remembers a browser for as long as the site says, even if its cookie is kept',
    story: 'Ada sold her laptop a year ago, and it still needs no code.',
    advice: 'Seal the end of the trust into the cookie, and do not renew it.',
    needs: ['setup', 'clock'],
    setups: withFactor,
    runs: 12,
    reaches: { early: 2, late: 2 },
    parts: [{ seconds: 85_000 }, { seconds: 87_000 }, { seconds: 172_000 }],
    input: fc.record({
      seconds: fc.oneof(
        fc.integer({ min: 1, max: rememberedFor - 60 }),
        fc.integer({ min: rememberedFor + 1, max: 20 * rememberedFor }),
      ),
      isUsed: fc.boolean(),
    }),
    async run(world, { seconds, isUsed }) {
      const app = await enrol(world, await signIn(world))
      const browser = await signIn(world)
      await enterCode(world, browser, app.code(), { remember: 'true' })
      const copy = browser.save()
      if (isUsed) {
        world.advance(Math.floor(seconds / 2))
        await browser.signOut()
        await signIn(world, browser)
      }
      world.advance(isUsed ? Math.ceil(seconds / 2) : seconds)
      await browser.signOut()
      const isLate = seconds > rememberedFor
      world.reach(isLate ? 'late' : 'early')
      // A browser would drop the cookie.
      if (isLate) browser.restore(copy)
      await browser.signOut()
      await signIn(world, browser)
      const says = `after ${seconds} of ${rememberedFor} s, the browser is ${isLate ? '' : 'not '}remembered`
      world.check('SF-09', (await isIn(browser)) === !isLate, says)
    },
  }),
]

async function enterRecovery(world: World, code: string): Promise<void> {
  const browser = await signIn(world)
  await enterCode(world, browser, code)
  world.check('SF-11', await isIn(browser), 'after a hundred wrong codes, a recovery code does not work')
}
