import fc from 'fast-check'
import { nastyUrl } from '../arbitraries/nasty-urls.ts'
import { bothStrategies, property, type Property } from './property.ts'
import {
  clearedBy,
  headerOf,
  heldBy,
  isSignedIn,
  plant,
  sessionName,
  sessionOf,
  type Cookies,
  holdNoneLeft,
} from './support/sessions.ts'
import { garbageToken } from './support/garbage.ts'

const big = {
  callbacks: {
    jwt: ({ token, user }: { token: object; user?: object }) =>
      user ? { ...token, ballast: 'x'.repeat(9000) } : token,
  },
}

export const strangeTokensProperties: readonly Property[] = [
  property({
    proves: ['SE-11'],
    name: 'signing out works again and again, whatever the cookies are, and leaves none',
    story: 'Somebody cannot sign out on a shared machine, because one cookie in it is broken.',
    advice: 'Clear every session cookie that the request carried, and treat a session that is none as ended.',
    setups: {
      database: {},
      jwt: { strategy: 'jwt' },
      'jwt, in many cookies': { strategy: 'jwt', config: big },
    },
    runs: 50,
    reaches: { pieces: 6, 'after a sign-in': 6 },
    input: fc.record({
      isIn: fc.boolean(),
      garbage: fc.option(garbageToken),
      pieces: fc.option(fc.integer({ min: 1, max: 9 })),
      times: fc.integer({ min: 1, max: 3 }),
      callbackUrl: fc.option(
        fc.oneof(nastyUrl, fc.constantFrom('', '%', 'http://', 'https://[', '//', '\\')),
      ),
      way: fc.constantFrom('form', 'cookie', 'query'),
    }),
    async run(world, { isIn, garbage, pieces, times, callbackUrl, way }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const name = sessionName(world, browser)
      const own = sessionOf(browser.cookies())
      if (!isIn) for (const each of Object.keys(own)) browser.dropCookie(each)
      else world.reach('after a sign-in')
      for (let n = 0; n < (pieces ?? 0); n++) plant(browser, { [`${name}.${n}`]: `cGllY2Ug${n}` })
      if (pieces !== null) world.reach('pieces')
      const form: Cookies = { ...(callbackUrl !== null && way === 'form' && { callbackUrl }) }
      const query = callbackUrl !== null && way === 'query' ? `?${new URLSearchParams({ callbackUrl })}` : ''
      if (callbackUrl !== null && way === 'cookie') {
        const kept = Object.keys(browser.cookies()).find((each) => each.endsWith('callback-url'))
        if (kept) plant(browser, { [kept]: `${new URLSearchParams({ '': callbackUrl })}`.slice(1) })
      }
      for (let n = 0; n < times; n++) {
        const csrfToken = await browser.csrfToken()
        const broken = garbage !== null && n === 0
        const reply = await browser.send(`${world.basePath}/signout${query}`, {
          form: { ...form, csrfToken },
          ...(broken && {
            headers: { cookie: headerOf({ ...browser.cookies(), [name]: garbage.replaceAll(/[;\s]/g, '') }) },
          }),
          says: 'signs out',
        })
        holdNoneLeft(world, browser, reply)
      }
      world.hold(
        'SE-11',
        !isSignedIn(await browser.readSession()),
        'the browser is signed in after its sign-out',
      )
    },
  }),

  property({
    proves: ['SE-17'],
    name: 'a token that nobody issued is no session: null, taken away, and told in one way',
    story: 'Somebody breaks the session route with a cookie, or learns from its answers which tokens exist.',
    advice: 'Answer 200 with null and clear the cookie for whatever cannot be opened or found.',
    setups: bothStrategies,
    runs: 60,
    input: fc.oneof(garbageToken, fc.constantFrom('one more', 'one less', 'one other', 'backwards', 'again')),
    async run(world, kind) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const [name, held] = [sessionName(world, browser), heldBy(browser)]
      const last = held.at(-1) === 'A' ? 'Q' : 'A'
      const made: Cookies = {
        'one more': `${held}A`,
        'one less': held.slice(0, -1),
        'one other': last + held.slice(1),
        backwards: [...held].toReversed().join(''),
        again: held + held,
      }
      const value = (made[kind] ?? kind).replaceAll(/^[\s"]+|[\s";]+$|[;,]/g, '')
      world.demand(value !== '' && value !== held, 'that is no garbage')
      const reply = await world.send(
        new Request(world.url('session'), { headers: { cookie: `${name}=${value}` } }),
      )
      const told = `${reply.failure ?? reply.status} ${reply.text}`
      world.hold(
        'SE-17',
        reply.status === 200 || reply.status === 401,
        `a garbage token is answered with ${told}`,
      )
      world.hold('SE-17', reply.text === 'null', `a garbage token is answered with ${told}`)
      if (world.features.has('clock'))
        world.hold(
          'SE-17',
          clearedBy(world, reply).includes(name),
          'the cookie of a garbage token is not cleared',
        )
      world.hold('SE-17', (await browser.whoAmI()) === 'ada', 'garbage of somebody else ended a session')
    },
  }),
]
