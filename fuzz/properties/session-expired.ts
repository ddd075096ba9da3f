import fc from 'fast-check'
import { isCleared, member } from '../world/reply.ts'
import { property, type Property } from './property.ts'
import { headerOf, isSignedIn, plant, sessionOf, update } from './support/sessions.ts'
import { shownEnd, goTo } from './support/session-times.ts'

const hour = { session: { maxAge: 3600, updateAge: 3600 } }

export const sessionExpiredProperties: readonly Property[] = [
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
    name: 'an expired session keeps nobody from coming in',
    story: 'Whoever comes back after a holiday is answered with an error until they delete their cookies.',
    advice: 'Treat a session that expired as none, also where a sign-in begins.',
    needs: ['clock'],
    setups: {
      database: { config: hour },
      jwt: { strategy: 'jwt', config: hour },
      'jwt, store': { strategy: 'jwt', config: { ...hour, adapter: true } },
    },
    runs: 12,
    input: fc.record({
      door: fc.constantFrom('alpha' as const, 'plain' as const),
      late: fc.integer({ min: 1, max: 1_000_000 }),
    }),
    async run(world, { door, late }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(door, ada)
      const old = sessionOf(browser.cookies())
      world.pass(3600 + late)
      plant(browser, old)
      const { location } = await browser.start(door)
      const isAway = location !== undefined && location.origin !== world.origin
      world.hold('SE-04', isAway, `with an expired session a sign-in leads to ${location?.href}`)
      plant(browser, old)
      await browser.signIn(door, ada)
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
