import fc from 'fast-check'
import { secret } from '../targets/configure.ts'
import type { Setup } from '../targets/setup.ts'
import { people } from '../world/people.ts'
import { member } from '../world/reply.ts'
import { bothStrategies, property, type Property } from './property.ts'
import { heldBy, isSignedIn, sessionName, sessionOf, update } from './support/sessions.ts'

const canary = 'canary-of-an-update'

/** What a page may send as its update, with a word in it that is found again. */
const news = fc.oneof(
  fc.constant(canary),
  fc.constant([canary]),
  fc
    .dictionary(
      fc.constantFrom(
        'user',
        'name',
        'email',
        'sub',
        'id',
        'picture',
        'expires',
        'exp',
        'role',
        'x',
        '__proto__',
      ),
      fc.oneof(
        fc.constant(canary),
        fc.record({ name: fc.constant(canary), email: fc.constantFrom(people.bob.address.alpha, canary) }),
        fc.constantFrom('2099-01-01T00:00:00.000Z', 4102444800),
      ),
      { minKeys: 1 },
    )
    .map((data) => ({ ...data, note: canary })),
)

const standard = {
  callbacks: {
    session: ({ session, user }: { session: { expires: string | Date }; user?: Person }) => {
      const { name, email, image } = user ?? (session as unknown as { user: Person }).user
      return { user: { name, email, image }, expires: new Date(session.expires).toISOString() }
    },
  },
}

interface Person {
  readonly name?: unknown
  readonly email?: unknown
  readonly image?: unknown
}

const tellsMore = (json: unknown): string[] => {
  const keys = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : [])
  const above = keys(json).filter((key) => !['user', 'expires'].includes(key))
  return [...above, ...keys(member(json, 'user')).filter((key) => !['name', 'email', 'image'].includes(key))]
}

const withoutTimes = (claims: Record<string, unknown> | null) => {
  const { iat: _iat, exp: _exp, jti: _jti, ...rest } = claims ?? {}
  return JSON.stringify(rest)
}

interface Given {
  readonly session: { readonly user: Record<string, unknown> }
  readonly user?: { readonly id: string }
  readonly token?: { readonly sub?: string }
}

/** What applications of this ecosystem write as their session callback. */
const callbacks: Readonly<Record<string, (given: Given) => unknown>> = {
  'with the id of the user': ({ session, user, token }) => {
    session.user['id'] = user?.id ?? token?.sub
    return session
  },
  'as it comes': ({ session }) => session,
  'with a member more': ({ session }) => ({ ...session, plan: 'free' }),
}

const idioms = Object.fromEntries(
  Object.entries(callbacks).flatMap(([name, session]) => [
    [name, { config: { callbacks: { session } } }],
    [`${name}, as a token`, { strategy: 'jwt', config: { adapter: true, callbacks: { session } } }],
  ]),
) as Readonly<Record<string, Setup>>

export const sessionDataProperties: readonly Property[] = [
  property({
    proves: ['SE-18'],
    name: 'a session shows name, address, picture and expiry, and no more',
    story: 'A script in the page reads tokens or internal data from the session.',
    advice: 'Build the body of the session from these members, not from the row or the token.',
    setups: bothStrategies,
    runs: 40,
    input: fc.record({
      door: fc.constantFrom('alpha', 'beta', 'plain'),
      reads: fc.array(fc.boolean(), { maxLength: 3 }),
    }),
    async run(world, { door, reads }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(door, ada)
      for (const isRead of [true, ...reads]) {
        const reply = isRead ? await browser.readSession() : await update(world, browser, { role: canary })
        world.demand(isSignedIn(reply), 'the session is gone')
        const more = tellsMore(reply.json)
        world.hold('SE-18', more.length === 0, `the session shows ${more.join(', ')} too`)
        world.hold(
          'SE-18',
          member(reply.json, 'user', 'email') === ada.address[door],
          'the session shows no address',
        )
      }
    },
  }),

  property({
    proves: ['SE-18'],
    name: 'a session callback that adds nothing shows no token',
    story: 'The session callback hands on what it was given, and with it the key to the session.',
    advice: 'Take the token out of what the session callback is given as `session`.',
    needs: ['setup'],
    setups: {
      database: { config: { callbacks: { session: ({ session }: { session: unknown }) => session } } },
      jwt: {
        strategy: 'jwt',
        config: { callbacks: { session: ({ session }: { session: unknown }) => session } },
      },
    },
    runs: 20,
    input: fc.constantFrom('alpha', 'beta', 'plain'),
    async run(world, door) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(door, ada)
      const held = heldBy(browser)
      const { text, json } = await browser.readSession()
      world.demand(isSignedIn({ status: 200, json } as never), 'the session is gone')
      world.hold('SE-18', !text.includes(held), 'the body of the session holds the session token')
      const tokens = world.rows.accounts.flatMap(({ access_token, id_token }) => [access_token, id_token])
      const told = tokens.some((token) => typeof token === 'string' && text.includes(token))
      world.hold('SE-18', !told, 'the body of the session holds a token of the provider')
    },
  }),

  property({
    proves: ['DEC-42', 'SE-18'],
    name: 'a session callback that returns its session sends no further column of the user',
    story:
      'An application adds a passwordHash to its users, and every page of the site sends it to the browser.',
    advice:
      'Give the session callback a user of id, name, email and image; the rest is in the parameter `user`.',
    needs: ['setup'],
    setups: idioms,
    runs: 40,
    input: fc.record({ door: fc.constantFrom('alpha', 'beta', 'plain'), updates: fc.boolean() }),
    async run(world, { door, updates }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(door, ada)
      for (const user of world.rows.users) Object.assign(user, { passwordHash: canary, role: canary })
      const { text, json } = updates
        ? await update(world, browser, { theme: 'dark' })
        : await browser.readSession()
      world.demand(member(json, 'user', 'email') === ada.address[door], 'the session shows no address')
      world.hold('DEC-42', !text.includes(canary), `the session shows a column of the user: ${text}`)
      world.hold('DEC-42', !text.includes('emailVerified'), `the session shows emailVerified: ${text}`)
    },
  }),

  property({
    proves: ['SE-19'],
    name: 'an update is shown to callbacks, and changes nothing by itself',
    story: 'A page posts `{ "user": { "role": "admin" } }`, and has it.',
    advice: 'Hand the data of an update to the callbacks as `session` or `newSession`; merge it nowhere.',
    needs: ['hooks'],
    setups: {
      database: { config: standard },
      jwt: { strategy: 'jwt', config: standard },
      'database as it comes': {},
      'jwt as it comes': { strategy: 'jwt' },
    },
    runs: 60,
    input: news,
    async run(world, data) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const claimsOf = async () =>
        world.tokens && Object.keys(sessionOf(browser.cookies())).length > 0
          ? withoutTimes(
              await world.tokens
                .decode({ token: heldBy(browser), secret, salt: sessionName(world, browser) })
                .catch(() => null),
            )
          : ''
      const before = await browser.readSession()
      const [claims, users] = [await claimsOf(), JSON.stringify(world.rows.users)]
      world.told.callbacks.length = 0
      const reply = await update(world, browser, data)
      world.demand(isSignedIn(reply), 'the update was refused')
      const asked = [...world.told.callbacks]
      const after = await browser.readSession()
      const same = (a: unknown, b: unknown) =>
        JSON.stringify(member(a, 'user')) === JSON.stringify(member(b, 'user'))
      world.hold('SE-19', same(before.json, reply.json), `the update changed its answer: ${reply.text}`)
      world.hold('SE-19', same(before.json, after.json), `the update changed the session: ${after.text}`)
      world.hold(
        'SE-19',
        tellsMore(reply.json).length + tellsMore(after.json).length === 0,
        `the session shows more: ${after.text}`,
      )
      world.hold('SE-19', (await claimsOf()) === claims, 'the update changed the claims of the token')
      world.hold('SE-19', JSON.stringify(world.rows.users) === users, 'the update changed the stored user')
      const isTold = asked.some(({ params }) =>
        [params.session, params.newSession].some((each) => says(each, canary)),
      )
      if (asked.length > 0) world.hold('SE-19', isTold, 'no callback was shown the update')
      for (const { name, params } of asked)
        for (const [part, value] of Object.entries(params)) {
          const isMeant = name === 'jwt' ? part === 'session' : part === 'newSession'
          world.hold(
            'SE-19',
            isMeant || !says(value, canary),
            `the ${name} callback is shown the update as ${part}`,
          )
        }
    },
  }),
]

/** Does a value say the word, anywhere? */
function says(value: unknown, word: string): boolean {
  return (JSON.stringify(value) ?? '').includes(word)
}
