import fc from 'fast-check'
import { isCleared, member } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import {
  headerOf,
  heldBy,
  isSignedIn,
  issuedBy,
  plant,
  readWith,
  refuses,
  sessionName,
  sessionOf,
  update,
} from './support/sessions.ts'

const doors = fc.constantFrom('alpha', 'beta', 'plain', 'mail')
const hour = { session: { maxAge: 3600, updateAge: 3600 } }
const lengths = [1, 60, 3600, 2_592_000, 3_000_000_000]

/** When a session ends, by what was shown: milliseconds since 1970. */
const shownEnd = (json: unknown) => Date.parse(String(member(json, 'expires')))

/** Milliseconds around an end. */
const around = fc.oneof(
  fc.constantFrom(-1000, -1, 0, 1, 1000, 16_000),
  fc.integer({ min: -3_600_000, max: 86_400_000 }),
)

/** Goes to a moment; clocks do not go back. */
function goTo(world: World, moment: number): void {
  world.demand(moment >= world.clock.now(), 'that was before now')
  world.pass((moment - world.clock.now()) / 1000)
}

export const sessionLifeProperties: readonly Property[] = [
  property({
    proves: ['SE-01'],
    name: 'every authentication issues a session token that nobody has seen before',
    story:
      'An attacker plants a session cookie of theirs in the victim’s browser, which a sign-in then makes valuable.',
    advice: 'Make a new session token whenever somebody proves who they are, whatever the browser holds.',
    setups: { database: {}, jwt: { strategy: 'jwt', config: { adapter: true } } },
    runs: 40,
    reaches: { 'signed in again': 4, 'signed in over a planted cookie': 6 },
    input: fc.record({
      steps: fc.array(fc.tuple(doors, fc.boolean()), { minLength: 1, maxLength: 4 }),
      planted: fc.option(fc.oneof(fc.uuid(), fc.constant('of another'), fc.base64String({ minLength: 16 }))),
    }),
    async run(world, { steps, planted }) {
      const { ada, eve } = world.people
      const browser = world.browser('ada')
      const other = world.browser('eve')
      const seen = new Set<string>()
      if (planted !== null) {
        await other.signIn('alpha', eve)
        const name = sessionName(world, other)
        const cookies =
          planted === 'of another' ? sessionOf(other.cookies()) : { [name]: planted.replaceAll('=', '') }
        // With the other's own session this would be a link to the other's account, which is another matter.
        if (planted === 'of another') await other.signOut()
        world.demand(!isSignedIn(await readWith(world, cookies)), 'what is planted is a session')
        plant(browser, cookies)
        for (const value of Object.values(cookies)) seen.add(value)
        seen.add(heldBy(browser))
      }
      for (const [n, [door, leaves]] of steps.entries()) {
        const wasIn = n > 0 && isSignedIn(await browser.readSession())
        seen.add(heldBy(browser))
        for (const value of Object.values(sessionOf(browser.cookies()))) seen.add(value)
        const reply =
          door === 'mail'
            ? await browser.followLink(await browser.askLink(ada.address.mail))
            : await browser.arrive(await browser.visit(door, ada))
        if (refuses(reply)) continue
        world.demand((await browser.whoAmI()) === ada.name, 'nobody is signed in after a sign-in')
        const issued = issuedBy(reply)
        world.hold(
          'SE-01',
          issued.length > 0,
          `a sign-in at ${door} issued no session token, the old one was upgraded`,
        )
        for (const { value } of issued)
          world.hold(
            'SE-01',
            !seen.has(value),
            `a sign-in at ${door} issued a session token that was there before`,
          )
        if (wasIn) world.reach('signed in again')
        else if (planted !== null && n === 0) world.reach('signed in over a planted cookie')
        for (const { value } of issued) seen.add(value)
        if (leaves) await browser.signOut()
      }
    },
  }),
  property({
    proves: ['SE-02'],
    name: 'the session that a browser held is revoked when it gets another one',
    story: 'A thief of a cookie keeps a session that its owner believes to have replaced.',
    advice: 'Delete the row of the session that the request carried, once the new one is stored.',
    runs: 40,
    input: fc.record({ first: doors, second: doors, sameAgain: fc.boolean() }),
    async run(world, { first, second, sameAgain }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(first, ada)
      const [saved, old] = [browser.save(), heldBy(browser)]
      await browser.signIn(sameAgain ? first : second, ada)
      const next = browser.save()
      world.demand(heldBy(browser) !== old, 'no new session was issued')
      browser.restore(saved)
      world.hold(
        'SE-02',
        !isSignedIn(await browser.readSession()),
        'the session from before the sign-in is still good',
      )
      browser.restore(next)
      world.demand(isSignedIn(await browser.readSession()), 'the new session is none')
    },
  }),
  property({
    proves: ['SE-04'],
    name: 'an expired session counts for nothing: not to read, to update, to link, or for events',
    story: 'Somebody finds a cookie that expired long ago, and links an account of theirs to its user.',
    advice: 'Compare the expiry with the clock wherever a session is looked up, not only where it is shown.',
    needs: ['clock', 'hooks'],
    setups: {
      database: { config: hour },
      jwt: { strategy: 'jwt', config: { ...hour, adapter: true } },
    },
    runs: 40,
    reaches: { link: 5, update: 2, read: 2 },
    input: fc.record({
      path: fc.constantFrom('read', 'update', 'link', 'link that was started before'),
      // How exactly it ends is another question.
      late: fc.integer({ min: 61, max: 1_000_000 }),
    }),
    async run(world, { path, late }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const seconds = Math.ceil((shownEnd((await browser.readSession()).json) - world.clock.now()) / 1000)
      const old = sessionOf(browser.cookies())
      const started = path === 'link that was started before'
      // As late as a sign-in at the provider may be under way.
      if (started) world.pass(seconds - 100)
      plant(browser, old)
      const visit = started ? await browser.visit('beta', ada) : undefined
      world.pass(started ? 100 + Math.min(late, 700) : seconds + late)
      plant(browser, old)
      world.told.events.length = 0
      if (path === 'read' || path === 'update') {
        const reply = path === 'read' ? await browser.readSession() : await update(world, browser, {}, {})
        world.hold('SE-04', !isSignedIn(reply), `the expired session is answered as signed in (${path})`)
        const events = world.told.events.map(({ event }) => event)
        world.hold('SE-04', !events.includes('session'), 'the session event tells of an expired session')
      } else {
        const arrival = visit ?? (await browser.visit('beta', ada))
        plant(browser, old)
        await browser.arrive(arrival)
        const { json } = await browser.readSession()
        const address = member(json, 'user', 'email')
        world.hold(
          'SE-04',
          address === undefined || address === ada.address.beta,
          'the account was linked to the user of a session that had expired',
        )
        const owners = new Set(world.rows.accounts.map(({ userId }) => userId))
        world.hold(
          'SE-04',
          owners.size === world.rows.accounts.length,
          'an expired session owns a new account',
        )
        world.demand(address === ada.address.beta, 'the sign-in over an expired session did not work')
      }
      world.reach(started ? 'link' : path)
    },
  }),
  property({
    proves: ['SE-04'],
    name: 'an expired session gets no passkey of its user',
    story:
      'Whoever finds an expired cookie registers a passkey of theirs with its user, and comes back at will.',
    advice: 'Ask for a live session in the routes of WebAuthn too.',
    needs: ['clock', 'passkey'],
    setups: Object.fromEntries(
      (['database', 'jwt'] as const).map((strategy) => [
        strategy,
        {
          strategy,
          providers: ['alpha', 'passkey'],
          config: { session: { maxAge: 3600 }, adapter: true, experimental: { enableWebAuthn: true } },
        },
      ]),
    ),
    runs: 30,
    input: fc.record({
      late: fc.integer({ min: 61, max: 100_000 }),
      query: fc.constantFrom('', '?action=register'),
    }),
    async run(world, { late, query }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const options = `${world.basePath}/webauthn-options/passkey${query}`
      const live = await browser.send(options, { says: 'asks for the options of a passkey' })
      world.demand(
        query === '' || live.text.includes(ada.address.alpha),
        'a live session gets no passkey either',
      )
      const { json } = await browser.readSession()
      const old = sessionOf(browser.cookies())
      goTo(world, shownEnd(json) + late * 1000)
      plant(browser, old)
      const reply = await browser.send(options, { says: 'asks for the options of a passkey' })
      world.hold(
        'SE-04',
        member(reply.json, 'action') !== 'register',
        'an expired session may register a passkey',
      )
      world.hold('SE-04', !reply.text.includes(ada.address.alpha), 'an expired session is shown its user')
    },
  }),
  ...lengths.map((maxAge) =>
    property({
      proves: ['SE-05'],
      name: `a session of ${maxAge} s is good until it expires, to the moment, and no longer`,
      story:
        'A session that should have ended goes on; or a user is thrown out while the page says all is well.',
      advice: 'A session is good exactly while now < expires; allow no clock skew against oneself.',
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
        world.pass(wait / 4)
        await browser.signIn('alpha', ada)
        const { json } = await browser.readSession()
        const end = shownEnd(json)
        world.demand(
          Math.abs(end - world.clock.now() - maxAge * 1000) <= 1000,
          'the session is of another length',
        )
        const old = sessionOf(browser.cookies())
        goTo(world, Math.max(end + offset, world.clock.now()))
        const expected = world.clock.now() < end
        const reply = await readWith(world, old)
        const says = `${(world.clock.now() - end) / 1000} s after its expiry the session is ${expected ? 'none' : 'good'}`
        world.hold('SE-05', isSignedIn(reply) === expected, says)
        world.reach(expected ? 'before the end' : 'after the end')
      },
    }),
  ),
  ...[0, 100, 333.3, 1000].map((updateAge) =>
    property({
      proves: ['SE-06'],
      name: `a row is extended at most once in ${updateAge} s, and when that time is over`,
      story: 'Sessions that are never extended end amid work; ones extended too often wear a database down.',
      advice: 'Extend when the last extension is updateAge ago, counted from expires - maxAge.',
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
          world.pass(gap)
          const [now, before] = [world.clock.now(), stored()]
          if (now >= before) return
          const reply = kind === 'read' ? await browser.readSession() : await update(world, browser, null)
          world.demand(isSignedIn(reply), 'the session is gone')
          const isExtended = stored() !== before
          if (updateAge === 0)
            world.hold('SE-06', issuedBy(reply).length > 0, 'an access extended nothing, where each has to')
          const since = (now - extended) / 1000
          if (since < updateAge)
            world.hold('SE-06', !isExtended, `the row was extended again after ${since} s`)
          if (since > updateAge) {
            world.hold('SE-06', isExtended, `${since} s after the last extension the row was not extended`)
            world.hold('SE-06', stored() === now + 1_000_000, 'an extension is of another length than maxAge')
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
    name: 'cookie, row and body tell the same expiry',
    story: 'A browser drops a session that is good, or keeps and shows one that is none.',
    advice: 'Compute the expiry once for each response, and write the same one everywhere.',
    needs: ['clock', 'store', 'setup'],
    setups: {
      database: { config: { session: { maxAge: 1000, updateAge: 300 } } },
      jwt: { strategy: 'jwt', config: { session: { maxAge: 1000 } } },
      'jwt, with tokens of their own age': {
        strategy: 'jwt',
        config: { session: { maxAge: 1000 }, jwt: { maxAge: 1000 } },
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
      for (const [gap, kind] of [[0, 'read'] as const, ...gaps]) {
        world.pass(gap)
        const row = world.rows.sessions[0]
        if (!heldBy(browser)) return
        const reply = kind === 'read' ? await browser.readSession() : await update(world, browser, null)
        world.demand(isSignedIn(reply), 'the session is gone')
        held = endOf(reply) ?? held
        const shown = shownEnd(reply.json)
        const after = world.rows.sessions[0]?.expires.getTime()
        world.demand(held !== undefined, 'the cookie has no expiry')
        const show = (time: number) => new Date(time).toISOString()
        if (row && after !== undefined)
          world.hold(
            'SE-07',
            agree(after, shown),
            `the row expires ${show(after)}, but ${show(shown)} is shown`,
          )
        world.hold(
          'SE-07',
          agree(held ?? 0, shown),
          `the cookie expires ${show(held ?? 0)}, but ${show(shown)} is shown`,
        )
      }
    },
  }),
  property({
    proves: ['SE-13'],
    name: 'an expired session is taken away when somebody comes with it',
    story: 'Rows and cookies of old sessions pile up, to be found.',
    advice: 'Delete the row and clear the cookie when an expired session is read.',
    needs: ['clock', 'store', 'setup'],
    setups: { database: { config: hour } },
    runs: 40,
    input: fc.record({ late: fc.integer({ min: 0, max: 1_000_000 }), times: fc.integer({ min: 1, max: 3 }) }),
    async run(world, { late, times }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const { json } = await browser.readSession()
      world.hold('SE-13', world.rows.sessions.length === 1, 'a good session is taken away')
      const old = sessionOf(browser.cookies())
      goTo(world, shownEnd(json) + late * 1000)
      for (let n = 0; n < times; n++) {
        const reply = await world.send(
          new Request(world.url('session'), { headers: { cookie: headerOf(old) } }),
        )
        const now = world.clock.now()
        const cleared = reply.cookies.filter((cookie) => isCleared(cookie, now)).map(({ key }) => key)
        world.hold('SE-13', world.rows.sessions.length === 0, 'the row of an expired session is still there')
        world.hold(
          'SE-13',
          Object.keys(old).every((name) => cleared.includes(name)),
          'its cookie was not cleared',
        )
      }
    },
  }),
]
