import fc from 'fast-check'
import { member } from '../world/reply.ts'
import { bothStrategies, property, type Property } from './property.ts'
import { heldBy, isSignedIn, issuedBy, moveTo, plant, sessionName, sessionOf } from './support/sessions.ts'
import { loaded, named, plain, sizes, load } from './support/ballast.ts'

export const cookieLeftoverProperties: readonly Property[] = [
  property({
    proves: ['CK-05'],
    name: 'a session that grows and shrinks leaves no old piece behind',
    story:
      'A piece of an older, longer session is read with the new one, and the user is signed out for good.',
    advice:
      'When the session cookie is written, clear every piece that the request carried and that is not written.',
    needs: ['setup'],
    setups: { jwt: loaded },
    runs: 40,
    input: fc.array(fc.oneof(fc.constantFrom(0, 6000, 12_000, 2500), sizes), { minLength: 2, maxLength: 5 }),
    async run(world, lengths) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      for (const length of lengths) {
        const { reply, ballast } = await load(world, browser, length)
        world.demand(isSignedIn(reply), 'so long a session is refused')
        const issued = new Set(issuedBy(reply).map(({ key }) => key))
        const stale = Object.keys(sessionOf(browser.cookies())).filter(
          (name) => issued.size > 0 && !issued.has(name),
        )
        world.hold('CK-05', stale.length === 0, `${stale.join(', ')} of an older session is still there`)
        const { json } = await browser.readSession()
        world.hold(
          'CK-05',
          member(json, 'ballast') === ballast,
          'after a change of size the session is another, or none',
        )
      }
      const again = await browser.arrive(await browser.visit('alpha', world.people.ada))
      world.demand(issuedBy(again).length > 0, 'a second sign-in issued nothing')
      world.hold(
        'CK-05',
        isSignedIn(await browser.readSession()),
        'right after a sign-in nobody is signed in',
      )
    },
  }),

  property({
    proves: ['CK-05'],
    name: 'whatever was left behind by another configuration, a sign-in works at once',
    story: 'After a deployment with other cookies, users who were signed in before can never sign in again.',
    advice: 'Clear what belongs to the session cookie, in one piece or many, whenever a session is issued.',
    needs: ['setup'],
    setups: { database: {}, jwt: loaded, 'another name': named('__Secure-app.session-token', plain) },
    runs: 30,
    input: fc.record({
      length: fc.constantFrom(0, 6000, 12_000),
      next: fc.constantFrom('database', 'jwt', 'another name', 'a longer name', 'a shorter name'),
      door: fc.constantFrom('alpha', 'plain'),
    }),
    async run(world, { length, next, door }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      if (length > 0) await load(world, browser, length)
      const name = sessionName(world, browser)
      const setups = {
        database: {},
        jwt: loaded,
        'another name': named('__Secure-renamed.session-token', plain),
        'a longer name': {
          config: {
            cookies: { sessionToken: { name: `${name.replace(/session-token$/, '')}x.session-token` } },
          },
        },
        'a shorter name': {
          config: {
            cookies: { sessionToken: { name: name.replace(/[\w]+\.session-token$/, 'session-token') } },
          },
        },
      } as const
      const other = await world.another(setups[next], 'same')
      const moved = moveTo(other, browser, ada)
      const reply = await moved.arrive(await moved.visit(door, ada))
      world.demand(issuedBy(reply).length > 0, 'the sign-in issued no session')
      world.hold('CK-05', isSignedIn(await moved.readSession()), 'right after a sign-in nobody is signed in')
    },
  }),

  property({
    proves: ['CK-05'],
    name: 'old pieces of any kind beside it do not keep a sign-in from working',
    story: 'What a crash left in a browser locks its user out.',
    advice: 'Clear what belongs to the session cookie, in one piece or many, whenever a session is issued.',
    setups: bothStrategies,
    runs: 30,
    input: fc.uniqueArray(fc.constantFrom('', '.0', '.1', '.2', '.7'), { minLength: 1 }),
    async run(world, endings) {
      const other = world.browser('eve')
      await other.signIn('alpha', world.people.eve)
      const name = sessionName(world, other)
      const browser = world.browser('ada')
      plant(browser, Object.fromEntries(endings.map((ending) => [`${name}${ending}`, 'left-behind'])))
      const reply = await browser.arrive(await browser.visit('alpha', world.people.ada))
      world.demand(issuedBy(reply).length > 0, 'the sign-in issued no session')
      world.hold(
        'CK-05',
        isSignedIn(await browser.readSession()),
        'right after a sign-in nobody is signed in',
      )
      const issued = new Set(issuedBy(reply).map(({ key }) => key))
      const stale = Object.keys(sessionOf(browser.cookies())).filter((each) => !issued.has(each))
      world.hold('CK-05', stale.length === 0, `${stale.join(', ')} is still there`)
    },
  }),

  property({
    proves: ['CK-05', 'CK-07'],
    name: 'an old piece that a sign-in cannot reach does not outdo the session in one piece',
    story:
      'After a deployment with another Path or Domain, what is left of a longer session keeps its user out for good.',
    advice: 'Read the cookie in one piece where there is one, and pieces only without it.',
    setups: bothStrategies,
    runs: 40,
    reaches: { 'the path of the routes': 8, 'the whole domain': 8, 'its own place': 8 },
    input: fc.record({
      endings: fc.uniqueArray(fc.constantFrom('.0', '.1', '.2'), { minLength: 1 }),
      where: fc.constantFrom('the path of the routes', 'the whole domain', 'its own place'),
      isForeign: fc.boolean(),
      reads: fc.integer({ min: 1, max: 3 }),
    }),
    async run(world, { endings, where, isForeign, reads }) {
      const { ada, eve } = world.people
      const other = world.browser('eve')
      await other.signIn('alpha', eve)
      const name = sessionName(world, other)
      const old = isForeign ? heldBy(other) : 'left-behind'
      const browser = world.browser('ada')
      const attributes = {
        'the path of the routes': `Path=${world.basePath}`,
        'the whole domain': `Path=/; Domain=${new URL(world.origin).hostname}`,
        'its own place': 'Path=/',
      }[where]
      const leave = () => {
        for (const ending of endings)
          browser.setCookie(`${name}${ending}=${old}; ${attributes}; Secure; HttpOnly; SameSite=Lax`)
      }
      // A response to another tab, which was on its way during the sign-in, leaves what that would have cleared.
      if (where !== 'its own place') leave()
      const reply = await browser.arrive(await browser.visit('alpha', ada))
      if (where === 'its own place') leave()
      world.demand(
        issuedBy(reply).some(({ key }) => key === name),
        'the sign-in issued no session in one piece',
      )
      world.reach(where)
      for (let read = 0; read < reads; read++) {
        const session = await browser.readSession()
        const left = `beside ${endings.join(', ')} of ${where}`
        const shown = member(session.json, 'user', 'name')
        world.hold('CK-05', shown === ada.name, `after a sign-in ${left} the session is ${session.text}`)
        const isStale = endings.some((ending) => `${name}${ending}` in browser.cookies())
        const isWritten = where === 'its own place' && issuedBy(session).length > 0
        world.hold(
          'CK-05',
          !isWritten || !isStale,
          'an old piece is still there after the session was written',
        )
      }
    },
  }),
]
