import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { sessionTokenOf, isSignedIn, issuedBy, readWith, sessionOf, update } from '../support/sessions.ts'
import { shownEnd, goTo } from '../support/session-times.ts'

const lengths = [1, 60, 3600, 2_592_000, 3_000_000_000]

/** Milliseconds around an expiry. */
const around = fc.oneof(
  fc.constantFrom(-1000, -1, 0, 1, 1000, 16_000),
  fc.integer({ min: -3_600_000, max: 86_400_000 }),
)

export const sessionLifeProperties: readonly Property[] = [
  ...lengths.map((maxAge) =>
    property({
      proves: ['SE-05'],
      name: `ends a session of ${maxAge} s exactly at its expiry`,
      story:
        'A session continues after its end, or a user is signed out while the page shows a valid session.',
      advice: 'Accept a session exactly while now < expires, without clock skew.',
      needs: ['clock'],
      setups: {
        database: { config: { session: { maxAge, updateAge: maxAge } } },
        jwt: { strategy: 'jwt', config: { session: { maxAge } } },
      },
      runs: 25,
      input: fc.record({ offset: around, wait: fc.nat({ max: 99 }) }),
      async run(world, { offset, wait }) {
        const { ada } = world.people
        const browser = world.browser('ada')
        world.advance(wait / 4)
        await browser.signIn('alpha', ada)
        const { json } = await browser.readSession()
        const end = shownEnd(json)
        world.assume(
          Math.abs(end - world.clock.now() - maxAge * 1000) <= 1000,
          'the session does not last maxAge',
        )
        const old = sessionOf(browser.cookies())
        goTo(world, Math.max(end + offset, world.clock.now()))
        const expected = world.clock.now() < end
        const reply = await readWith(world, old)
        const says = `${(world.clock.now() - end) / 1000} s after its expiry the session is ${expected ? 'rejected' : 'accepted'}`
        world.check('SE-05', isSignedIn(reply) === expected, says)
        world.reach(expected ? 'before the end' : 'after the end')
      },
    }),
  ),

  ...[0, 100, 333.3, 1000].map((updateAge) =>
    property({
      proves: ['SE-06'],
      name: `extends a row at most once in ${updateAge} s, and as soon as that time has passed`,
      story:
        'Sessions that are never extended end during work. Sessions extended too often overload the database.',
      advice: 'Extend once the last extension is updateAge old, computed from expires - maxAge.',
      needs: ['clock', 'store', 'setup'],
      setups: { database: { config: { session: { maxAge: 1000, updateAge } } } },
      runs: 30,
      reaches: updateAge < 1000 ? { extended: 10 } : {},
      input: fc.array(
        fc.tuple(
          fc.oneof(
            fc.constantFrom(0, 1, 99.999, 100, 100.001, 333, 334, 500),
            fc.integer({ min: 1, max: 700 }),
          ),
          fc.constantFrom('read', 'update'),
        ),
        { minLength: 1, maxLength: 8 },
      ),
      async run(world, gaps) {
        const { ada } = world.people
        const browser = world.browser('ada')
        await browser.signIn('alpha', ada)
        let extended = world.clock.now()
        const stored = () => world.rows.sessions[0]?.expires.getTime() ?? Number.NaN
        for (const [gap, kind] of gaps) {
          world.advance(gap)
          const [now, before] = [world.clock.now(), stored()]
          if (now >= before) return
          const reply = kind === 'read' ? await browser.readSession() : await update(world, browser, null)
          world.assume(isSignedIn(reply), 'the session is gone')
          const isExtended = stored() !== before
          if (updateAge === 0)
            world.check('SE-06', issuedBy(reply).length > 0, 'an access did not extend the session')
          const since = (now - extended) / 1000
          if (since < updateAge)
            world.check('SE-06', !isExtended, `the row was extended again after ${since} s`)
          if (since > updateAge) {
            world.check('SE-06', isExtended, `${since} s after the last extension the row was not extended`)
            world.check('SE-06', stored() === now + 1_000_000, 'an extension is not maxAge long')
          }
          if (isExtended) {
            extended = now
            world.reach('extended')
          }
        }
      },
    }),
  ),

  property({
    proves: ['SE-07'],
    name: 'reports the same expiry in cookie, row and body',
    story: 'A browser deletes a valid session, or keeps an invalid one.',
    advice: 'Compute the expiry once per response, and write the same value everywhere.',
    needs: ['clock', 'store', 'setup'],
    setups: {
      database: { config: { session: { maxAge: 1000, updateAge: 300 } } },
      jwt: { strategy: 'jwt', config: { session: { maxAge: 1000 } } },
      'jwt, with a maxAge for tokens': {
        strategy: 'jwt',
        config: { session: { maxAge: 1000 }, jwt: { maxAge: 1000 } },
      },
      'jwt, with a shorter maxAge for tokens': {
        strategy: 'jwt',
        config: { session: { maxAge: 3000 }, jwt: { maxAge: 1000 } },
      },
      // Other libraries ignore the option.
      'database, with a lifetime for this sign-in': {
        config: { session: { maxAge: 1000, updateAge: 300, signInMaxAge: () => 700 } },
      },
      'jwt, with a lifetime for this sign-in': {
        strategy: 'jwt',
        config: { session: { maxAge: 1000, signInMaxAge: () => 700 } },
      },
    },
    runs: 40,
    input: fc.array(fc.tuple(fc.integer({ min: 1, max: 600 }), fc.constantFrom('read', 'update')), {
      minLength: 1,
      maxLength: 6,
    }),
    async run(world, gaps) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const agree = (a: number, b: number) => Math.abs(a - b) <= 1000
      const arrived = await browser.arrive(await browser.visit('alpha', ada))
      const endOf = (reply: typeof arrived) => {
        const [cookie] = issuedBy(reply)
        if (!cookie) return undefined
        const { maxAge, expires } = cookie
        if (typeof maxAge === 'number') return world.clock.now() + maxAge * 1000
        return expires instanceof Date ? expires.getTime() : undefined
      }
      let held = endOf(arrived)
      const first = held
      let isFirst = true
      for (const [gap, kind] of [[0, 'read'] as const, ...gaps]) {
        world.advance(gap)
        const row = world.rows.sessions[0]
        if (!sessionTokenOf(browser)) return
        const reply = kind === 'read' ? await browser.readSession() : await update(world, browser, null)
        world.assume(isSignedIn(reply), 'the session is gone')
        held = endOf(reply) ?? held
        const shown = shownEnd(reply.json)
        const after = world.rows.sessions[0]?.expires.getTime()
        world.assume(held !== undefined && first !== undefined, 'the cookie has no expiry')
        const show = (time: number) => new Date(time).toISOString()
        if (isFirst)
          world.check(
            'SE-07',
            agree(first ?? 0, shown),
            `the cookie of the sign-in expires ${show(first ?? 0)}, but ${show(shown)} is shown`,
          )
        isFirst = false
        if (row && after !== undefined)
          world.check(
            'SE-07',
            agree(after, shown),
            `the row expires ${show(after)}, but ${show(shown)} is shown`,
          )
        world.check(
          'SE-07',
          agree(held ?? 0, shown),
          `the cookie expires ${show(held ?? 0)}, but ${show(shown)} is shown`,
        )
      }
    },
  }),
]
