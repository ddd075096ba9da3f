import fc from 'fast-check'
import { member } from '../world/reply.ts'
import { property, type Property } from './property.ts'
import { isSignedIn, readWith, sessionName, sessionOf, type Cookies } from './support/sessions.ts'
import { loading, loaded, named, plain, sizes, load } from './support/ballast.ts'

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
]
