import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { prepareSignIn, everySignInMethod } from '../support/sign-in-methods.ts'
import { update, withoutTimes } from '../support/sessions.ts'

export const jwtResultProperties: readonly Property[] = [
  property({
    proves: ['CB-03'],
    name: 'stores exactly what the jwt callback returns, or nothing',
    story:
      'A callback forgets to return, or returns false for a banned user, and the library issues a session anyway.',
    advice:
      'Accept an object as claims and null as no session. Treat anything else as an error, and end the flow.',
    needs: ['setup', 'hooks', 'store'],
    setups: { jwt: { strategy: 'jwt' } },
    runs: 50,
    reaches: { 'sign-in': 4, read: 4, update: 4 },
    input: fc.record({
      method: fc.constantFrom('alpha' as const, 'plain' as const, 'mail' as const, 'form' as const),
      at: fc.constantFrom('sign-in', 'read', 'update'),
      result: fc.option(fc.constantFrom<unknown>(false, true, '', 'ada', 0, 7), { nil: undefined, freq: 2 }),
      isLate: fc.boolean(),
    }),
    async run(base, { method, at, result, isLate }) {
      let isOdd = false
      const tokens: unknown[] = []
      const jwt = ({ token }: { token: unknown }) => {
        tokens.push(withoutTimes(token))
        const given = isOdd ? result : token
        return isLate ? Promise.resolve(given) : given
      }
      const world = await base.another(everySignInMethod('jwt', base, { callbacks: { jwt } }), 'own')
      const browser = world.browser('ada')
      const go = await prepareSignIn(world, browser, method)
      isOdd = at === 'sign-in'
      await go()
      if (!isOdd) await browser.readSession()
      // Before a sign-in, there is no session.
      const before = isOdd ? undefined : tokens.at(-1)
      isOdd = true
      if (at === 'read') await browser.readSession()
      if (at === 'update') await update(world, browser, { note: 'news' })
      isOdd = false
      tokens.length = 0
      await browser.readSession()
      const [kept] = tokens
      world.check(
        'CB-03',
        tokens.length === 0 || isDeepStrictEqual(kept, before) || isDeepStrictEqual(kept, result),
        `jwt returned ${JSON.stringify(result)} at ${at}, and ${JSON.stringify(kept)} was stored`,
      )
      world.reach(at)
    },
  }),
]
