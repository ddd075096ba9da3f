import fc from 'fast-check'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { isSignedIn, readWith, sessionName, sessionOf, type Cookies } from '../support/sessions.ts'
import { loading, loaded, named, plain, sizes, load } from '../support/padding.ts'

/** An application with readable tokens that may contain any string. */
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

const chunksOf = (cookies: Cookies) =>
  Object.entries(sessionOf(cookies)).toSorted(
    ([a], [b]) => Number(/\d*$/.exec(a)?.[0] ?? 0) - Number(/\d*$/.exec(b)?.[0] ?? 0),
  )

export const cookieChunkProperties: readonly Property[] = [
  property({
    proves: ['CK-03', 'CK-04'],
    name: 'stores and reads sessions of any size within browser limits, or fails with an error',
    story: 'A user’s profile grows, the browser drops the cookie, and the user is signed out silently.',
    advice:
      'Split the value so that each cookie, with name and attributes, fits in 4096 bytes. Set a limit, and throw above it.',
    needs: ['setup'],
    setups: {
      'a usual name': loaded,
      'a long name': named(`__Secure-${'n'.repeat(400)}.session-token`, plain),
      'a very long name': named(`__Secure-${'n'.repeat(900)}.session-token`, plain),
      'a domain': named('__Secure-app.session-token', { ...plain, domain: 'app.example' }),
      'custom tokens': legible,
    },
    runs: 25,
    reaches: { 'was read back': 10 },
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
        const { reply, padding } = await load(world, browser, length)
        for (const { reply: each } of world.replies)
          for (const { key, value } of each.cookies)
            world.check(
              'CK-03',
              key.length + value.length <= 4096,
              `${key.slice(0, 60)} has ${key.length + value.length} bytes`,
            )
        if (!isSignedIn(reply)) {
          world.check(
            'CK-03',
            reply.status >= 400,
            `a session that is too long returns ${reply.status} ${reply.text}`,
          )
          const bytes = encodeURIComponent(padding).length
          world.check('CK-04', bytes > 8000, `a session with ${bytes} bytes more is refused`)
          world.assume(length > 3000, 'a small session is refused')
          return
        }
        const { json, status } = await browser.readSession()
        const back = member(json, 'padding')
        world.check(
          'CK-04',
          back === padding,
          `a session with ${length} characters more was read back ${status === 200 && json === null ? 'empty' : 'changed'}`,
        )
        world.reach('was read back')
      }
    },
  }),

  property({
    proves: ['CK-04'],
    name: 'reassembles cookie chunks by number, whatever their order',
    story: 'A browser sends the tenth chunk before the second, and the user is signed out.',
    advice: 'Sort chunks by number, not by header order or alphabet.',
    needs: ['setup'],
    setups: { jwt: loaded },
    runs: 50,
    input: fc.record({
      length: fc.integer({ min: 2500, max: 5500 }),
      order: fc.infiniteStream(fc.nat()).map((stream) => [...stream.take(30)]),
    }),
    async run(world, { length, order }) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const { reply, padding } = await load(world, browser, length)
      world.assume(isSignedIn(reply), 'a session of this length is refused')
      const chunks = chunksOf(browser.cookies())
      world.assume(chunks.length > 1, 'the session has one chunk')
      const shuffled = chunks
        .map((chunk, at) => [order[at] ?? 0, chunk] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, chunk]) => chunk)
      const { json } = await readWith(world, shuffled)
      world.check(
        'CK-04',
        member(json, 'padding') === padding,
        `${chunks.length} chunks in another order are not accepted as the session`,
      )
    },
  }),

  property({
    proves: ['CK-07'],
    name: 'rejects a session with a wrong chunk',
    story: 'Somebody assembles a session from chunks of others, or breaks the session route.',
    advice: 'Authenticate the whole token. Stop at a missing chunk, and reject a duplicate.',
    needs: ['setup'],
    setups: { jwt: loaded },
    runs: 60,
    input: fc.record({
      length: fc.integer({ min: 4000, max: 5500 }),
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
      const chunks = chunksOf(browser.cookies())
      const foreign = chunksOf(other.cookies())
      world.assume(chunks.length > 2, 'the session has too few chunks')
      const [n, m] = [at % chunks.length, to % chunks.length]
      world.assume(n !== m, 'both chunks are the same')
      const [from, into] = [chunks[n], chunks[m]]
      const [theirs] = [foreign[n]]
      if (!from || !into || !theirs) return
      const set = (value: string) =>
        chunks.map(([name, old], index) => [name, index === n ? value : old] as const)
      const made = {
        missing: chunks.filter((_, index) => index !== n),
        doubled: set(into[1]),
        swapped: chunks.map(
          ([name, value], index) => [name, index === n ? into[1] : index === m ? from[1] : value] as const,
        ),
        foreign: set(theirs[1]),
        empty: set(''),
        cut: set(from[1].slice(0, -4)),
        'twice, with another value': [...chunks, [from[0], theirs[1]] as const],
        'under the plain name': chunks.map(
          ([, value], index) => [index === 0 ? name : `${name}.${index - 1}`, value] as const,
        ),
      }[what]
      const { text, status, failure } = await readWith(world, made)
      const outcome = failure ?? `${status} ${text.slice(0, 100)}`
      world.check('CK-07', status < 500, `a session with a chunk ${what} returns ${outcome}`)
      world.check('CK-07', text === 'null', `a session with a chunk ${what} returns ${outcome}`)
      world.check(
        'CK-07',
        isSignedIn(await readWith(world, chunks)),
        'the original chunks are not accepted as the session',
      )
      world.check(
        'CK-07',
        isSignedIn(await readWith(world, [[name, ''], ...chunks])),
        'the chunks are not accepted beside an empty unchunked cookie',
      )
    },
  }),

  property({
    proves: ['CK-07'],
    name: 'rejects a session with a missing chunk, whatever its tokens contain',
    story: 'A browser loses a cookie, and the remaining chunks are accepted as a shorter session.',
    advice: 'Stop at the first missing chunk.',
    needs: ['setup'],
    setups: { 'custom tokens': legible },
    runs: 30,
    input: fc.record({
      length: fc.integer({ min: 2750, max: 3000 }),
      at: fc.nat({ max: 9 }),
      isEmpty: fc.boolean(),
    }),
    async run(world, { length, at, isEmpty }) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      await load(world, browser, length)
      const chunks = chunksOf(browser.cookies())
      world.assume(chunks.length > 2, 'the session has too few chunks')
      const n = at % chunks.length
      const made = isEmpty
        ? chunks.map(([name, value], index) => [name, index === n ? '' : value] as const)
        : chunks.filter((_, index) => index !== n)
      const { text, status } = await readWith(world, made)
      const what = `without chunk ${n} of ${chunks.length} the session is ${status} ${text.slice(0, 100)}`
      world.check('CK-07', text === 'null' && status < 500, what)
      world.check(
        'CK-07',
        isSignedIn(await readWith(world, chunks)),
        'the complete chunks are not accepted as the session',
      )
    },
  }),
]
