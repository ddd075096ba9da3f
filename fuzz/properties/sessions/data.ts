import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import { secret } from '../../targets/configure.ts'
import type { Setup } from '../../targets/setup.ts'
import { people } from '../../world/people.ts'
import { member } from '../../world/reply.ts'
import { bothStrategies, property, type Property } from '../property.ts'
import { sessionTokenOf, isSignedIn, sessionName, sessionOf, update } from '../support/sessions.ts'

const canary = 'canary-of-an-update'

/** Updates that a page may send, with a word to search for. */
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
    session: ({
      session,
      user = session.user,
    }: {
      session: { expires: string | Date; user: Person }
      user?: Person
    }) => {
      const { name, email, image } = user
      return { user: { name, email, image }, expires: new Date(session.expires).toISOString() }
    },
  },
}

interface Person {
  readonly name?: unknown
  readonly email?: unknown
  readonly image?: unknown
}

/** The members of a session that record how and when its user signed in, if they contain nothing else. */
const isRecord: Readonly<Record<string, (value: unknown) => boolean>> = {
  amr: (value) => Array.isArray(value) && value.every((method) => /^[a-z]{2,12}$/.test(String(method))),
  auth_time: (value) => Number.isSafeInteger(value),
}

const findExtraMembers = (json: unknown): string[] => {
  const keys = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : [])
  const above = keys(json).filter(
    (key) => !['user', 'expires'].includes(key) && isRecord[key]?.(member(json, key)) !== true,
  )
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

/** Session callbacks as Auth.js applications write them. */
const callbacks: Readonly<Record<string, (given: Given) => unknown>> = {
  'with the id of the user': ({ session, user, token }) => {
    session.user['id'] = user?.id ?? token?.sub
    return session
  },
  unchanged: ({ session }) => session,
  'with an additional member': ({ session }) => ({ ...session, plan: 'free' }),
}

const idioms = Object.fromEntries(
  Object.entries(callbacks).flatMap(([name, session]) => [
    [name, { config: { callbacks: { session } } }],
    [`${name}, jwt`, { strategy: 'jwt', config: { adapter: true, callbacks: { session } } }],
  ]),
) as Readonly<Record<string, Setup>>

export const sessionDataProperties: readonly Property[] = [
  property({
    proves: ['SE-18'],
    name: 'exposes only name, address, picture and expiry in a session',
    story: 'A script in the page reads tokens or internal data from the session.',
    advice: 'Build the session body from these members, not from the row or the token.',
    setups: bothStrategies,
    runs: 40,
    input: fc.record({
      method: fc.constantFrom('alpha', 'beta', 'plain'),
      reads: fc.array(fc.boolean(), { maxLength: 3 }),
    }),
    async run(world, { method, reads }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(method, ada)
      for (const isRead of [true, ...reads]) {
        const reply = isRead ? await browser.readSession() : await update(world, browser, { role: canary })
        world.assume(isSignedIn(reply), 'the session is gone')
        // A running application may have a session callback, and an id is the member that most callbacks add.
        const isKnown = (name: string) => name === 'id' && !world.features.has('setup')
        const more = findExtraMembers(reply.json).filter((name) => !isKnown(name))
        world.check('SE-18', more.length === 0, `the session also shows ${more.join(', ')}`)
        world.check(
          'SE-18',
          member(reply.json, 'user', 'email') === ada.address[method],
          'the session has no address',
        )
      }
    },
  }),

  property({
    proves: ['SE-18'],
    name: 'exposes no token through a session callback that adds nothing',
    story: 'The session callback returns its input, and with it the session token.',
    advice: 'Remove the token from the `session` passed to the callback.',
    needs: ['setup'],
    setups: {
      database: { config: { callbacks: { session: ({ session }: { session: unknown }) => session } } },
      jwt: {
        strategy: 'jwt',
        config: { callbacks: { session: ({ session }: { session: unknown }) => session } },
      },
    },
    runs: 20,
    ...eachOf(['alpha', 'beta', 'plain']),
    async run(world, method) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(method, ada)
      const held = sessionTokenOf(browser)
      const { text, json } = await browser.readSession()
      world.assume(isSignedIn({ status: 200, json }), 'the session is gone')
      world.check('SE-18', !text.includes(held), 'the session body contains the session token')
      const tokens = world.rows.accounts.flatMap(({ access_token, id_token }) => [access_token, id_token])
      const isShown = tokens.some((token) => typeof token === 'string' && text.includes(token))
      world.check('SE-18', !isShown, 'the session body contains a token of the provider')
    },
  }),

  property({
    proves: ['DEC-42', 'SE-18'],
    name: 'exposes no other user column through a session callback that returns its session',
    story:
      'An application adds a passwordHash to its users, and every page of the site sends it to the browser.',
    advice:
      'Pass the session callback a user with id, name, email and image. The rest is in the `user` parameter.',
    needs: ['setup'],
    setups: idioms,
    runs: 40,
    input: fc.record({ method: fc.constantFrom('alpha', 'beta', 'plain'), updates: fc.boolean() }),
    async run(world, { method, updates }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(method, ada)
      for (const user of world.rows.users) Object.assign(user, { passwordHash: canary, role: canary })
      const { text, json } = updates
        ? await update(world, browser, { theme: 'dark' })
        : await browser.readSession()
      world.assume(member(json, 'user', 'email') === ada.address[method], 'the session has no address')
      world.check('SE-18', !text.includes(canary), `the session shows a column of the user: ${text}`)
      // One of the callbacks adds the id.
      const shown = Object.keys(member(json, 'user') ?? {})
      const others = shown.filter((name) => !['id', 'name', 'email', 'image'].includes(name))
      world.check('DEC-42', others.length === 0, `the user of the session also has ${others.join(', ')}`)
    },
  }),

  property({
    proves: ['SE-19'],
    name: 'passes an update to callbacks, and changes nothing by itself',
    story: 'A page posts `{ "user": { "role": "admin" } }`, and its user becomes an administrator.',
    advice: 'Pass update data to the callbacks as `session` or `newSession`. Never merge it.',
    needs: ['hooks'],
    setups: {
      database: { config: standard },
      jwt: { strategy: 'jwt', config: standard },
      'database, unchanged': {},
      'jwt, unchanged': { strategy: 'jwt' },
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
                .decode({ token: sessionTokenOf(browser), secret, salt: sessionName(world, browser) })
                .catch(() => null),
            )
          : ''
      const before = await browser.readSession()
      const [claims, users] = [await claimsOf(), JSON.stringify(world.rows.users)]
      world.recorded.callbacks.length = 0
      const reply = await update(world, browser, data)
      world.assume(isSignedIn(reply), 'the update was refused')
      const calls = [...world.recorded.callbacks]
      const after = await browser.readSession()
      const same = (a: unknown, b: unknown) =>
        JSON.stringify(member(a, 'user')) === JSON.stringify(member(b, 'user'))
      world.check('SE-19', same(before.json, reply.json), `the update changed its response: ${reply.text}`)
      world.check('SE-19', same(before.json, after.json), `the update changed the session: ${after.text}`)
      world.check(
        'SE-19',
        findExtraMembers(reply.json).length + findExtraMembers(after.json).length === 0,
        `the session shows more: ${after.text}`,
      )
      world.check('SE-19', (await claimsOf()) === claims, 'the update changed the claims of the token')
      world.check('SE-19', JSON.stringify(world.rows.users) === users, 'the update changed the stored user')
      const isPassed = calls.some(({ params }) =>
        [params.session, params.newSession].some((each) => says(each, canary)),
      )
      if (calls.length > 0) world.check('SE-19', isPassed, 'no callback received the update')
      for (const { name, params } of calls)
        for (const [part, value] of Object.entries(params)) {
          const isExpected = name === 'jwt' ? part === 'session' : part === 'newSession'
          world.check(
            'SE-19',
            isExpected || !says(value, canary),
            `the ${name} callback receives the update as ${part}`,
          )
        }
    },
  }),
]

/** Returns whether a value contains the word anywhere. */
function says(value: unknown, word: string): boolean {
  return (JSON.stringify(value) ?? '').includes(word)
}
