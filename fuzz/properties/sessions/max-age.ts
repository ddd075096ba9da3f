import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { isSignedIn, moveTo, readWith, sessionOf, update } from '../support/sessions.ts'
import { goTo, shownEnd } from '../support/session-times.ts'

interface Waiting {
  readonly accesses: readonly (readonly [gap: number, isRead: boolean])[]
  readonly wait: number
  readonly early: number
}

export const sessionMaxAgeProperties: readonly Property[] = [
  property({
    proves: ['SE-09'],
    name: 'shortens existing sessions when maxAge is lowered',
    story:
      'An operator shortens sessions after an incident, and the attacker’s sessions remain valid for a month.',
    advice: 'Shorten a row that expires after now + maxAge when you read it.',
    needs: ['clock', 'store', 'setup'],
    runs: 30,
    input: fc.record({
      // The second one differs by less than the default updateAge.
      maxAge: fc.oneof(fc.integer({ min: 100, max: 500_000 }), fc.integer({ min: 900_000, max: 990_000 })),
      after: fc.integer({ min: 0, max: 50_000 }),
      chosen: fc.option(fc.integer({ min: 600_000, max: 1_000_000 })),
    }),
    async run(base, { maxAge, after, chosen }) {
      const lasting = (seconds: number): Setup => ({
        config: { session: { maxAge: seconds, ...(chosen !== null && { signInMaxAge: () => chosen }) } },
      })
      const world = await base.another(lasting(1_000_000), 'same')
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const later = await base.another(lasting(maxAge), 'same')
      world.advance(after)
      const moved = moveTo(later, browser, ada)
      const { json } = await moved.readSession()
      const latest = world.clock.now() + maxAge * 1000 + 1000
      const expires = member(json, 'expires')
      if (typeof expires === 'string')
        world.check('SE-09', Date.parse(expires) <= latest, `the session shows the expiry ${expires}`)
      const row = world.rows.sessions[0]
      world.check('SE-09', !row || row.expires.getTime() <= latest, 'the row lasts longer than maxAge')
      const held = sessionOf(moved.cookies())
      world.advance(maxAge + 2)
      world.check(
        'SE-09',
        !isSignedIn(await readWith(later, held)),
        'the session lasts longer than the new maxAge',
      )
      await later.browser('ada').signIn('alpha', ada)
    },
  }),

  ...(['session', 'jwt', 'both'] as const).map((which) =>
    property({
      proves: ['SE-25'],
      name: `never shows a later expiry than the real one (maxAge of ${which})`,
      story: 'A page shows a session that has ended, and the user loses unsaved input.',
      advice: 'Show the earliest expiry of session, cookie and token.',
      needs: ['clock'],
      setups: {
        ...(which === 'session' && { database: { config: { session: { maxAge: 1000, updateAge: 1000 } } } }),
        jwt: {
          strategy: 'jwt',
          config: {
            session: { maxAge: which === 'jwt' ? 3000 : 1000 },
            ...(which !== 'session' && { jwt: { maxAge: which === 'jwt' ? 1000 : 3000 } }),
          },
        },
      },
      runs: 30,
      input: fc.record({
        accesses: fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.boolean()), { maxLength: 4 }),
        // In milliseconds.
        wait: fc.nat({ max: 999 }),
        early: fc.oneof(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1000, max: 900_000 })),
      }),
      async run(world: World, { accesses, wait, early }: Waiting) {
        const browser = world.browser('ada')
        world.advance(wait / 1000)
        await browser.signIn('alpha', world.people.ada)
        let { json } = await browser.readSession()
        for (const [gap, isRead] of accesses) {
          world.advance(gap)
          const reply = isRead ? await browser.readSession() : await update(world, browser, null)
          if (!isSignedIn(reply)) return
          json = reply.json
        }
        const shown = shownEnd(json)
        world.assume(shown > world.clock.now(), 'the session is about to end')
        const held = sessionOf(browser.cookies())
        goTo(world, Math.max(world.clock.now(), shown - early))
        const says = `the session ended ${(shown - world.clock.now()) / 1000} s before the expiry that it showed`
        world.check('SE-25', isSignedIn(await readWith(world, held)), says)
      },
    }),
  ),
]
