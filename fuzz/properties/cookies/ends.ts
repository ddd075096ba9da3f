import fc from 'fast-check'
import { isCleared } from '../../world/reply.ts'
import { sessionCookie } from '../../monitors/monitor.ts'
import { bothStrategies, property, type Property } from '../property.ts'
import {
  sessionTokenOf,
  isSignedIn,
  plant,
  readWith,
  refuses,
  sessionName,
  sessionOf,
} from '../support/sessions.ts'
import { tour } from '../support/tour.ts'
import { checkCookie, formPost, big, listKept, ways } from '../support/own-cookies.ts'

export const cookieEndsProperties: readonly Property[] = [
  property({
    proves: ['CK-09'],
    name: 'leaves no cookies in the browser after a sign-out',
    story: 'A cookie that cannot be cleared keeps a user signed in, or locks them out.',
    advice: 'Clear a cookie with the same Path, Domain and attributes it was set with.',
    needs: ['setup'],
    setups: {
      ...bothStrategies,
      'in many cookies': { strategy: 'jwt', config: big },
      'with a path': ownOptions({ path: '/auth' }),
      'with a domain': ownOptions({ path: '/', domain: 'app.example' }),
      'with both': ownOptions({ path: '/auth', domain: 'app.example' }),
      'in many, with a path': ownOptions({ path: '/auth' }, { strategy: 'jwt', config: big }),
      partitioned: ownOptions({ path: '/', sameSite: 'none', partitioned: true }),
      form_post: formPost,
    },
    runs: 12,
    input: ways,
    async run(world, { way, method }) {
      const browser = world.browser('ada')
      await tour(
        world,
        browser,
        [...way.filter((step) => !step.startsWith('send')), 'sign out', 'sign in'],
        method,
      )
      const inJar = () => listKept(browser).map(({ key }) => key)
      world.assume(
        inJar().some((name) => sessionCookie.test(name)),
        'the browser has no session to end',
      )
      await browser.signOut()
      const left = inJar().filter((name) => sessionCookie.test(name) || checkCookie.test(name))
      world.check('CK-09', left.length === 0, `after the sign-out the browser still has ${left.join(', ')}`)
      // A cookie jar that mixes host-only cookies with those of the same Domain is more lenient than browsers (RFC 6265bis 5.6).
      const places = new Map<string, string>()
      for (const { reply } of world.replies) {
        for (const cookie of reply.cookies) {
          const isPartitioned = cookie.extensions?.some((each) => /^partitioned$/i.test(each)) ?? false
          const place = `Domain ${cookie.domain ?? 'none'}, Path ${cookie.path ?? 'none'}${isPartitioned ? ', Partitioned' : ''}`
          const setAt = places.get(cookie.key)
          if (!isCleared(cookie, world.clock.now())) places.set(cookie.key, place)
          else
            world.check(
              'CK-09',
              setAt === undefined || setAt === place,
              `${cookie.key} was set with ${setAt ?? ''}, and is cleared with ${place}`,
            )
        }
      }
    },
  }),

  property({
    proves: ['CK-14'],
    name: 'clears check cookies after use, even if the sign-in fails later',
    story: 'A used check cookie remains valid for a second response, chosen by an attacker.',
    advice: 'Clear the check cookies on every exit of a callback.',
    runs: 40,
    setups: { ...bothStrategies, 'parallel sign-ins': { config: { parallelSignIns: true } } },
    input: fc.record({
      method: fc.constantFrom('alpha', 'plain'),
      fault: fc.constantFrom(
        'token:500',
        'token:html',
        'error-with-200',
        'access-token-missing',
        'token-type-mac',
        'token:empty',
        'address-taken',
      ),
    }),
    async run(world, { method, fault }) {
      const browser = world.browser('ada')
      if (fault === 'address-taken') {
        if (world.idOf('mail') === undefined) return
        const other = world.browser('ada')
        world.prove(other, world.people.ada, method)
        await other.followLink(await other.requestLink(world.people.ada.address[method]))
      } else world.idps[method].misbehave(fault)
      const arrival = await browser.visit(method, world.people.ada)
      const used = Object.keys(browser.cookies()).filter(
        (name) => checkCookie.test(name) && !name.includes('nonce'),
      )
      world.assume(used.length > 0, 'the sign-in has no check cookies')
      world.assume(refuses(await browser.arrive(arrival)), 'the sign-in did not fail')
      const left = used.filter((name) => name in browser.cookies())
      world.check(
        'CK-14',
        left.length === 0,
        `after a failed sign-in the browser still has ${left.join(', ')}`,
        { observed: 'a missing protection' },
      )
      if (fault === 'address-taken') return
      world.idps[method].misbehave()
      await browser.signIn(method, world.people.ada)
    },
  }),

  property({
    proves: ['CK-16'],
    name: 'deletes every session cookie in the response to a sign-out',
    story: 'One request renews and ends a session, and the session survives in the browser.',
    advice: 'Make deletion the last Set-Cookie for a cookie.',
    setups: { ...bothStrategies, 'in many cookies': { strategy: 'jwt', config: big } },
    runs: 40,
    input: fc.record({
      reads: fc.nat({ max: 2 }),
      stale: fc.boolean(),
      twice: fc.boolean(),
      wait: fc.constantFrom(0, 90_000, 2_000_000),
    }),
    async run(world, { reads, stale, twice, wait }) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const name = sessionName(world, browser)
      if (world.features.has('clock')) world.advance(wait)
      for (let n = 0; n < reads; n++) await browser.readSession()
      world.assume(sessionTokenOf(browser) !== '', 'there is no session to end')
      if (stale) plant(browser, { [`${name}.7`]: 'stale', [`${name}.8`]: 'chunks' })
      const held = Object.keys(sessionOf(browser.cookies()))
      for (let n = 0; n <= Number(twice); n++) {
        const reply = await browser.signOut()
        const last = new Map(reply.cookies.map((cookie) => [cookie.key, cookie]))
        for (const cookie of last.values())
          if (sessionCookie.test(cookie.key))
            world.check(
              'CK-16',
              isCleared(cookie, Date.now()),
              `the response to a sign-out sets ${cookie.key}`,
            )
        if (n > 0) continue
        const kept = held.filter((each) => !last.has(each))
        world.check(
          'CK-16',
          kept.length === 0,
          `the response to a sign-out does not clear ${kept.join(', ')}`,
        )
      }
      world.assume(!isSignedIn(await readWith(world, browser.cookies())), 'the browser is still signed in')
    },
  }),
]

/** An application with custom options for session and check cookies. */
function ownOptions(options: object, setup: object = {}) {
  const all = { secure: true, httpOnly: true, sameSite: 'lax', ...options }
  const names = ['sessionToken', 'state', 'nonce', 'pkceCodeVerifier'] as const
  const cookies = Object.fromEntries(names.map((name) => [name, { options: all }]))
  const { config = {} } = setup as { config?: object }
  return { ...setup, config: { ...config, cookies } }
}
