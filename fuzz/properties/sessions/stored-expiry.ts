import fc from 'fast-check'
import { returning, type Fault } from '../../world/fault-plan.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { isSignedIn, issuedBy, update } from '../support/sessions.ts'

/** A store that caps the lifetime of sessions at these seconds, and returns what it stored. */
function capLifetime(world: World, seconds: number) {
  return returning(`an expiry that is at most ${seconds} s away`, (result) => {
    const latest = world.clock.now() + seconds * 1000
    const keep = <Row extends { readonly expires: Date }>(row: Row): Row =>
      row.expires.getTime() > latest ? { ...row, expires: new Date(latest) } : row
    world.rows.sessions = world.rows.sessions.map(keep)
    return keep(result as { readonly expires: Date })
  })
}

/** Deletes the sessions, and perhaps their user, just before the store extends one. */
function deleteFirst(world: World, how: string, isUserGone: boolean): Fault {
  return {
    name: `finds no session, and returns ${how}`,
    async apply(work) {
      // The session is read from the replica, which loses the row later.
      if (how === 'null, while a replica has the row') return null
      world.rows.sessions = []
      if (isUserGone) world.rows.users = []
      if (how === 'a failure') throw new Error('The row was not found')
      const result = await work()
      return how === 'nothing' ? undefined : result
    },
  }
}

/** The expiry of the session cookie in a response, by RFC 6265: milliseconds since 1970. */
function cookieEnd(world: World, reply: Reply): number {
  const [cookie] = issuedBy(reply)
  if (typeof cookie?.maxAge === 'number') return world.clock.now() + cookie.maxAge * 1000
  return cookie?.expires instanceof Date ? cookie.expires.getTime() : Number.NaN
}

export const storedExpiryProperties: readonly Property[] = [
  property({
    proves: ['SE-07'],
    name: 'reports the stored expiry in cookie and body',
    story: 'A store caps the lifetime of sessions, and pages show a session that ended an hour ago.',
    advice: 'Continue with the row that the store returns, not with the one you sent.',
    needs: ['faults', 'clock', 'store', 'setup'],
    setups: { database: { config: { session: { maxAge: 1000, updateAge: 0 } } } },
    runs: 30,
    reaches: { capped: 15 },
    input: fc.record({
      cap: fc.integer({ min: 400, max: 990 }),
      gap: fc.integer({ min: 1, max: 300 }),
      kind: fc.constantFrom('sign-in', 'read', 'update'),
    }),
    async run(world, { cap, gap, kind }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const arrival = await browser.visit('alpha', ada)
      const call = kind === 'sign-in' ? 'createSession' : 'updateSession'
      world.plan.arm(`store.${call}`, 0, capLifetime(world, cap))
      let reply = await browser.arrive(arrival)
      if (kind !== 'sign-in') {
        world.advance(gap)
        reply = kind === 'read' ? await browser.readSession() : await update(world, browser, null)
      }
      world.assume(world.plan.calls.length > 0, 'the store was not called to store a session')
      world.reach('capped')
      world.plan.arm('none')
      const kept = world.rows.sessions[0]?.expires.getTime() ?? Number.NaN
      const show = (time: number) => (Number.isNaN(time) ? 'never' : new Date(time).toISOString())
      const isSame = (time: number) => Math.abs(time - kept) <= 1000
      const inCookie = cookieEnd(world, reply)
      world.check(
        'SE-07',
        isSame(inCookie),
        `the row expires ${show(kept)}, but the cookie ${show(inCookie)}`,
      )
      if (kind === 'sign-in') return
      world.assume(isSignedIn(reply), 'the session is gone')
      const shown = Date.parse(String(member(reply.json, 'expires')))
      world.check('SE-07', isSame(shown), `the row expires ${show(kept)}, but ${show(shown)} is shown`)
    },
  }),

  property({
    proves: ['SE-25', 'SE-07', 'DEC-17d'],
    name: 'shows no session whose row is deleted while it is read',
    story: 'A user is signed out everywhere, and a page that loads at that moment stays signed in.',
    advice: 'Show a session only after the store has returned the extended row.',
    needs: ['faults', 'clock', 'store', 'setup'],
    setups: { database: { config: { session: { maxAge: 1000, updateAge: 0 } } } },
    runs: 40,
    reaches: { gone: 20 },
    input: fc.record({
      gap: fc.integer({ min: 1, max: 900 }),
      kind: fc.constantFrom('read', 'update'),
      how: fc.constantFrom('null', 'null, while a replica has the row', 'nothing', 'a failure'),
      isUserGone: fc.boolean(),
    }),
    async run(world, { gap, kind, how, isUserGone }) {
      // What the application learns about its store from the first deleted row must not keep the second session alive.
      // It belongs to another user, because the account of a deleted one may remain.
      const { ada, bob } = world.people
      for (const person of [ada, bob]) {
        const browser = world.browser(person.name)
        await browser.signIn('alpha', person)
        world.advance(gap)
        world.plan.arm('store.updateSession', 0, deleteFirst(world, how, isUserGone))
        const reply = kind === 'read' ? await browser.readSession() : await update(world, browser, null)
        world.assume(world.plan.calls.length > 0, 'the store was not called to extend the session')
        world.plan.arm('none')
        world.rows.sessions = []
        world.reach('gone')
        const what = `the row is gone, and updateSession returned ${how}`
        const row = how.startsWith('null') ? 'DEC-17d' : 'SE-25'
        world.check(row, !isSignedIn(reply), `${what}, but ${reply.text.slice(0, 100)} is shown`)
        world.check('SE-07', issuedBy(reply).length === 0, `${what}, but its cookie was set again`)
        world.check('SE-25', !isSignedIn(await browser.readSession()), `${what}, but the session continues`)
      }
    },
  }),

  property({
    proves: ['SE-06'],
    name: 'extends a session when the store returns nothing from an update',
    story: 'A database adapter returns nothing from an update, and every user is signed out after a day.',
    advice: 'If the store returns nothing, read the row again. If it is missing, the session has ended.',
    needs: ['faults', 'clock', 'store', 'setup'],
    setups: { database: { config: { session: { maxAge: 1000, updateAge: 0 } } } },
    runs: 20,
    input: fc.record({
      gaps: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 4 }),
      kind: fc.constantFrom('read', 'update'),
      how: fc.constantFrom(null, undefined),
    }),
    async run(world, { gaps, kind, how }) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      for (const gap of gaps) {
        world.advance(gap)
        world.plan.arm(
          'store.updateSession',
          0,
          returning(`${how} although the update succeeded`, () => how),
        )
        const reply = kind === 'read' ? await browser.readSession() : await update(world, browser, null)
        world.assume(world.plan.calls.length > 0, 'the store was not called to extend the session')
        world.plan.arm('none')
        const what = `the row was extended, and updateSession returned ${how}`
        world.check('SE-06', isSignedIn(reply), `${what}: the session is gone`)
        const end = world.rows.sessions[0]?.expires.getTime()
        world.check('SE-06', end === world.clock.now() + 1_000_000, `${what}: the row is not extended`)
      }
    },
  }),
]
