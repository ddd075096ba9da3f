import fc from 'fast-check'
import { isCleared } from '../world/reply.ts'
import { sessionCookie } from '../monitors/monitor.ts'
import { bothStrategies, property, type Property } from './property.ts'
import { heldBy, isSignedIn, plant, readWith, refuses, sessionName, sessionOf } from './support/sessions.ts'
import { tour } from './support/tour.ts'
import { checkCookie, formPost, big, ways } from './support/own-cookies.ts'

interface Kept {
  readonly key: string
  readonly maxAge?: number
  readonly expires?: string
}

export const cookieEndsProperties: readonly Property[] = [
  property({
    proves: ['CK-09'],
    name: 'what was set can be taken away: after a sign-out the jar is empty',
    story: 'A cookie that cannot be cleared keeps somebody signed in, or locks them out.',
    advice: 'Clear a cookie with the Path, Domain and attributes that it was set with.',
    needs: ['setup'],
    setups: {
      ...bothStrategies,
      'in many cookies': { strategy: 'jwt', config: big },
      'with a path': ownOptions({ path: '/auth' }),
      'with a domain': ownOptions({ path: '/', domain: 'app.example' }),
      'with both': ownOptions({ path: '/auth', domain: 'app.example' }),
      'in many, with a path': ownOptions({ path: '/auth' }, { strategy: 'jwt', config: big }),
      form_post: formPost,
    },
    runs: 12,
    input: ways,
    async run(world, { way, door }) {
      const browser = world.browser('ada')
      await tour(
        world,
        browser,
        [...way.filter((step) => !step.startsWith('bring')), 'sign out', 'come in'],
        door,
      )
      const inJar = () => (browser.save() as { cookies: Kept[] }).cookies.filter(lasts).map(({ key }) => key)
      world.demand(
        inJar().some((name) => sessionCookie.test(name)),
        'the browser has no session to end',
      )
      await browser.signOut()
      const left = inJar().filter((name) => sessionCookie.test(name) || checkCookie.test(name))
      world.hold('CK-09', left.length === 0, `after the sign-out the browser still has ${left.join(', ')}`)
      // A jar that takes host-only cookies for those of the same Domain is kinder than browsers (RFC 6265bis 5.6).
      const places = new Map<string, string>()
      for (const { reply } of world.replies) {
        for (const cookie of reply.cookies) {
          const place = `Domain ${cookie.domain ?? 'none'}, Path ${cookie.path ?? 'none'}`
          const setAt = places.get(cookie.key)
          if (!isCleared(cookie, world.clock.now())) places.set(cookie.key, place)
          else
            world.hold(
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
    name: 'checks that were used are taken away, also when the sign-in fails after them',
    story: 'A check that was used waits for the next answer, which an attacker chooses.',
    advice: 'Clear check cookies on every way out of a callback.',
    runs: 40,
    setups: { ...bothStrategies, 'side by side': { config: { parallelSignIns: true } } },
    input: fc.record({
      door: fc.constantFrom('alpha', 'plain'),
      fault: fc.constantFrom(
        'token:500',
        'token:html',
        'error-with-200',
        'access-token-missing',
        'token-type-mac',
        'token:empty',
      ),
    }),
    async run(world, { door, fault }) {
      const browser = world.browser('ada')
      world.idps[door].misbehave(fault)
      const arrival = await browser.visit(door, world.people.ada)
      const used = Object.keys(browser.cookies()).filter(
        (name) => checkCookie.test(name) && !name.includes('nonce'),
      )
      world.demand(used.length > 0, 'the sign-in has no check cookies')
      world.demand(refuses(await browser.arrive(arrival)), 'the sign-in did not fail')
      const left = used.filter((name) => name in browser.cookies())
      world.hold(
        'CK-14',
        left.length === 0,
        `after a sign-in that failed the browser still has ${left.join(', ')}`,
      )
      world.idps[door].misbehave()
      await browser.signIn(door, world.people.ada)
    },
  }),

  property({
    proves: ['CK-16'],
    name: 'in the answer to a sign-out each session cookie ends up deleted',
    story: 'A session that is renewed and ended by one request lives on in the browser.',
    advice: 'Let the last word about a cookie be its deletion.',
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
      if (world.features.has('clock')) world.pass(wait)
      for (let n = 0; n < reads; n++) await browser.readSession()
      world.demand(heldBy(browser) !== '', 'there is no session to end')
      if (stale) plant(browser, { [`${name}.7`]: 'stale', [`${name}.8`]: 'pieces' })
      const held = Object.keys(sessionOf(browser.cookies()))
      for (let n = 0; n <= Number(twice); n++) {
        const reply = await browser.signOut()
        const last = new Map(reply.cookies.map((cookie) => [cookie.key, cookie]))
        for (const cookie of last.values())
          if (sessionCookie.test(cookie.key))
            world.hold('CK-16', isCleared(cookie, Date.now()), `the answer to a sign-out sets ${cookie.key}`)
        if (n > 0) continue
        const kept = held.filter((each) => !last.has(each))
        world.hold('CK-16', kept.length === 0, `the answer to a sign-out does not clear ${kept.join(', ')}`)
      }
      world.demand(!isSignedIn(await readWith(world, browser.cookies())), 'the browser is signed in still')
    },
  }),
]

/** An application whose session and check cookies have options of their own. */
function ownOptions(options: object, setup: object = {}) {
  const all = { secure: true, httpOnly: true, sameSite: 'lax', ...options }
  const names = ['sessionToken', 'state', 'nonce', 'pkceCodeVerifier'] as const
  const cookies = Object.fromEntries(names.map((name) => [name, { options: all }]))
  const { config = {} } = setup as { config?: object }
  return { ...setup, config: { ...config, cookies } }
}

/** Is the cookie of a jar still there? */
function lasts({ maxAge, expires }: Kept): boolean {
  if (maxAge !== undefined) return maxAge > 0
  return expires === undefined || expires === 'Infinity' || Date.parse(expires) > Date.now()
}
