import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import { member } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { sessionCookie } from '../monitors/monitor.ts'
import { bothStrategies, property, type Property } from './property.ts'
import {
  headerOf,
  isSignedIn,
  issuedBy,
  moveTo,
  plant,
  readWith,
  sessionName,
  sessionOf,
  update,
  type Cookies,
} from './support/sessions.ts'

interface Loaded {
  readonly token: object & { readonly ballast?: unknown }
  readonly trigger?: string
  readonly session: object & { readonly ballast?: unknown }
}

/** An application whose token takes whatever an update brings, and whose session shows it. */
const loading = {
  callbacks: {
    jwt: ({ token, trigger, session }: Loaded) =>
      trigger === 'update' ? { ...token, ballast: session.ballast } : token,
    session: ({ session, token }: Loaded) => ({ ...session, ballast: token.ballast }),
  },
}
const loaded = { strategy: 'jwt', config: loading } as const
const named = (name: string, options: object) => ({
  ...loaded,
  config: { ...loading, cookies: { sessionToken: { name, options } } },
})
/** An application whose tokens are legible, and may hold anything that a text may. */
const legible = {
  strategy: 'jwt',
  config: {
    ...loading,
    jwt: {
      encode: ({ token }: { token?: object }) => JSON.stringify(token ?? {}),
      decode: ({ token }: { token?: string }) => JSON.parse(token ?? 'null') as unknown,
    },
  },
} as const
const plain = { httpOnly: true, secure: true, sameSite: 'lax', path: '/' }

/** Text of a length, at most, that is recognised whole, and nowhere else the same; no character is cut in two. */
function ballastOf(length: number): string {
  const parts: string[] = []
  for (let n = 0, left = length; left > 0; n++) {
    const part = n % 3 === 1 ? '😀' : `${n}é`
    parts.push(part.length > left ? 'x'.repeat(left) : part)
    left -= part.length
  }
  return parts.join('')
}

/** How much makes a token of so many pieces, about. */
const sizes = fc.oneof(
  fc.integer({ min: 0, max: 3000 }),
  fc.integer({ min: 0, max: 20_000 }),
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: -120, max: 120 }))
    .map(([pieces, off]) => Math.max(0, pieces * 2700 - 250 + off)),
)

async function load(world: World, browser: Browser, length: number) {
  const ballast = ballastOf(length)
  const reply = await update(world, browser, { ballast })
  return { reply, ballast }
}

const piecesOf = (cookies: Cookies) =>
  Object.entries(sessionOf(cookies)).toSorted(
    ([a], [b]) => Number(/\d*$/.exec(a)?.[0] ?? 0) - Number(/\d*$/.exec(b)?.[0] ?? 0),
  )

export const cookieChunkProperties: readonly Property[] = [
  property({
    proves: ['CK-03', 'CK-04'],
    name: 'a session of any size comes back whole, in cookies that browsers keep, or is refused aloud',
    story: 'A user whose profile grew is signed out without a word: the browser drops the cookie.',
    advice:
      'Cut the value by what is left of 4096 bytes after name and attributes; name a limit, and fail at it.',
    needs: ['setup'],
    setups: {
      'a usual name': loaded,
      'a long name': named(`__Secure-${'n'.repeat(400)}.session-token`, plain),
      'a very long name': named(`__Secure-${'n'.repeat(900)}.session-token`, plain),
      'a domain': named('__Secure-app.session-token', { ...plain, domain: 'app.example' }),
      'tokens of its own': legible,
    },
    runs: 25,
    reaches: { 'came back': 10 },
    input: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: sizes },
        { weight: 1, arbitrary: fc.integer({ min: 20_000, max: 60_000 }) },
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    async run(world, lengths) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      for (const length of lengths) {
        const { reply, ballast } = await load(world, browser, length)
        for (const { reply: each } of world.replies)
          for (const { key, value } of each.cookies)
            world.hold(
              'CK-03',
              key.length + value.length <= 4096,
              `${key.slice(0, 60)} has ${key.length + value.length} bytes`,
            )
        if (!isSignedIn(reply)) {
          world.hold(
            'CK-03',
            reply.status >= 400,
            `a session that is too long is answered with ${reply.status} ${reply.text}`,
          )
          const bytes = encodeURIComponent(ballast).length
          world.hold('CK-04', bytes > 12_000, `a session with ${bytes} bytes more is refused`)
          world.demand(length > 3000, 'a small session is refused')
          return
        }
        const { json, status } = await browser.readSession()
        const back = member(json, 'ballast')
        world.hold(
          'CK-04',
          back === ballast,
          `a session with ${length} characters more came back ${status === 200 && json === null ? 'as none' : 'as another'}`,
        )
        world.reach('came back')
      }
    },
  }),
  property({
    proves: ['CK-04'],
    name: 'pieces are put together by their numbers, in whatever order they come',
    story: 'A browser sends the tenth piece before the second, and the user is signed out.',
    advice: 'Read the pieces by number, not by the order of the header or of the alphabet.',
    needs: ['setup'],
    setups: { jwt: loaded },
    runs: 50,
    input: fc.record({
      length: fc.integer({ min: 4000, max: 18_000 }),
      order: fc.infiniteStream(fc.nat()).map((stream) => [...stream.take(30)]),
    }),
    async run(world, { length, order }) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const { reply, ballast } = await load(world, browser, length)
      world.demand(isSignedIn(reply), 'so long a session is refused')
      const pieces = piecesOf(browser.cookies())
      world.demand(pieces.length > 1, 'the session is in one piece')
      const shuffled = pieces
        .map((piece, at) => [order[at] ?? 0, piece] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, piece]) => piece)
      const { json } = await readWith(world, shuffled)
      world.hold(
        'CK-04',
        member(json, 'ballast') === ballast,
        `${pieces.length} pieces in another order make no session`,
      )
    },
  }),
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
    proves: ['CK-06'],
    name: 'a cookie that only begins like the session cookie changes nothing',
    story: 'A sibling site, or a library with a similar name, signs everybody out or in.',
    advice:
      'Take the cookies with exactly the right names: the plain one, and name.0 up to the first that is missing.',
    setups: { ...bothStrategies, 'in many cookies': loaded },
    runs: 60,
    input: fc.record({
      ending: fc.oneof(
        fc.constantFrom(
          'x',
          '-x',
          '.evil',
          '.99',
          '-old',
          '_',
          '.0x',
          '.x0',
          '.-1',
          '.00',
          '.1e0',
          '.+1',
          '0',
          '.10',
          '.0.0',
          '.',
        ),
        fc.stringMatching(/^[a-z_-][a-z0-9._-]{0,8}$/),
      ),
      value: fc.constantFrom('evil', 'own', 'other'),
      isFirst: fc.boolean(),
      length: fc.constantFrom(0, 9000),
    }),
    async run(world, { ending, value, isFirst, length }) {
      const { ada, eve } = world.people
      const [browser, other] = [world.browser('ada'), world.browser('eve')]
      await browser.signIn('alpha', ada)
      await other.signIn('alpha', eve)
      if (length > 0) await load(world, browser, length)
      const before = await browser.readSession()
      const name = sessionName(world, browser)
      const values = {
        evil: 'evil',
        own: browser.cookies()[name] ?? 'x',
        other: other.cookies()[name] ?? 'x',
      }
      const added = [`${name}${ending}`, values[value]] as const
      const own = Object.entries(browser.cookies())
      const cookie = headerOf(isFirst ? [added, ...own] : [...own, added])
      const reply = await browser.send(`${world.basePath}/session`, {
        headers: { cookie },
        says: 'reads the session',
      })
      world.hold(
        'CK-06',
        JSON.stringify(member(reply.json, 'user')) === JSON.stringify(member(before.json, 'user')),
        `with a cookie called ${added[0]} the session is ${reply.text.slice(0, 200)}`,
      )
      world.hold(
        'CK-06',
        member(reply.json, 'ballast') === member(before.json, 'ballast'),
        `a cookie called ${added[0]} changes what is in the session`,
      )
      const isPiece = /^\.\d+$/.test(ending)
      const isTouched = !isPiece && reply.cookies.some(({ key }) => key === added[0])
      world.hold('CK-06', !isTouched, `a cookie called ${added[0]}, which is none of its own, is changed`)
    },
  }),
  property({
    proves: ['CK-07'],
    name: 'a session with a wrong piece is none',
    story: 'Somebody puts a session together from pieces of others, or breaks the session route.',
    advice: 'Authenticate the whole token; stop at a missing piece, and refuse one that came twice.',
    needs: ['setup'],
    setups: { jwt: loaded },
    runs: 60,
    input: fc.record({
      length: fc.integer({ min: 6500, max: 20_000 }),
      what: fc.constantFrom(
        'missing',
        'doubled',
        'swapped',
        'foreign',
        'empty',
        'cut',
        'twice, with another value',
        'under the plain name',
      ),
      at: fc.nat({ max: 9 }),
      to: fc.nat({ max: 9 }),
    }),
    async run(world, { length, what, at, to }) {
      const { ada, eve } = world.people
      const [browser, other] = [world.browser('ada'), world.browser('eve')]
      await browser.signIn('alpha', ada)
      await other.signIn('alpha', eve)
      await load(world, browser, length)
      await load(world, other, length)
      const name = sessionName(world, browser)
      const pieces = piecesOf(browser.cookies())
      const foreign = piecesOf(other.cookies())
      world.demand(pieces.length > 2, 'the session is in few pieces')
      const [n, m] = [at % pieces.length, to % pieces.length]
      world.demand(n !== m, 'a piece for itself')
      const [from, into] = [pieces[n], pieces[m]]
      const [theirs] = [foreign[n]]
      if (!from || !into || !theirs) return
      const set = (value: string) =>
        pieces.map(([name, old], index) => [name, index === n ? value : old] as const)
      const made = {
        missing: pieces.filter((_, index) => index !== n),
        doubled: set(into[1]),
        swapped: pieces.map(
          ([name, value], index) => [name, index === n ? into[1] : index === m ? from[1] : value] as const,
        ),
        foreign: set(theirs[1]),
        empty: set(''),
        cut: set(from[1].slice(0, -4)),
        'twice, with another value': [...pieces, [from[0], theirs[1]] as const],
        'under the plain name': pieces.map(
          ([, value], index) => [index === 0 ? name : `${name}.${index - 1}`, value] as const,
        ),
      }[what]
      const { text, status, failure } = await readWith(world, made)
      const told = failure ?? `${status} ${text.slice(0, 100)}`
      world.hold('CK-07', status < 500, `a session with a piece ${what} is answered with ${told}`)
      world.hold('CK-07', text === 'null', `a session with a piece ${what} is answered with ${told}`)
      world.hold(
        'CK-07',
        isSignedIn(await readWith(world, pieces)),
        'the pieces as they were make no session',
      )
      world.hold(
        'CK-07',
        isSignedIn(await readWith(world, [[name, ''], ...pieces])),
        'the pieces beside an empty cookie of the plain name make no session',
      )
    },
  }),
  property({
    proves: ['CK-07'],
    name: 'what is left of a session without one of its pieces is none, whatever its tokens are',
    story: 'A browser loses a cookie, and the rest is taken for a session of somebody with less in it.',
    advice: 'Stop at the first piece that is missing.',
    needs: ['setup'],
    setups: { 'tokens of its own': legible },
    runs: 30,
    input: fc.record({
      length: fc.integer({ min: 3000, max: 7000 }),
      at: fc.nat({ max: 9 }),
      isEmpty: fc.boolean(),
    }),
    async run(world, { length, at, isEmpty }) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      await load(world, browser, length)
      const pieces = piecesOf(browser.cookies())
      world.demand(pieces.length > 2, 'the session is in few pieces')
      const n = at % pieces.length
      const made = isEmpty
        ? pieces.map(([name, value], index) => [name, index === n ? '' : value] as const)
        : pieces.filter((_, index) => index !== n)
      const { text, status } = await readWith(world, made)
      const what = `without piece ${n} of ${pieces.length} the session is ${status} ${text.slice(0, 100)}`
      world.hold('CK-07', text === 'null' && status < 500, what)
      world.hold('CK-07', isSignedIn(await readWith(world, pieces)), 'all the pieces make no session')
    },
  }),
  property({
    proves: ['CK-11'],
    name: 'a name that only reads like a prefixed cookie is not that cookie',
    story:
      'A site beside the application sets a cookie that no browser guards, and that passes for one which it does.',
    advice: 'Compare names as they came; decode values alone.',
    setups: bothStrategies,
    runs: 80,
    input: fc.record({
      which: fc.constantFrom('session', 'csrf'),
      how: fc.constantFrom(
        'encoded',
        'encoded once more',
        'small',
        'capitals',
        'bare',
        'one underscore',
        'nameless',
        'quoted',
        'swapped prefix',
        'after the right one',
      ),
      letters: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 5 }),
    }),
    async run(world, { which, how, letters }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const csrfToken = await browser.csrfToken()
      const all = browser.cookies()
      const wanted = Object.keys(all).filter((name) =>
        which === 'session' ? sessionCookie.test(name) : name.endsWith('csrf-token'),
      )
      const [name = ''] = wanted
      world.demand(name.startsWith('__'), 'the cookie has no prefix')
      const encode = (text: string) =>
        [...text]
          .map((letter, at) =>
            letters.some((each) => each % text.length === at)
              ? `%${letter.charCodeAt(0).toString(16)}`
              : letter,
          )
          .join('')
      const forged = {
        encoded: encode(name),
        'encoded once more': encode(name).replaceAll('%', '%25'),
        small: name.replace(/^__\w+-/, (prefix) => prefix.toLowerCase()),
        capitals: name.replace(/^__\w+-/, (prefix) => prefix.toUpperCase()),
        bare: name.replace(/^__\w+-/, ''),
        'one underscore': name.slice(1),
        nameless: `=${name}`,
        quoted: `"${name}"`,
        'after the right one': name,
        'swapped prefix': name.startsWith('__Host-')
          ? name.replace('__Host-', '__Secure-')
          : name.replace('__Secure-', '__Host-'),
      }[how]
      const made = Object.entries(all).map(([key, value]) => [key === name ? forged : key, value] as const)
      if (how === 'after the right one') {
        const other = world.browser('eve')
        await other.signIn('alpha', world.people.eve)
        const reply = await readWith(world, [
          ...Object.entries(all),
          [name, other.cookies()[name] ?? 'x'] as const,
        ])
        const who = member(reply.json, 'user', 'email')
        world.hold(
          'CK-11',
          who !== world.people.eve.address.alpha,
          'a cookie that was added at the end counts for the first one',
        )
        return
      }
      const headers = { cookie: headerOf(made) }
      if (which === 'session') {
        const reply = await world.send(new Request(world.url('session'), { headers }))
        world.hold('CK-11', !isSignedIn(reply), `a cookie called ${forged} passes for the session cookie`)
      } else {
        await world.send(
          new Request(world.url('signout'), {
            method: 'POST',
            headers,
            body: new URLSearchParams({ csrfToken }),
          }),
        )
        world.hold(
          'CK-11',
          (await browser.whoAmI()) === 'ada',
          `a cookie called ${forged} passes for the CSRF cookie`,
        )
      }
      world.hold(
        'CK-11',
        isSignedIn(await browser.readSession()),
        'with its own cookies the browser is not signed in',
      )
    },
  }),
]
