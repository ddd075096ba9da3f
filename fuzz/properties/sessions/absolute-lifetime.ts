import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { isSignedIn, plant, readWith, sessionOf, update } from '../support/sessions.ts'
import { goTo, shownEnd } from '../support/session-times.ts'

/** Seconds. */
const lifetime = 7200
const wanted = { with: { 'absolute-lifetime': lifetime } } as const

export const absoluteLifetimeProperties: readonly Property[] = [
  property({
    proves: ['SE-08'],
    name: 'ends a session at its absolute end, however much it is used',
    story: 'An attacker keeps a stolen session in use, and it never ends.',
    advice:
      'Keep the time of the sign-in where neither clients nor callbacks can change it, and cap each extension by it.',
    needs: ['clock', 'setup'],
    setups: {
      database: { ...wanted, config: { session: { maxAge: 3000, updateAge: 600 } } },
      jwt: { ...wanted, strategy: 'jwt', config: { session: { maxAge: 3000 } } },
      'jwt with a callback that returns new claims': {
        ...wanted,
        strategy: 'jwt',
        config: {
          session: { maxAge: 3000 },
          callbacks: {
            jwt: ({ token }: { token: { sub?: string; email?: string } }) => ({
              sub: token.sub,
              email: token.email,
            }),
          },
        },
      },
    },
    runs: 40,
    reaches: { 'to the end': 10 },
    input: fc.record({
      method: fc.constantFrom('alpha', 'plain'),
      gaps: fc.array(
        fc.record({
          seconds: fc.oneof(fc.integer({ min: 1, max: 2999 }), fc.integer({ min: 2000, max: 2999 })),
          how: fc.constantFrom('read', 'read', 'update', 'copy'),
        }),
        { minLength: 3, maxLength: 8 },
      ),
    }),
    async run(world, { method, gaps }) {
      const browser = world.browser('ada')
      await browser.signIn(method, world.people.ada)
      world.assume(isSignedIn(await browser.readSession()), 'nobody is signed in')
      const end = world.clock.now() + lifetime * 1000
      let copy = sessionOf(browser.cookies())
      for (const { seconds, how } of gaps) {
        if (world.clock.now() + seconds * 1000 >= end) break
        world.advance(seconds)
        if (how === 'copy') plant(browser, copy)
        const reply = how === 'update' ? await update(world, browser, null) : await browser.readSession()
        if (!isSignedIn(reply)) return
        const shown = shownEnd(reply.json)
        const late = `${(shown - end) / 1000} s after its absolute end`
        world.check('SE-08', shown <= end + 1000, `a session shows an expiry ${late}`)
        copy = sessionOf(browser.cookies())
      }
      if (end - world.clock.now() > 2_999_000) return
      world.reach('to the end')
      goTo(world, end + 1000)
      const isIn = isSignedIn(await readWith(world, copy))
      world.check('SE-08', !isIn, 'the session is still valid after its absolute end')
    },
  }),
]
