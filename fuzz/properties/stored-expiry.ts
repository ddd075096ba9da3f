import fc from 'fast-check'
import { answering, type Fault } from '../world/fault-plan.ts'
import { member, type Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { isSignedIn, issuedBy, update } from './support/sessions.ts'

/** A store that keeps no session for longer than these seconds, whatever it is asked, and answers what it keeps. */
function keepingFor(world: World, seconds: number) {
  return answering(`an expiry that is at most ${seconds} s away`, (answer) => {
    const latest = world.clock.now() + seconds * 1000
    const keep = <Row extends { readonly expires: Date }>(row: Row): Row =>
      row.expires.getTime() > latest ? { ...row, expires: new Date(latest) } : row
    world.rows.sessions = world.rows.sessions.map(keep)
    return keep(answer as { readonly expires: Date })
  })
}

/** Somebody deletes the sessions, and their user maybe, just before the store is asked to extend one. */
function leaving(world: World, how: string, isUserGone: boolean): Fault {
  return {
    name: `comes too late, and answers ${how}`,
    async apply(work) {
      world.rows.sessions = []
      if (isUserGone) world.rows.users = []
      if (how === 'a failure') throw new Error('no row was found')
      const answer = await work()
      return how === 'nothing' ? undefined : answer
    },
  }
}

/** When the session cookie of a reply ends, by RFC 6265: milliseconds since 1970. */
function cookieEnd(world: World, reply: Reply): number {
  const [cookie] = issuedBy(reply)
  if (typeof cookie?.maxAge === 'number') return world.clock.now() + cookie.maxAge * 1000
  return cookie?.expires instanceof Date ? cookie.expires.getTime() : Number.NaN
}

export const storedExpiryProperties: readonly Property[] = [
  property({
    proves: ['SE-07', 'SE-25'],
    name: 'what the store keeps for an expiry is what cookie and body tell',
    story: 'A store caps the life of sessions, and pages show one that ended an hour ago as good.',
    advice: 'Go on with the row that the store answers, not with the one that it was asked for.',
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
      world.plan.arm(`store.${call}`, 0, keepingFor(world, cap))
      let reply = await browser.arrive(arrival)
      if (kind !== 'sign-in') {
        world.pass(gap)
        reply = kind === 'read' ? await browser.readSession() : await update(world, browser, null)
      }
      world.demand(world.plan.calls.length > 0, 'the store was not asked to keep a session')
      world.reach('capped')
      world.plan.arm('none')
      const kept = world.rows.sessions[0]?.expires.getTime() ?? Number.NaN
      const show = (time: number) => (Number.isNaN(time) ? 'never' : new Date(time).toISOString())
      const isSame = (time: number) => Math.abs(time - kept) <= 1000
      const told = cookieEnd(world, reply)
      world.hold('SE-07', isSame(told), `the row expires ${show(kept)}, but the cookie ${show(told)}`)
      if (kind === 'sign-in') return
      world.demand(isSignedIn(reply), 'the session is gone')
      const shown = Date.parse(String(member(reply.json, 'expires')))
      world.hold('SE-07', isSame(shown), `the row expires ${show(kept)}, but ${show(shown)} is shown`)
    },
  }),

  property({
    proves: ['SE-25', 'SE-07'],
    name: 'a session whose row goes while it is read is shown to nobody',
    story: 'Somebody is signed out everywhere, and a page that loads at that moment stays signed in.',
    advice: 'Show a session only after the store has answered the row that it extended.',
    needs: ['faults', 'clock', 'store', 'setup'],
    setups: { database: { config: { session: { maxAge: 1000, updateAge: 0 } } } },
    runs: 40,
    reaches: { gone: 20 },
    input: fc.record({
      gap: fc.integer({ min: 1, max: 900 }),
      kind: fc.constantFrom('read', 'update'),
      how: fc.constantFrom('null', 'nothing', 'a failure'),
      isUserGone: fc.boolean(),
    }),
    async run(world, { gap, kind, how, isUserGone }) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      world.pass(gap)
      world.plan.arm('store.updateSession', 0, leaving(world, how, isUserGone))
      const reply = kind === 'read' ? await browser.readSession() : await update(world, browser, null)
      world.demand(world.plan.calls.length > 0, 'the store was not asked to extend the session')
      world.plan.arm('none')
      world.reach('gone')
      const what = `the row is gone, and updateSession answered ${how}`
      world.hold('SE-25', !isSignedIn(reply), `${what}, but ${reply.text.slice(0, 100)} is shown`)
      world.hold('SE-07', issuedBy(reply).length === 0, `${what}, but its cookie was set again`)
      world.hold('SE-25', !isSignedIn(await browser.readSession()), `${what}, but the session goes on`)
    },
  }),

  property({
    proves: ['SE-06'],
    name: 'a session goes on when the store extends it and does not say so',
    story:
      'The adapter of some database answers nothing to an update, and everybody is signed out after a day.',
    advice: 'Read the row again where the store answers none; it is gone when it is not there.',
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
        world.pass(gap)
        world.plan.arm(
          'store.updateSession',
          0,
          answering(`${how} when all is well`, () => how),
        )
        const reply = kind === 'read' ? await browser.readSession() : await update(world, browser, null)
        world.demand(world.plan.calls.length > 0, 'the store was not asked to extend the session')
        world.plan.arm('none')
        const what = `the row was extended, and updateSession answered ${how}`
        world.hold('SE-06', isSignedIn(reply), `${what}: nobody is signed in any more`)
        const end = world.rows.sessions[0]?.expires.getTime()
        world.hold('SE-06', end === world.clock.now() + 1_000_000, `${what}: the row is not extended`)
      }
    },
  }),
]
