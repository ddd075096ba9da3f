import fc from 'fast-check'
import { member } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { isSignedIn, moveTo, readWith, sessionOf, update } from './support/sessions.ts'

export const sessionMaxAgeProperties: readonly Property[] = [
  property({
    proves: ['SE-09'],
    name: 'a lower maxAge shortens the sessions that are there',
    story: 'An operator shortens sessions after an incident, and those of the attacker live on for a month.',
    advice: 'Cut a row that expires after now + maxAge when it is read.',
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
      world.pass(after)
      const moved = moveTo(later, browser, ada)
      const { json } = await moved.readSession()
      const latest = world.clock.now() + maxAge * 1000 + 1000
      const expires = member(json, 'expires')
      if (typeof expires === 'string')
        world.hold('SE-09', Date.parse(expires) <= latest, `a session is shown to last until ${expires}`)
      const row = world.rows.sessions[0]
      world.hold('SE-09', !row || row.expires.getTime() <= latest, 'the row lasts longer than maxAge')
      const held = sessionOf(moved.cookies())
      world.pass(maxAge + 2)
      world.hold(
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
      name: `the expiry that is shown is never later than the real one (maxAge of ${which})`,
      story: 'A page promises a session that is gone already, and what was typed is lost.',
      advice: 'Show the smaller of what the session, the cookie and the token are good for.',
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
          world.pass(gap)
          const reply = isRead ? await browser.readSession() : await update(world, browser, null)
          if (!isSignedIn(reply)) return
          json = reply.json
        }
        const shown = Date.parse(String(member(json, 'expires')))
        const left = Math.floor((shown - world.clock.now()) / 1000)
        world.demand(left > 1, 'the session is about to end')
        const held = sessionOf(browser.cookies())
        world.pass(Math.max(1, left - early))
        const says = `the session is gone ${Math.min(early, left - 1)} s before the expiry that was shown`
        world.hold('SE-25', isSignedIn(await readWith(world, held)), says)
      },
    }),
  ),
]
