import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import type { Fault } from '../../world/fault-plan.ts'
import { isCleared, member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { headerOf, isSignedIn, plant, sessionOf, update } from '../support/sessions.ts'
import { shownEnd, goTo } from '../support/session-times.ts'

const hour = { session: { maxAge: 3600, updateAge: 3600 } }

const slow: Fault = {
  name: 'takes effect later',
  async apply(work) {
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    return work()
  },
}

export const sessionExpiredProperties: readonly Property[] = [
  property({
    proves: ['SE-04'],
    name: 'ignores an expired session for reads, updates, linking and events',
    story: 'An attacker finds a cookie that expired long ago, and links their own account to its user.',
    advice: 'Compare the expiry with the clock in every session lookup, not only when you show the session.',
    needs: ['clock', 'hooks'],
    setups: {
      database: { config: hour },
      jwt: { strategy: 'jwt', config: { ...hour, adapter: true } },
    },
    runs: 40,
    reaches: { link: 5, update: 2, read: 2 },
    input: fc.record({
      path: fc.constantFrom('read', 'update', 'link', 'link started before the expiry'),
      // Another property covers the exact moment.
      late: fc.integer({ min: 61, max: 1_000_000 }),
    }),
    async run(world, { path, late }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const seconds = Math.ceil((shownEnd((await browser.readSession()).json) - world.clock.now()) / 1000)
      const old = sessionOf(browser.cookies())
      const started = path === 'link started before the expiry'
      // The pending sign-in returns as late as it may.
      if (started) world.advance(seconds - 100)
      plant(browser, old)
      const visit = started ? await browser.visit('beta', ada) : undefined
      world.advance(started ? 100 + Math.min(late, 700) : seconds + late)
      plant(browser, old)
      world.recorded.events.length = 0
      if (path === 'read' || path === 'update') {
        const reply = path === 'read' ? await browser.readSession() : await update(world, browser, {}, {})
        world.check('SE-04', !isSignedIn(reply), `the expired session is still signed in (${path})`)
        const events = world.recorded.events.map(({ event }) => event)
        world.check('SE-04', !events.includes('session'), 'a session event reports an expired session')
      } else {
        const arrival = visit ?? (await browser.visit('beta', ada))
        plant(browser, old)
        await browser.arrive(arrival)
        const { json } = await browser.readSession()
        const address = member(json, 'user', 'email')
        world.check(
          'SE-04',
          address === undefined || address === ada.address.beta,
          'the account was linked to the user of a session that had expired',
        )
        const owners = new Set(world.rows.accounts.map(({ userId }) => userId))
        world.check(
          'SE-04',
          owners.size === world.rows.accounts.length,
          'a new account was linked over an expired session',
        )
        world.assume(address === ada.address.beta, 'the sign-in over an expired session failed')
      }
      world.reach(started ? 'link' : path)
    },
  }),

  property({
    proves: ['SE-04'],
    name: 'lets a user with an expired session sign in again',
    story: 'A user who returns from a holiday gets errors until they delete their cookies.',
    advice: 'Treat an expired session as missing, also when a sign-in starts.',
    needs: ['clock'],
    setups: {
      database: { config: hour },
      jwt: { strategy: 'jwt', config: hour },
      'jwt, store': { strategy: 'jwt', config: { ...hour, adapter: true } },
    },
    runs: 12,
    input: fc.record({
      method: fc.constantFrom('alpha' as const, 'plain' as const),
      late: fc.integer({ min: 1, max: 1_000_000 }),
    }),
    async run(world, { method, late }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(method, ada)
      const old = sessionOf(browser.cookies())
      world.advance(3600 + late)
      plant(browser, old)
      const { location } = await browser.start(method)
      const isAway = location !== undefined && location.origin !== world.origin
      world.check('SE-04', isAway, `with an expired session, a sign-in redirects to ${location?.href}`)
      plant(browser, old)
      const reply = await browser.arrive(await browser.visit(method, ada))
      const isIn = (await browser.whoAmI()) === ada.name
      world.check('SE-04', isIn, `with an expired session, a sign-in ends at ${reply.location?.href}`)
    },
  }),

  property({
    proves: ['SE-04'],
    name: 'registers no passkey in an expired session',
    story: 'An attacker finds an expired cookie, and registers their own passkey for its user.',
    advice: 'Require a live session in the WebAuthn routes too.',
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
      const live = await browser.send(options, { says: 'requests passkey options' })
      world.assume(
        query === '' || live.text.includes(ada.address.alpha),
        'a live session gets no passkey options',
      )
      const { json } = await browser.readSession()
      const old = sessionOf(browser.cookies())
      goTo(world, shownEnd(json) + late * 1000)
      plant(browser, old)
      const reply = await browser.send(options, { says: 'requests passkey options' })
      world.check(
        'SE-04',
        member(reply.json, 'action') !== 'register',
        'an expired session gets options to register a passkey',
      )
      world.check('SE-04', !reply.text.includes(ada.address.alpha), 'an expired session shows its user')
    },
  }),

  property({
    proves: ['SE-13'],
    name: 'deletes an expired session when a request contains it',
    story: 'Rows and cookies of old sessions accumulate, and an attacker finds them.',
    advice: 'Delete the row and clear the cookie when you read an expired session.',
    needs: ['clock', 'store', 'setup'],
    setups: { database: { config: hour } },
    runs: 40,
    input: fc.record({
      late: fc.integer({ min: 0, max: 1_000_000 }),
      times: fc.integer({ min: 1, max: 3 }),
      isSlow: fc.boolean(),
    }),
    async run(world, { late, times, isSlow }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const { json } = await browser.readSession()
      world.check('SE-13', world.rows.sessions.length === 1, 'a valid session is cleared')
      const old = sessionOf(browser.cookies())
      goTo(world, shownEnd(json) + late * 1000)
      // Serverless platforms stop work that continues after the response.
      if (isSlow && world.features.has('faults')) world.plan.arm('store.deleteSession', 0, slow)
      for (let n = 0; n < times; n++) {
        const reply = await world.send(
          new Request(world.url('session'), { headers: { cookie: headerOf(old) } }),
        )
        const now = world.clock.now()
        const cleared = reply.cookies.filter((cookie) => isCleared(cookie, now)).map(({ key }) => key)
        world.check('SE-13', world.rows.sessions.length === 0, 'the row of an expired session is still there')
        world.check(
          'SE-13',
          Object.keys(old).every((name) => cleared.includes(name)),
          'the cookie of an expired session was not cleared',
        )
      }
    },
  }),
]
