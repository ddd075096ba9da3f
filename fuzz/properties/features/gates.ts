import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import {
  arrive,
  arriveAgain,
  copyCookies,
  countRows,
  isIn,
  methods,
  openAtGates as open,
  withGate,
} from '../support/gates.ts'
import { waitFor } from '../support/flows.ts'
import { enrol, enterCode, wrongCode } from '../support/second-factor.ts'

/** Applications with two gates. */
const withGates = {
  database: { ...withGate.database, with: { gate: 'two' } },
  jwt: { ...withGate.jwt, with: { gate: 'two' } },
} as const satisfies Record<string, Setup>

/** Gives an answer at the gate. */
async function answer(world: World, browser: Browser, given = 'yes', gate = 'gate') {
  const form = { csrfToken: await browser.csrfToken(), answer: given }
  return browser.send(`${world.basePath}/${gate}`, { form, says: `answers ${given} at the ${gate}` })
}

/** Answers of a gate that let nobody pass. */
const unusable: Readonly<Record<string, () => unknown>> = {
  'returns nothing': () => undefined,
  'returns null': () => null,
  'returns true': () => true,
  'returns 1': () => 1,
  'returns an object': () => ({}),
  'returns another word': () => 'passed',
  'resolves to nothing': () => Promise.resolve(),
  throws() {
    throw new Error('the list is down')
  },
  rejects: () => Promise.reject(new Error('the list is down')),
  'never answers': () => new Promise(() => {}),
}
const unusableNames = Object.keys(unusable)

export const gateProperties: readonly Property[] = [
  property({
    proves: ['FT-01', 'FT-02', 'FT-03'],
    name: 'asks the gate after every way to sign in, before anything is stored',
    story:
      'A user who has not accepted the terms, or has no invitation, gets in by the one way that nobody guarded.',
    advice: 'Ask the gates where sign-ins begin to store, in one piece that every way to sign in uses.',
    needs: ['sample-gate'],
    setups: withGate,
    runs: 40,
    input: fc.record({ method: methods }),
    async run(world, { method }) {
      const browser = open(world, 'ada')
      const before = countRows(world)
      await arrive(world, browser, method)
      world.check('FT-01', !(await isIn(browser)), `${method} signs in past the gate`)
      world.check('FT-01', countRows(world) === before, `${method} stores something before the gate`)
      const copy = browser.save()
      const thief = open(world, 'eve')
      await thief.csrfToken()
      copyCookies(browser, thief)
      await answer(world, thief)
      world.check('FT-03', !(await isIn(thief)), 'the cookie of a held sign-in works in another browser')
      await answer(world, browser, 'no')
      world.check('FT-01', !(await isIn(browser)), 'the gate lets a wrong answer pass')
      await answer(world, browser)
      world.check('FT-03', await isIn(browser), 'the sign-in does not continue after the gate')
      const late = open(world, 'ada')
      late.restore(copy)
      world.clock.advance(601)
      await answer(world, late)
      world.check('FT-02', !(await isIn(late)), 'a held sign-in continues after more than ten minutes')
    },
  }),

  property({
    proves: ['FT-04', 'FT-01'],
    name: 'asks the gate once for each user, and after the second factor',
    story:
      'A user who has answered is asked at each sign-in, or a gate takes the place of the second factor.',
    advice:
      'Call the gate after the second factor, and store its data after the user and before the session.',
    needs: ['sample-gate'],
    setups: withGate,
    runs: 30,
    input: fc.record({
      method: methods.filter((method) => method !== 'passkey'),
      by: fc.integer({ min: 1, max: 999_999 }),
    }),
    async run(world, { method, by }) {
      const owner = open(world, 'ada')
      await arrive(world, owner, method)
      await answer(world, owner)
      world.assume(await isIn(owner), 'nobody is signed in')
      const again = open(world, 'ada')
      await arriveAgain(world, again, method)
      world.check('FT-04', await isIn(again), `${method} asks a user again who has answered`)
      const app = await enrol(world, owner)
      const later = open(world, 'ada')
      await arriveAgain(world, later, method)
      await answer(world, later)
      world.check('FT-01', !(await isIn(later)), 'the gate takes the place of the second factor')
      const guess = wrongCode(app.code(), by)
      if (![-1, 0, 1].some((step) => app.code(step) === guess)) await enterCode(world, later, guess)
      world.check('FT-01', !(await isIn(later)), 'a wrong code signs in')
      await enterCode(world, later, app.code())
      world.check('FT-04', await isIn(later), 'the second factor does not sign in a user who has answered')
    },
  }),

  property({
    proves: ['FT-01', 'FT-03'],
    name: 'asks every gate, each of them by its own page',
    story: 'A user accepts the terms, and the check of the invitation that comes next lets the sign-in pass.',
    advice: 'Store the data of each gate under the name of its feature, and do not pass it to the next gate.',
    needs: ['sample-gate'],
    setups: withGates,
    runs: 20,
    input: fc.record({ method: methods, early: fc.boolean() }),
    async run(world, { method, early }) {
      const browser = open(world, 'ada')
      await arrive(world, browser, method)
      if (early) {
        await answer(world, browser, 'yes', 'second-gate')
        world.check('FT-03', !(await isIn(browser)), 'the page of another gate lets a sign-in pass')
      }
      await answer(world, browser)
      world.check('FT-01', !(await isIn(browser)), `${method} signs in past the second gate`)
      await answer(world, browser)
      world.check('FT-03', !(await isIn(browser)), 'a second answer at the first gate passes the second')
      await answer(world, browser, 'yes', 'second-gate')
      world.check('FT-03', await isIn(browser), 'the sign-in does not continue after both gates')
    },
  }),

  property({
    proves: ['FT-01'],
    name: 'lets nobody pass a gate that fails, or returns neither pass nor hold',
    story: 'The list of banned users is down, or its function forgets to return, and all of them are let in.',
    advice: 'Continue a sign-in only if the gate says so. Treat every other result as an error.',
    needs: ['sample-gate', 'clock'],
    setups: withGate,
    runs: 30,
    parts: unusableNames.map((answers) => ({ answers })),
    input: fc.record({
      method: methods.filter((method) => method !== 'passkey'),
      answers: fc.constantFrom(...unusableNames),
      isKnown: fc.boolean(),
    }),
    async run(base, { method, answers, isKnown }) {
      let current: () => unknown = () => 'pass'
      const setup = withGate[base.strategy]
      const world = await base.another({ ...setup, with: { ...setup.with, gate: () => current() } }, 'own')
      if (isKnown) await arrive(world, open(world, 'ada'), method)
      const before = countRows(world)
      const browser = open(world, 'ada')
      current = unusable[answers] ?? current
      const again = isKnown ? arriveAgain : arrive
      const isDone = await waitFor(world, again(world, browser, method))
      const what = `${method}, when the gate ${answers},`
      world.check('FT-01', isDone, `${what} never ends`)
      world.check('FT-01', !(await isIn(browser)), `${what} signs in`)
      world.check('FT-01', countRows(world) === before, `${what} stores something`)
      current = () => 'pass'
      const later = open(world, 'ada')
      await again(world, later, method)
      world.check('FT-01', await isIn(later), `${method} signs nobody in after the gate works again`)
    },
  }),
]
