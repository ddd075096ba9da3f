import fc from 'fast-check'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { isSignedIn, moveTo, readWith, sessionOf, update } from '../support/sessions.ts'

export const sessionMaxAgeProperties: readonly Property[] = [
  property({
    proves: ['SE-09'],
    name: 'shortens existing sessions when maxAge is lowered',
    story:
      'An operator shortens sessions after an incident, and the attacker’s sessions remain valid for a month.',
    advice: 'Shorten a row that expires after now + maxAge when you read it.',
    needs: ['clock', 'store', 'setup'],
    setups: { database: { config: { session: { maxAge: 1_000_000 } } } },
    runs: 30,
    input: fc.record({
      maxAge: fc.integer({ min: 100, max: 500_000 }),
      after: fc.integer({ min: 0, max: 50_000 }),
    }),
    async run(world, { maxAge, after }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const later = await world.another({ config: { session: { maxAge } } }, 'same')
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
        early: fc.integer({ min: 1, max: 900 }),
      }),
      async run(world: World, { accesses, early }: { accesses: [number, boolean][]; early: number }) {
        const browser = world.browser('ada')
        await browser.signIn('alpha', world.people.ada)
        let { json } = await browser.readSession()
        for (const [gap, isRead] of accesses) {
          world.advance(gap)
          const reply = isRead ? await browser.readSession() : await update(world, browser, null)
          if (!isSignedIn(reply)) return
          json = reply.json
        }
        const shown = Date.parse(String(member(json, 'expires')))
        const left = Math.floor((shown - world.clock.now()) / 1000)
        world.assume(left > 1, 'the session is about to end')
        const held = sessionOf(browser.cookies())
        world.advance(Math.max(1, left - early))
        const says = `the session ended ${Math.min(early, left - 1)} s before the expiry that it showed`
        world.check('SE-25', isSignedIn(await readWith(world, held)), says)
      },
    }),
  ),
]
