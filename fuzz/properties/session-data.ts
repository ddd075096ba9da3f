import fc from 'fast-check'
import { secret } from '../targets/configure.ts'
import { people } from '../world/people.ts'
import { member } from '../world/reply.ts'
import { openRace } from '../world/race.ts'
import type { World } from '../world/world.ts'
import { bothStrategies, property, type Property } from './property.ts'
import {
  heldBy,
  isSignedIn,
  issuedBy,
  moveTo,
  readWith,
  refuses,
  sessionName,
  sessionOf,
  update,
} from './support/sessions.ts'

const doors = fc.constantFrom('alpha', 'beta', 'plain', 'mail')
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

/** Bits that an id can have, by the characters that samples have at each place. */
function bitsOf(samples: readonly string[]): number {
  const places = Array.from(
    { length: Math.min(...samples.map(({ length }) => length)) },
    (_, at) => new Set(samples.map((sample) => sample[at])),
  )
  const varying = places.filter(({ size }) => size > 8)
  const alphabet = new Set(varying.flatMap((place) => [...place])).size
  return places.reduce((bits, { size }) => bits + Math.log2(size > 8 ? alphabet : size), 0)
}

/** The longest piece that two texts share. */
function sharedPiece(a: string, b: string): string {
  let longest = ''
  for (let from = 0; from < a.length; from++)
    while (from + longest.length < a.length && b.includes(a.slice(from, from + longest.length + 1)))
      longest = a.slice(from, from + longest.length + 1)
  return longest
}

/** A text, and what it says if it is encoded. */
function readings(text: string): string {
  const plain = text.split(/[.|:~]/).map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  return [text, decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')), ...plain].join('\n')
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

export const sessionDataProperties: readonly Property[] = [
  property({
    proves: ['SE-15'],
    name: 'ids of sessions have 128 bits, and never come twice',
    story: 'Somebody guesses the id of a session.',
    advice: 'Draw 16 bytes or more from crypto.getRandomValues; a UUID of version 4 has 122 bits.',
    runs: 3,
    async run(world) {
      const { ada } = world.people
      const { random } = Math
      const ids: string[] = []
      try {
        // Were they drawn from it, they would come again and again.
        Math.random = () => 0.5
        for (let n = 0; n < 64; n++) {
          const browser = world.browser('ada')
          const [issued] = issuedBy(await browser.arrive(await browser.visit('alpha', ada)))
          world.demand(issued !== undefined, 'nobody is signed in')
          ids.push(issued?.value ?? '')
        }
      } finally {
        Math.random = random
      }
      world.hold('SE-15', new Set(ids).size === ids.length, 'two sessions have the same id')
      const bits = bitsOf(ids)
      world.hold(
        'SE-15',
        bits >= 128,
        `the ids of sessions have about ${Math.round(bits)} bits, as ${ids[0] ?? ''}`,
      )
    },
  }),
  property({
    proves: ['SE-16'],
    name: 'the cookie of a stored session holds its id, and nothing about its user',
    story: 'Whoever sees a cookie reads from it who it belongs to, and what else belongs to them.',
    advice: 'Put the session token into the cookie as it is.',
    runs: 30,
    input: fc.record({ door: doors, other: doors }),
    async run(world, { door, other }) {
      const { ada, bob } = world.people
      const come = async (person: typeof ada, by: typeof door) => {
        const browser = world.browser(person.name)
        const reply =
          by === 'mail'
            ? await browser.followLink(await browser.askLink(person.address.mail))
            : await browser.arrive(await browser.visit(by, person))
        world.demand(issuedBy(reply).length > 0, 'a sign-in issued no session')
        return heldBy(browser)
      }
      const first = await come(ada, door)
      const second = await come(ada, door)
      const foreign = await come(bob, other)
      const shared = sharedPiece(first, second)
      world.hold(
        'SE-16',
        shared.length < 12 || foreign.includes(shared),
        `two sessions of one user share ${shared} in their cookies, which that of another user does not`,
      )
      const rows = world.features.has('store') ? world.rows : undefined
      const known = [
        ...Object.values(ada.address),
        ...(rows?.users.map(({ id }) => id) ?? []),
        ...(rows?.accounts.flatMap((account) => [
          account.providerAccountId,
          typeof account.access_token === 'string' ? account.access_token : '-',
        ]) ?? []),
      ].filter((text) => text.length > 5)
      const text = readings(first)
      const told = known.filter((each) => text.includes(each))
      world.hold('SE-16', told.length === 0, `the session cookie tells ${told.join(', ')}`)
    },
  }),
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
  property({
    proves: ['SE-09'],
    name: 'a lower maxAge shortens the sessions that are there',
    story: 'An operator shortens sessions after an incident, and those of the attacker live on for a month.',
    advice: 'Cut a row that expires after now + maxAge when it is read.',
    needs: ['clock', 'store', 'setup'],
    setups: { database: { config: { session: { maxAge: 1_000_000 } } } },
    runs: 30,
    input: fc.record({
      maxAge: fc.integer({ min: 100, max: 500_000 }),
      after: fc.integer({ min: 0, max: 50_000 }),
    }),
    async run(world, { maxAge, after }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const later = await world.another({ config: { session: { maxAge } } }, 'same')
      world.pass(after)
      const moved = moveTo(later, browser, ada)
      const { json } = await moved.readSession()
      const latest = world.clock.now() + maxAge * 1000 + 1000
      const expires = member(json, 'expires')
      if (typeof expires === 'string')
        world.hold('SE-09', Date.parse(expires) <= latest, `a session is shown to last until ${expires}`)
      const row = world.rows.sessions[0]
      world.hold('SE-09', !row || row.expires.getTime() <= latest, 'the row lasts longer than maxAge')
      const held = sessionOf(moved.cookies())
      world.pass(maxAge + 2)
      world.hold(
        'SE-09',
        !isSignedIn(await readWith(later, held)),
        'the session lasts longer than the new maxAge',
      )
      await later.browser('ada').signIn('alpha', ada)
    },
  }),
  property({
    proves: ['SE-21'],
    name: 'a session of one strategy is none under the other',
    story:
      'A token that is not in the store, or an id that was never signed, opens a session after a redeployment.',
    advice: 'Look a cookie up in one way only: that of the configured strategy.',
    needs: ['setup'],
    setups: bothStrategies,
    runs: 30,
    input: fc.constantFrom('alpha', 'beta', 'plain'),
    async run(world, door) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(door, ada)
      const isStored = world.rows.sessions.length > 0
      const other = await world.another(
        isStored ? { strategy: 'jwt', config: { adapter: true } } : {},
        'same',
      )
      const moved = moveTo(other, browser, ada)
      const reply = await moved.readSession()
      const from = isStored ? 'the id of a stored session' : 'a signed token'
      world.hold(
        'SE-21',
        !isSignedIn(reply) && reply.status < 500,
        `${from} is a session under the other strategy`,
      )
      await moved.signIn(door, ada)
    },
  }),
  property({
    proves: ['SE-21'],
    name: 'passwords with stored sessions work, or are refused from the start',
    story: 'An application goes live in which nobody can sign in, and nothing says why.',
    advice: 'Store a session for the user that authorize names, or refuse the configuration.',
    needs: ['store'],
    setups: { 'passwords alone': { providers: ['form'] }, 'beside others': { providers: ['alpha', 'form'] } },
    runs: 15,
    async run(world) {
      const { ada } = world.people
      world.rows.users.push({ id: 'ada-by-form', name: 'ada', email: ada.address.form, emailVerified: null })
      const browser = world.browser('ada')
      const page = await browser.send(`${world.basePath}/providers`)
      if (page.status >= 500) return
      const reply = await browser.enterPassword(ada)
      world.hold(
        'SE-21',
        (await browser.whoAmI()) === 'ada',
        `the right password (${reply.location?.href ?? ''}) opens no session`,
      )
      const other = world.browser('eve')
      world.hold('SE-21', refuses(await other.enterPassword(ada, 'wrong')), 'a wrong password is no failure')
    },
  }),
  ...(['session', 'jwt', 'both'] as const).map((which) =>
    property({
      proves: ['SE-25'],
      name: `the expiry that is shown is never later than the real one (maxAge of ${which})`,
      story: 'A page promises a session that is gone already, and what was typed is lost.',
      advice: 'Show the smaller of what the session, the cookie and the token are good for.',
      needs: ['clock'],
      setups: {
        ...(which === 'session' && { database: { config: { session: { maxAge: 1000, updateAge: 1000 } } } }),
        jwt: {
          strategy: 'jwt',
          config: {
            session: { maxAge: which === 'jwt' ? 3000 : 1000 },
            ...(which !== 'session' && { jwt: { maxAge: which === 'jwt' ? 1000 : 3000 } }),
          },
        },
      },
      runs: 30,
      input: fc.record({
        accesses: fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.boolean()), { maxLength: 4 }),
        early: fc.integer({ min: 1, max: 900 }),
      }),
      async run(world: World, { accesses, early }: { accesses: [number, boolean][]; early: number }) {
        const browser = world.browser('ada')
        await browser.signIn('alpha', world.people.ada)
        let { json } = await browser.readSession()
        for (const [gap, isRead] of accesses) {
          world.pass(gap)
          const reply = isRead ? await browser.readSession() : await update(world, browser, null)
          if (!isSignedIn(reply)) return
          json = reply.json
        }
        const shown = Date.parse(String(member(json, 'expires')))
        const left = Math.floor((shown - world.clock.now()) / 1000)
        world.demand(left > 1, 'the session is about to end')
        const held = sessionOf(browser.cookies())
        world.pass(Math.max(1, left - early))
        const says = `the session is gone ${Math.min(early, left - 1)} s before the expiry that was shown`
        world.hold('SE-25', isSignedIn(await readWith(world, held)), says)
      },
    }),
  ),
  property({
    proves: ['SE-20'],
    name: 'requests at once: nobody is answered with anything of another',
    story: 'Two users click at the same moment, and one of them sees the page of the other.',
    advice: 'Keep everything about a request in values that belong to it; no state in modules.',
    needs: ['setup'],
    setups: {
      database: { config: { session: { updateAge: 0 } } },
      jwt: { strategy: 'jwt', config: { adapter: true } },
    },
    runs: 30,
    reaches: { 'read of two at once': 1 },
    input: fc.record({
      acts: fc.array(
        fc.array(fc.constantFrom('read', 'update', 'arrive', 'leave'), { minLength: 1, maxLength: 2 }),
        {
          minLength: 3,
          maxLength: 3,
        },
      ),
      // Last: of a record, fast-check loses what comes after a member that has to be cloned.
      scheduler: fc.scheduler(),
    }),
    async run(world, { scheduler, acts }) {
      const folk = [world.people.ada, world.people.bob, world.people.eve] as const
      const flows: (() => Promise<void>)[] = []
      const held = new Map<string, string>()
      const check = (
        name: string,
        { text, cookies }: { text: string; cookies: readonly { key: string; value: string }[] },
      ) => {
        for (const other of folk)
          if (other.name !== name)
            world.hold(
              'SE-20',
              !text.includes(`${other.name}@`),
              `${name} is answered with the address of ${other.name}`,
            )
        for (const { key, value } of cookies) {
          if (value.length < 20 || key.endsWith('callback-url')) continue
          world.hold(
            'SE-20',
            (held.get(value) ?? name) === name,
            `${name} is sent a cookie of ${held.get(value) ?? ''}: ${key}`,
          )
          held.set(value, name)
        }
      }
      for (const [n, person] of folk.entries()) {
        const browser = world.browser(person.name)
        await browser.signIn('alpha', person)
        for (const value of Object.values(browser.cookies()))
          if (value.length >= 20) held.set(value, held.get(value) ?? person.name)
        const csrfToken = await browser.csrfToken()
        const arrival = await browser.visit('beta', person)
        flows.push(async () => {
          for (const act of acts[n] ?? []) {
            if (act === 'read') check(person.name, await browser.readSession())
            else if (act === 'arrive') check(person.name, await browser.arrive(arrival))
            else
              check(
                person.name,
                await browser.send(`${world.basePath}/${act === 'leave' ? 'signout' : 'session'}`, {
                  ...(act === 'leave' ? { form: { csrfToken } } : { json: { csrfToken, data: person.name } }),
                  says: act === 'leave' ? 'signs out' : 'updates its session',
                }),
              )
          }
        })
      }
      const race = openRace(scheduler)
      world.enter(race)
      await race.run(flows)
      if (acts.filter((each) => each.includes('read')).length > 1) world.reach('read of two at once')
    },
  }),
]

/** Does a value say the word, anywhere? */
function says(value: unknown, word: string): boolean {
  return (JSON.stringify(value) ?? '').includes(word)
}
