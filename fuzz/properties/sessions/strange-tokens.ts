import fc from 'fast-check'
import { nastyUrl } from '../../arbitraries/nasty-urls.ts'
import { bothStrategies, property, type Property } from '../property.ts'
import {
  clearedBy,
  headerOf,
  sessionTokenOf,
  isSignedIn,
  plant,
  sessionName,
  sessionOf,
  type Cookies,
  checkNoneLeft,
} from '../support/sessions.ts'
import { garbageToken } from '../support/garbage.ts'
import { createStrictStore } from '../support/strict-store.ts'

const big = {
  callbacks: {
    jwt: ({ token, user }: { token: object; user?: object }) =>
      user ? { ...token, padding: 'x'.repeat(9000) } : token,
  },
}

const strict = createStrictStore()

export const strangeTokensProperties: readonly Property[] = [
  property({
    proves: ['SE-11'],
    name: 'signs out repeatedly, whatever the cookies contain, and leaves no session cookie',
    story: 'A user cannot sign out on a shared machine, because one of its cookies is broken.',
    advice: 'Clear every session cookie of the request, and treat an invalid session as ended.',
    setups: {
      database: {},
      jwt: { strategy: 'jwt' },
      'jwt, in many cookies': { strategy: 'jwt', config: big },
    },
    runs: 50,
    reaches: { chunks: 6, 'after a sign-in': 6 },
    input: fc.record({
      isIn: fc.boolean(),
      garbage: fc.option(garbageToken),
      chunks: fc.option(fc.integer({ min: 1, max: 9 })),
      times: fc.integer({ min: 1, max: 3 }),
      callbackUrl: fc.option(
        fc.oneof(nastyUrl, fc.constantFrom('', '%', 'http://', 'https://[', '//', '\\')),
      ),
      way: fc.constantFrom('form', 'cookie', 'query'),
    }),
    async run(world, { isIn, garbage, chunks, times, callbackUrl, way }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const name = sessionName(world, browser)
      const own = sessionOf(browser.cookies())
      if (!isIn) for (const each of Object.keys(own)) browser.dropCookie(each)
      else world.reach('after a sign-in')
      for (let n = 0; n < (chunks ?? 0); n++) plant(browser, { [`${name}.${n}`]: `cGllY2Ug${n}` })
      if (chunks !== null) world.reach('chunks')
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
        checkNoneLeft(world, browser, reply)
      }
      world.check(
        'SE-11',
        !isSignedIn(await browser.readSession()),
        'the browser is signed in after its sign-out',
      )
    },
  }),

  property({
    proves: ['SE-17'],
    name: 'returns null and clears the cookie for every unknown token',
    story:
      'An attacker breaks the session route with a cookie, or learns from its responses which tokens exist.',
    advice: 'Return 200 with null, and clear the cookie, for every token that is invalid or unknown.',
    setups: { ...bothStrategies, 'a strict database': { config: { adapter: strict.adapter } } },
    runs: 60,
    input: fc.oneof(
      garbageToken,
      fc.constantFrom('one more letter', 'one letter less', 'one letter changed', 'reversed', 'repeated'),
    ),
    async run(world, kind) {
      // The cases share the store. Two cases with the same salt also share their session tokens.
      strict.clear()
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const [name, held] = [sessionName(world, browser), sessionTokenOf(browser)]
      const last = held.at(-1) === 'A' ? 'Q' : 'A'
      // A map, because a generated token may be the name of an inherited property.
      const made = new Map([
        ['one more letter', `${held}A`],
        ['one letter less', held.slice(0, -1)],
        ['one letter changed', last + held.slice(1)],
        ['reversed', [...held].toReversed().join('')],
        ['repeated', held + held],
      ])
      const value = (made.get(kind) ?? kind).replaceAll(/^[\s"]+|[\s";]+$|[;,]/g, '')
      world.assume(value !== '' && value !== held, 'the token is not garbage')
      const reply = await world.send(
        new Request(world.url('session'), { headers: { cookie: `${name}=${value}` } }),
      )
      const outcome = `${reply.failure ?? reply.status} ${reply.text}`
      world.check('SE-17', reply.status === 200 || reply.status === 401, `a garbage token returns ${outcome}`)
      world.check('SE-17', reply.text === 'null', `a garbage token returns ${outcome}`)
      if (world.features.has('clock'))
        world.check(
          'SE-17',
          clearedBy(world, reply).includes(name),
          'the cookie of a garbage token is not cleared',
        )
      world.check('SE-17', (await browser.whoAmI()) === 'ada', 'a garbage token ended a session')
    },
  }),
]
