import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { property, type Property } from './property.ts'
import { approach, everyDoor } from './support/doors.ts'
import { update, withoutTimes } from './support/sessions.ts'

export const jwtAnswerProperties: readonly Property[] = [
  property({
    proves: ['CB-03'],
    name: 'what jwt returns is what is stored, or nothing is',
    story:
      'A callback forgets to return, or returns false for somebody banned, and a session of nobody is made of it.',
    advice:
      'Take an object for claims and null for no session; anything else is a mistake, and ends the flow.',
    needs: ['setup', 'hooks', 'store'],
    setups: { jwt: { strategy: 'jwt' } },
    runs: 50,
    reaches: { 'sign-in': 4, read: 4, update: 4 },
    input: fc.record({
      door: fc.constantFrom('alpha' as const, 'plain' as const, 'mail' as const, 'form' as const),
      at: fc.constantFrom('sign-in', 'read', 'update'),
      answer: fc.option(fc.constantFrom<unknown>(false, true, '', 'ada', 0, 7), { nil: undefined, freq: 2 }),
      isLate: fc.boolean(),
    }),
    async run(base, { door, at, answer, isLate }) {
      let isOdd = false
      const tokens: unknown[] = []
      const jwt = ({ token }: { token: unknown }) => {
        tokens.push(withoutTimes(token))
        const given = isOdd ? answer : token
        return isLate ? Promise.resolve(given) : given
      }
      const world = await base.another(everyDoor('jwt', base, { callbacks: { jwt } }), 'own')
      const browser = world.browser('ada')
      const go = await approach(world, browser, door)
      isOdd = at === 'sign-in'
      await go()
      if (!isOdd) await browser.readSession()
      // What the session held before: nothing, when nobody was signed in yet.
      const before = isOdd ? undefined : tokens.at(-1)
      isOdd = true
      if (at === 'read') await browser.readSession()
      if (at === 'update') await update(world, browser, { note: 'news' })
      isOdd = false
      tokens.length = 0
      await browser.readSession()
      const [kept] = tokens
      world.hold(
        'CB-03',
        tokens.length === 0 || isDeepStrictEqual(kept, before) || isDeepStrictEqual(kept, answer),
        `jwt returned ${JSON.stringify(answer)} at ${at}, and ${JSON.stringify(kept)} was stored`,
      )
      world.reach(at)
    },
  }),
]
