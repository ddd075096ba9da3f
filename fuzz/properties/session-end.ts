import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import { rejecting, throwing } from '../world/fault-plan.ts'
import { bothStrategies, property, type Property } from './property.ts'
import {
  headerOf,
  heldBy,
  isSignedIn,
  plant,
  readWith,
  refuses,
  sessionName,
  sessionOf,
  update,
  holdNoneLeft,
} from './support/sessions.ts'
import { garbageToken } from './support/garbage.ts'

const doors = fc.constantFrom('alpha', 'beta', 'plain')

const denials: Readonly<Record<string, () => unknown>> = {
  refuses: () => false,
  throws() {
    throw new Error('barred')
  },
  rejects: () => Promise.reject(new Error('barred')),
  'sends away': () => '/barred',
}

const hour = { session: { maxAge: 3600 } }

export const sessionEndProperties: readonly Property[] = [
  ...(['database', 'jwt'] as const).map((strategy) =>
    property({
      proves: ['SE-10'],
      name: `after a sign-out the old cookie is no session, wherever it comes from (${strategy})`,
      story: 'Somebody who copied a cookie goes on with the session that its owner ended.',
      advice:
        'Delete the session on the server before the sign-out is answered, and look it up in every request.',
      setups: { [strategy]: { strategy } },
      runs: 50,
      input: fc.record({
        door: doors,
        reads: fc.nat({ max: 2 }),
        how: fc.constantFrom('read', 'update', 'sign-out'),
        callbackUrl: fc.constantFrom(undefined, '/bye', '/auth/signin'),
      }),
      async run(world, { door, reads, how, callbackUrl }) {
        const { ada } = world.people
        const browser = world.browser('ada')
        await browser.signIn(door, ada)
        const copies = [browser.save()]
        for (let n = 0; n < reads; n++) {
          await browser.readSession()
          copies.push(browser.save())
        }
        await browser.signOut(callbackUrl === undefined ? {} : { callbackUrl })
        world.hold(
          'SE-10',
          !isSignedIn(await browser.readSession()),
          'the browser is still signed in after its sign-out',
        )
        if (strategy === 'jwt' && !world.capabilities.has('jwt-revocation')) return
        for (const copy of copies) {
          browser.restore(copy)
          if (how === 'sign-out') await browser.signOut()
          else {
            const reply = how === 'read' ? await browser.readSession() : await update(world, browser, {})
            world.hold('SE-10', !isSignedIn(reply), `a copy of the cookie is still a session (${how})`)
          }
        }
        await world.browser('ada').signIn(door, ada)
      },
    }),
  ),

  property({
    proves: ['SE-11'],
    name: 'signing out of an expired session works like any other',
    story: 'Somebody comes back to a shared machine after a while, and cannot sign out.',
    advice: 'A session that is gone already is signed out.',
    needs: ['clock', 'setup'],
    setups: { database: { config: hour }, jwt: { strategy: 'jwt', config: hour } },
    runs: 20,
    input: fc.integer({ min: 3600, max: 1_000_000 }),
    async run(world, late) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const old = sessionOf(browser.cookies())
      world.pass(late)
      plant(browser, old)
      const reply = await browser.signOut()
      holdNoneLeft(world, browser, reply)
    },
  }),

  property({
    proves: ['SE-12'],
    name: 'a sign-out whose session could not be revoked is not reported as one',
    story: 'The store hiccups; the user leaves the machine, and the session lives on.',
    advice: 'Let a failing deleteSession fail the sign-out.',
    needs: ['faults'],
    runs: 30,
    input: fc.record({
      fault: fc.constantFrom(throwing, rejecting),
      callbackUrl: fc.constantFrom('/bye', '/'),
      asJson: fc.boolean(),
    }),
    async run(world, { fault, callbackUrl, asJson }) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const csrfToken = await browser.csrfToken()
      const copy = browser.save()
      const leave = () =>
        browser.send(`${world.basePath}/signout`, {
          form: { csrfToken, callbackUrl },
          headers: asJson ? { 'x-auth-return-redirect': '1' } : {},
          says: 'signs out',
        })
      world.plan.arm('store.deleteSession', 0, fault)
      const reply = await leave()
      world.demand(world.plan.calls.length > 0, 'the application did not try to revoke the session')
      world.plan.arm('none')
      world.hold(
        'SE-12',
        refuses(reply),
        'the sign-out is reported as done, although the session could not be revoked',
      )
      browser.restore(copy)
      const again = await leave()
      world.hold('SE-12', !refuses(again), 'a sign-out that revokes the session is reported as failed')
    },
  }),

  property({
    proves: ['SE-23'],
    name: 'a denied sign-in is never readable as a session',
    story:
      'Somebody who is barred reads as signed in between the callback and the refusal, or through what is cached.',
    advice: 'Ask the signIn callback before anything is stored or any cookie is set.',
    setups: Object.fromEntries(
      (['database', 'jwt'] as const).flatMap((strategy) =>
        Object.entries(denials).map(([name, signIn]) => [
          `${strategy}, ${name}`,
          { strategy, providers: ['alpha', 'beta', 'plain'], config: { callbacks: { signIn } } } as const,
        ]),
      ),
    ),
    runs: 10,
    input: fc.record({ door: doors, reads: fc.nat({ max: 2 }) }),
    async run(world, { door, reads }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const reply = await browser.arrive(await browser.visit(door, ada))
      world.hold('SE-23', heldBy(browser) === '', 'a denied sign-in sets a session cookie')
      for (let n = 0; n <= reads; n++)
        world.hold(
          'SE-23',
          !isSignedIn(await browser.readSession()),
          'a denied sign-in is readable as a session',
        )
      world.hold('SE-23', world.rows.sessions.length === 0, 'a denied sign-in stored a session')
      world.hold('SE-23', !isSignedIn(reply), 'a denied sign-in answers a session')
    },
  }),

  property({
    proves: ['SE-24'],
    name: 'a sign-out ends the session of its browser, and no other',
    story: 'Somebody ends the sessions of others, by ids that they made up or found.',
    advice: 'Revoke the one session whose secret the request carries.',
    setups: bothStrategies,
    runs: 50,
    reaches: { forged: 8 },
    input: fc.record({
      owners: fc.array(fc.constantFrom('ada', 'bob'), { minLength: 2, maxLength: 4 }),
      leaving: fc.nat({ max: 3 }),
      forged: fc.option(
        fc.oneof(
          garbageToken,
          fc.constantFrom('the user', 'a part', 'more', 'twice', 'in capitals', '%25', '*', '"" or 1=1'),
        ),
      ),
    }),
    async run(world, { owners, leaving, forged }) {
      const browsers: Browser[] = []
      for (const owner of owners) {
        const browser = world.browser(owner)
        await browser.signIn('alpha', world.people[owner])
        browsers.push(browser)
      }
      const victim = browsers[leaving % browsers.length]
      if (!victim) return
      if (forged !== null) {
        const [cookie, held] = [sessionName(world, victim), heldBy(victim)]
        const userId = (world.features.has('store') && world.rows.users[0]?.id) || 'somebody'
        const value =
          {
            'the user': userId,
            'a part': held.slice(0, -1),
            more: `${held}0`,
            twice: held + held,
            'in capitals': held.toUpperCase(),
          }[forged] ?? forged
        const attacker = world.browser('eve')
        const csrfToken = await attacker.csrfToken()
        if (value === held) return
        await attacker.send(`${world.basePath}/signout`, {
          form: { csrfToken },
          headers: {
            cookie: headerOf({
              ...attacker.cookies(),
              [cookie]: value.replaceAll(/[^\x21-\xff]|;/g, '') || 'x',
            }),
          },
          says: 'signs out with a session that nobody issued',
        })
        world.reach('forged')
      } else {
        await victim.signOut()
        const copy = sessionOf(victim.cookies())
        world.hold(
          'SE-24',
          !isSignedIn(await readWith(world, copy)),
          'the session that signed out is still there',
        )
      }
      for (const [n, browser] of browsers.entries()) {
        if (forged === null && browser === victim) continue
        const me = await browser.whoAmI()
        world.hold(
          'SE-24',
          me === owners[n],
          forged === null
            ? 'the sign-out of one browser ended the session of another'
            : 'a forged id ended a session',
        )
      }
    },
  }),
]
