import fc from 'fast-check'
import { Absent } from '../../world/breach.ts'
import { property, type Property } from '../property.ts'
import {
  arrive,
  copyCookies,
  countRows,
  isAtGate,
  isIn,
  methods,
  openAtGates as open,
  withGate,
} from '../support/gates.ts'

const taken = { observed: 'another user' } as const

/** The gates of any target, whose answers the target gives. */
export const heldSignInProperties: readonly Property[] = [
  property({
    proves: ['FT-01', 'FT-02', 'FT-03'],
    name: 'holds each way to sign in at the gates of the target, in one browser and for ten minutes',
    story:
      'A user gets in by the one way that nobody guarded, or somebody with a copy of the cookie answers in their place.',
    advice:
      'Call the gates in the code that every way to sign in shares, and bind a held sign-in to its browser.',
    needs: ['gates', 'setup', 'store', 'clock'],
    setups: withGate,
    runs: 40,
    parts: [{ waits: 0 }, { waits: 599 }],
    input: fc.record({ method: methods, waits: fc.constantFrom(0, 60, 599) }),
    async run(world, { method, waits }) {
      const browser = open(world, 'ada')
      const before = countRows(world)
      await arrive(world, browser, method)
      if (!isAtGate(world)) throw new Absent(`no gate holds a first sign-in with ${method}`)
      world.reach(method)
      world.check('FT-01', !(await isIn(browser)), `${method} signs in past the gate`)
      world.check('FT-01', countRows(world) === before, `${method} stores something before the gate`)
      const thief = open(world, 'eve')
      await thief.csrfToken()
      copyCookies(browser, thief)
      await thief.resume()
      const isStolen = await isIn(thief)
      world.check('FT-03', !isStolen, 'the cookie of a held sign-in works in another browser', taken)
      const copy = browser.save()
      world.clock.advance(waits)
      await browser.resume()
      world.check(
        'FT-03',
        await isIn(browser),
        `the sign-in does not continue after its gates within ${waits} s`,
      )
      const late = open(world, 'ada')
      late.restore(copy)
      world.clock.advance(601)
      await late.resume()
      world.check('FT-02', !(await isIn(late)), 'a held sign-in continues after more than ten minutes')
    },
  }),
]
