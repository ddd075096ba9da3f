import fc from 'fast-check'
import { createRevocationList } from '../../targets/revocation-list.ts'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import { rejecting, returning, throwing } from '../../world/fault-plan.ts'
import { bothStrategies, property, type Property } from '../property.ts'
import {
  headerOf,
  sessionTokenOf,
  isSignedIn,
  plant,
  readWith,
  refuses,
  sessionName,
  sessionOf,
  update,
  checkNoneLeft,
} from '../support/sessions.ts'
import { garbageToken } from '../support/garbage.ts'
import { withRevocations } from '../support/revocations.ts'

const signInMethods = fc.constantFrom('alpha', 'beta', 'plain')

/** An application that can revoke session tokens. */
const revocable: Setup = { strategy: 'jwt', with: { 'jwt-revocation': true } }

const denials: Readonly<Record<string, () => unknown>> = {
  refuses: () => false,
  throws() {
    throw new Error('refused')
  },
  rejects: () => Promise.reject(new Error('refused')),
  redirects: () => '/refused',
}

const hour = { session: { maxAge: 3600 } }

export const sessionEndProperties: readonly Property[] = [
  ...(['database', 'jwt'] as const).map((strategy) =>
    property({
      proves: ['SE-10'],
      name: `rejects the old session cookie after a sign-out (${strategy})`,
      story: 'Somebody with a copied cookie keeps using the session after its owner signs out.',
      advice:
        'Delete the session on the server before you respond to the sign-out, and look it up in every request.',
      setups: withRevocations(strategy),
      runs: 50,
      input: fc.record({
        method: signInMethods,
        reads: fc.nat({ max: 2 }),
        how: fc.constantFrom('read', 'update', 'sign-out'),
        callbackUrl: fc.constantFrom(undefined, '/bye', '/auth/signin'),
      }),
      async run(world, { method, reads, how, callbackUrl }) {
        const { ada } = world.people
        const browser = world.browser('ada')
        await browser.signIn(method, ada)
        const copies = [browser.save()]
        for (let n = 0; n < reads; n++) {
          await browser.readSession()
          copies.push(browser.save())
        }
        await browser.signOut(callbackUrl === undefined ? {} : { callbackUrl })
        world.check(
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
            world.check('SE-10', !isSignedIn(reply), `a copy of the cookie is still a session (${how})`)
          }
        }
        await world.browser('ada').signIn(method, ada)
      },
    }),
  ),

  property({
    proves: ['SE-11'],
    name: 'signs out of an expired session like any other',
    story: 'A user returns to a shared machine after some time, and cannot sign out.',
    advice: 'Treat a missing session as signed out.',
    needs: ['clock', 'setup'],
    setups: { database: { config: hour }, jwt: { strategy: 'jwt', config: hour } },
    runs: 20,
    input: fc.integer({ min: 3600, max: 1_000_000 }),
    async run(world, late) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const old = sessionOf(browser.cookies())
      world.advance(late)
      plant(browser, old)
      const reply = await browser.signOut()
      checkNoneLeft(world, browser, reply)
    },
  }),

  property({
    proves: ['SE-12'],
    name: 'does not report a sign-out whose session could not be revoked as successful',
    story: 'The store fails, the user leaves the machine, and the session remains valid.',
    advice: 'Let a failing deleteSession, or a failing list of revoked tokens, fail the sign-out.',
    needs: ['faults', 'setup'],
    setups: { database: {}, 'jwt with revocations': revocable },
    runs: 30,
    input: fc.record({
      fault: fc.constantFrom(throwing, rejecting),
      callbackUrl: fc.constantFrom('/bye', '/'),
      asJson: fc.boolean(),
    }),
    async run(base, { fault, callbackUrl, asJson }) {
      const revocations = base.plan.watch('revocations', createRevocationList())
      const isJwt = base.strategy === 'jwt'
      const world = isJwt
        ? await base.another({ ...revocable, config: { jwt: { revocations } } }, 'own')
        : base
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const csrfToken = await browser.csrfToken()
      const copy = browser.save()
      const signOut = () =>
        browser.send(`${world.basePath}/signout`, {
          form: { csrfToken, callbackUrl },
          headers: asJson ? { 'x-auth-return-redirect': '1' } : {},
          says: 'signs out',
        })
      world.plan.arm(isJwt ? 'revocations.add' : 'store.deleteSession', 0, fault)
      const reply = await signOut()
      world.assume(world.plan.calls.length > 0, 'the application did not try to revoke the session')
      world.plan.arm('none')
      world.check(
        'SE-12',
        refuses(reply),
        'the sign-out reports success, although the session could not be revoked',
      )
      const isCleared = Object.keys(sessionOf(browser.cookies())).length === 0
      world.check('SE-12', isCleared, 'the browser keeps the session cookie of a sign-out that failed')
      browser.restore(copy)
      const again = await signOut()
      world.check('SE-12', !refuses(again), 'a sign-out that revokes the session reports a failure')
    },
  }),

  property({
    proves: ['SE-23'],
    name: 'exposes no denied sign-in as a session',
    story: 'A banned user appears as signed in between the callback and the refusal, or in a cache.',
    advice: 'Call signIn before you store anything or set any cookie.',
    setups: Object.fromEntries(
      (['database', 'jwt'] as const).flatMap((strategy) =>
        Object.entries(denials).map(([name, signIn]) => [
          `${strategy}, ${name}`,
          { strategy, providers: ['alpha', 'beta', 'plain'], config: { callbacks: { signIn } } } as const,
        ]),
      ),
    ),
    runs: 10,
    input: fc.record({ method: signInMethods, reads: fc.nat({ max: 2 }) }),
    async run(world, { method, reads }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const reply = await browser.arrive(await browser.visit(method, ada))
      world.check('SE-23', sessionTokenOf(browser) === '', 'a denied sign-in sets a session cookie')
      for (let n = 0; n <= reads; n++)
        world.check(
          'SE-23',
          !isSignedIn(await browser.readSession()),
          'a denied sign-in is readable as a session',
        )
      world.check('SE-23', world.rows.sessions.length === 0, 'a denied sign-in stored a session')
      world.check('SE-23', !isSignedIn(reply), 'a denied sign-in returns a session')
    },
  }),

  property({
    proves: ['SE-24'],
    name: 'ends only the session of the browser that signs out',
    story: 'An attacker ends the sessions of others, with ids that they guessed or found.',
    advice: 'Revoke only the session whose token the request contains.',
    setups: bothStrategies,
    runs: 50,
    reaches: { forged: 8 },
    input: fc.record({
      owners: fc.array(fc.constantFrom('ada', 'bob'), { minLength: 2, maxLength: 4 }),
      leaving: fc.nat({ max: 3 }),
      returnsRow: fc.boolean(),
      forged: fc.option(
        fc.oneof(
          garbageToken,
          fc.constantFrom(
            'the user id',
            'a prefix',
            'one more digit',
            'twice',
            'in capitals',
            '%25',
            '*',
            '"" or 1=1',
          ),
        ),
      ),
    }),
    async run(world, { owners, leaving, returnsRow, forged }) {
      const browsers: Browser[] = []
      for (const owner of owners) {
        const browser = world.browser(owner)
        await browser.signIn('alpha', world.people[owner])
        browsers.push(browser)
      }
      const victim = browsers[leaving % browsers.length]
      if (!victim) return
      if (forged !== null) {
        const [cookie, held] = [sessionName(world, victim), sessionTokenOf(victim)]
        const userId = (world.features.has('store') && world.rows.users[0]?.id) || 'somebody'
        const value =
          {
            'the user id': userId,
            'a prefix': held.slice(0, -1),
            'one more digit': `${held}0`,
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
          says: 'signs out with a forged session',
        })
        world.reach('forged')
      } else {
        // Stores may return the row that they delete, with the id of its user.
        if (returnsRow && world.features.has('faults')) {
          const row = world.rows.sessions.find(({ sessionToken }) => sessionToken === sessionTokenOf(victim))
          world.plan.arm(
            'store.deleteSession',
            0,
            returning('the deleted row', () => row),
          )
        }
        await victim.signOut()
        const copy = sessionOf(victim.cookies())
        world.check(
          'SE-24',
          !isSignedIn(await readWith(world, copy)),
          'the session still works after its sign-out',
        )
      }
      for (const [n, browser] of browsers.entries()) {
        if (forged === null && browser === victim) continue
        const me = await browser.whoAmI()
        world.check(
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
