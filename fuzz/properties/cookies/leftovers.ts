import fc from 'fast-check'
import { member } from '../../world/reply.ts'
import { bothStrategies, property, type Property } from '../property.ts'
import {
  sessionTokenOf,
  isSignedIn,
  issuedBy,
  moveTo,
  plant,
  sessionName,
  sessionOf,
} from '../support/sessions.ts'
import { loaded, named, plain, sizes, load } from '../support/padding.ts'

const whereabouts = ['the path of the routes', 'the whole domain', 'the usual place'] as const

export const cookieLeftoverProperties: readonly Property[] = [
  property({
    proves: ['CK-05'],
    name: 'removes stale chunks when a session grows or shrinks',
    story:
      'A chunk of an older, longer session is read with the new one, and the user is signed out for good.',
    advice: 'When you write the session cookie, clear every chunk in the request that you do not rewrite.',
    needs: ['setup'],
    setups: { jwt: loaded },
    runs: 40,
    input: fc.array(fc.oneof(fc.constantFrom(0, 4000, 5500, 2500), sizes), { minLength: 2, maxLength: 5 }),
    async run(world, lengths) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      for (const length of lengths) {
        const { reply, padding } = await load(world, browser, length)
        world.assume(isSignedIn(reply), 'a session of this length is refused')
        const issued = new Set(issuedBy(reply).map(({ key }) => key))
        const stale = Object.keys(sessionOf(browser.cookies())).filter(
          (name) => issued.size > 0 && !issued.has(name),
        )
        world.check('CK-05', stale.length === 0, `${stale.join(', ')} of an older session is still there`)
        const { json } = await browser.readSession()
        world.check(
          'CK-05',
          member(json, 'padding') === padding,
          'after a change of size the session is changed or gone',
        )
      }
      const again = await browser.arrive(await browser.visit('alpha', world.people.ada))
      world.assume(issuedBy(again).length > 0, 'a second sign-in issued nothing')
      world.check(
        'CK-05',
        isSignedIn(await browser.readSession()),
        'nobody is signed in right after a sign-in',
      )
    },
  }),

  property({
    proves: ['CK-05'],
    name: 'signs a user in despite cookies from an earlier configuration',
    story: 'After a deployment changes the cookies, users who were signed in before can never sign in again.',
    advice: 'Clear the session cookie and all its chunks whenever you issue a session.',
    needs: ['setup'],
    setups: { database: {}, jwt: loaded, 'another name': named('__Secure-app.session-token', plain) },
    runs: 30,
    input: fc.record({
      length: fc.constantFrom(0, 4000, 5500),
      next: fc.constantFrom('database', 'jwt', 'another name', 'a longer name', 'a shorter name'),
      method: fc.constantFrom('alpha', 'plain'),
    }),
    async run(world, { length, next, method }) {
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
      const reply = await moved.arrive(await moved.visit(method, ada))
      world.assume(issuedBy(reply).length > 0, 'the sign-in issued no session')
      world.check('CK-05', isSignedIn(await moved.readSession()), 'nobody is signed in right after a sign-in')
    },
  }),

  property({
    proves: ['CK-05'],
    name: 'signs a user in despite stale session chunks',
    story: 'Cookies that remain in a browser after a crash lock its user out.',
    advice: 'Clear the session cookie and all its chunks whenever you issue a session.',
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
      world.assume(issuedBy(reply).length > 0, 'the sign-in issued no session')
      world.check(
        'CK-05',
        isSignedIn(await browser.readSession()),
        'nobody is signed in right after a sign-in',
      )
      const issued = new Set(issuedBy(reply).map(({ key }) => key))
      const stale = Object.keys(sessionOf(browser.cookies())).filter((each) => !issued.has(each))
      world.check('CK-05', stale.length === 0, `${stale.join(', ')} is still there`)
    },
  }),

  property({
    proves: ['CK-05'],
    name: 'prefers the unchunked session cookie over stale chunks it cannot clear',
    story:
      'After a deployment changes Path or Domain, stale chunks of a longer session lock the user out for good.',
    advice: 'Read the unchunked cookie if there is one, and chunks only otherwise.',
    setups: bothStrategies,
    runs: 40,
    reaches: { 'the path of the routes': 8, 'the whole domain': 8, 'the usual place': 8 },
    parts: whereabouts.map((where) => ({ where })),
    input: fc.record({
      endings: fc.uniqueArray(fc.constantFrom('.0', '.1', '.2'), { minLength: 1 }),
      where: fc.constantFrom(...whereabouts),
      isForeign: fc.boolean(),
      reads: fc.integer({ min: 1, max: 3 }),
    }),
    async run(world, { endings, where, isForeign, reads }) {
      const { ada, eve } = world.people
      const other = world.browser('eve')
      await other.signIn('alpha', eve)
      const name = sessionName(world, other)
      const old = isForeign ? sessionTokenOf(other) : 'left-behind'
      const browser = world.browser('ada')
      const attributes = {
        'the path of the routes': `Path=${world.basePath}`,
        'the whole domain': `Path=/; Domain=${new URL(world.origin).hostname}`,
        'the usual place': 'Path=/',
      }[where]
      const leave = () => {
        for (const ending of endings)
          browser.setCookie(`${name}${ending}=${old}; ${attributes}; Secure; HttpOnly; SameSite=Lax`)
      }
      // A response to another tab, pending during the sign-in, may leave a cookie behind that the sign-in would have cleared.
      if (where !== 'the usual place') leave()
      const reply = await browser.arrive(await browser.visit('alpha', ada))
      if (where === 'the usual place') leave()
      world.assume(
        issuedBy(reply).some(({ key }) => key === name),
        'the sign-in issued a chunked session',
      )
      world.reach(where)
      for (let read = 0; read < reads; read++) {
        const session = await browser.readSession()
        const names = endings.map((ending) => `${name}${ending}`).join(', ')
        const shown = member(session.json, 'user', 'name')
        const observed = shown === undefined ? 'a sign-out' : 'a session'
        const says = `${endings.length === 1 ? 'a leftover cookie' : 'leftover cookies'} ${names} (${attributes}) ${endings.length === 1 ? 'makes' : 'make'} a new session ${session.text}`
        world.check('CK-05', shown === ada.name, says, { observed })
        const isStale = endings.some((ending) => `${name}${ending}` in browser.cookies())
        const isWritten = where === 'the usual place' && issuedBy(session).length > 0
        world.check(
          'CK-05',
          !isWritten || !isStale,
          'an old chunk is still there after the session was written',
        )
      }
    },
  }),
]
