import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import { openRace } from '../world/race.ts'
import { member, type Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { heldBy, isSignedIn, moveTo, readWith, refuses, sessionOf } from './support/sessions.ts'

const count = fc.integer({ min: 2, max: 3 })
/** The last member wherever it is used: of a record, fast-check loses what comes after one that has to be cloned. */
const scheduler = fc.scheduler()
/** Mostly one after the other. */
const later = fc.oneof(
  { weight: 4, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
)

/** Another sign-in may then find a user who has no account yet. */
const byAddress = { allowDangerousEmailAccountLinking: true }

interface Profile {
  readonly sub: string
  readonly name: string
}

/** As many tabs of one browser as it says, as it is now. */
function tabsOf(world: World, browser: Browser, many: number): Browser[] {
  return Array.from({ length: many }, () => moveTo(world, browser, world.people.ada))
}

/** Whoever is told to be in is in, and nobody else; rows belong to somebody, and are there once. */
async function expectConsistent(
  world: World,
  browsers: readonly Browser[],
  replies: readonly Reply[],
): Promise<void> {
  for (const [n, browser] of browsers.entries()) {
    const reply = replies[n]
    if (!reply) continue
    const isIn = isSignedIn(await browser.readSession())
    world.hold(
      'CC-01',
      isIn !== refuses(reply),
      `a sign-in that ${isIn ? 'failed' : 'went well'} left the browser ${isIn ? 'in' : 'out'}`,
    )
    world.hold(
      'CC-01',
      reply.status < 500,
      `a sign-in among others is answered with ${reply.failure ?? reply.status}`,
    )
  }
  const { users, accounts, sessions } = world.rows
  const ids = new Set(users.map(({ id }) => id))
  world.hold(
    'CC-01',
    [...accounts, ...sessions].every(({ userId }) => ids.has(userId)),
    'a row is left without its user',
  )
}

export const raceProperties: readonly Property[] = [
  property({
    proves: ['CC-01', 'AL-02'],
    name: 'first sign-ins of one account at once make one user and one account',
    story: 'A double click makes two users of one person, one of whom nobody can ever reach again.',
    advice: 'Rely on the unique keys of the store: on a conflict read again, and go on with what is there.',
    needs: ['store'],
    setups: {
      database: {},
      jwt: { strategy: 'jwt', config: { adapter: true } },
      'linking by address': { provider: { alpha: byAddress, plain: byAddress } },
    },
    runs: 30,
    reaches: { 'many choices': 10 },
    input: fc.record({ count, door: fc.constantFrom('alpha', 'plain'), scheduler }),
    async run(world, input) {
      const { ada } = world.people
      const browsers = Array.from({ length: input.count }, () => world.browser('ada'))
      const arrivals = []
      for (const browser of browsers) arrivals.push([browser, await browser.visit(input.door, ada)] as const)
      const race = openRace(input.scheduler)
      world.enter(race)
      const replies = await race.run(
        arrivals.map(
          ([browser, arrival]) =>
            () =>
              browser.arrive(arrival),
        ),
      )
      const { users, accounts } = world.rows
      world.hold(
        'CC-01',
        users.length === 1,
        `${input.count} first sign-ins at once made ${users.length} users`,
      )
      world.hold(
        'CC-01',
        accounts.length === 1,
        `${input.count} first sign-ins at once made ${accounts.length} accounts`,
      )
      const owners = new Set(accounts.map(({ providerAccountId }) => providerAccountId))
      world.hold('AL-02', owners.size === accounts.length, 'one account belongs to two users')
      await expectConsistent(world, browsers, replies)
      await world.browser('ada').signIn(input.door, ada)
      if (race.choices() > 5) world.reach('many choices')
    },
  }),
  property({
    proves: ['CC-01'],
    name: 'first sign-ins at once of an account without an address make one user',
    story: 'A double click leaves a user behind whom nobody can ever reach.',
    advice: 'Take back the user that was made for an account which could not be linked.',
    needs: ['store', 'setup'],
    setups: {
      database: { provider: { plain: { profile: ({ sub, name }: Profile) => ({ id: sub, name }) } } },
    },
    runs: 30,
    input: fc.record({ count, scheduler }),
    async run(world, input) {
      const { ada } = world.people
      const browsers = Array.from({ length: input.count }, () => world.browser('ada'))
      const arrivals = []
      for (const browser of browsers) arrivals.push([browser, await browser.visit('plain', ada)] as const)
      const race = openRace(input.scheduler)
      world.enter(race)
      const replies = await race.run(
        arrivals.map(
          ([browser, arrival]) =>
            () =>
              browser.arrive(arrival),
        ),
      )
      const made = world.rows.users.length
      world.hold('CC-01', made === 1, `${input.count} first sign-ins at once made ${made} users`)
      await expectConsistent(world, browsers, replies)
      world.hold(
        'CC-01',
        replies.some((reply) => !refuses(reply)),
        'of many sign-ins none went well',
      )
    },
  }),
  property({
    proves: ['CC-06'],
    name: 'no update of a stored session that was acknowledged is lost',
    story: 'Two tabs change settings at once; both are told that it is done, and one is lost.',
    advice: 'Hand each update to the session callback before it is acknowledged.',
    needs: ['hooks', 'setup'],
    setups: {
      database: {
        config: {
          session: { updateAge: 0 },
          callbacks: {
            session: ({ session, user }: { session: { expires: unknown }; user: object }) => ({
              user,
              expires: session.expires,
            }),
          },
        },
      },
    },
    runs: 25,
    input: fc.record({ count, scheduler }),
    async run(world, input) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const csrfToken = await browser.csrfToken()
      const race = openRace(input.scheduler)
      world.enter(race)
      const statuses = await race.run(
        Array.from({ length: input.count }, (_, n) => async () => {
          const sending = { json: { csrfToken, data: `news ${n}` }, says: 'updates its session' }
          return (await browser.send(`${world.basePath}/session`, sending)).status
        }),
      )
      const told = world.told.callbacks.map(({ params }) => params.newSession)
      for (const [n, status] of statuses.entries())
        world.hold(
          'CC-06',
          status !== 200 || told.includes(`news ${n}`),
          'an update was acknowledged that no callback saw',
        )
      world.demand(statuses.includes(200), 'no update was acknowledged')
      world.hold(
        'CC-06',
        isSignedIn(await browser.readSession()),
        'after updates at once the session is gone',
      )
    },
  }),
  property({
    proves: ['AL-02'],
    name: 'one account that is linked to two users at once ends with one of them',
    story: 'Two people share a computer; the account of one ends with both.',
    advice: 'Let the store refuse the second link, and tell whoever came second.',
    needs: ['store'],
    runs: 25,
    input: fc.record({ isNew: fc.boolean(), scheduler }),
    async run(world, input) {
      const { ada } = world.people
      const browsers = [world.browser('ada'), world.browser('ada')] as const
      await browsers[0].signIn('alpha', ada)
      if (!input.isNew) await browsers[1].signIn('plain', ada)
      const arrivals = [await browsers[0].visit('beta', ada), await browsers[1].visit('beta', ada)] as const
      const race = openRace(input.scheduler)
      world.enter(race)
      const replies = await race.run([
        () => browsers[0].arrive(arrivals[0]),
        () => browsers[1].arrive(arrivals[1]),
      ])
      const owned = world.rows.accounts.filter(({ provider }) => provider === 'beta')
      world.hold(
        'AL-02',
        new Set(owned.map(({ userId }) => userId)).size === 1,
        `the account belongs to ${owned.length} users`,
      )
      const linked = replies.filter((reply) => !refuses(reply)).length
      if (!input.isNew)
        world.hold('AL-02', linked === 1, `${linked} users were told that the account is theirs`)
    },
  }),
  property({
    proves: ['CC-02'],
    name: 'sign-ins by mail to one new address at once make one user',
    story: 'Somebody who asked for two links, and opened both, is two users from then on.',
    advice: 'Rely on the unique address: on a conflict read again, and go on with who is there.',
    needs: ['store'],
    setups: { database: {}, jwt: { strategy: 'jwt', config: { adapter: true } } },
    runs: 25,
    input: fc.record({ count, scheduler }),
    async run(world, input) {
      const { ada } = world.people
      const browsers = Array.from({ length: input.count }, () => world.browser('ada'))
      const mails = []
      for (const browser of browsers) mails.push([browser, await browser.askLink(ada.address.mail)] as const)
      const race = openRace(input.scheduler)
      world.enter(race)
      const replies = await race.run(
        mails.map(
          ([browser, mail]) =>
            () =>
              browser.followLink(mail),
        ),
      )
      const made = world.rows.users.length
      world.hold('CC-02', made === 1, `${input.count} links to one address made ${made} users`)
      const [row] = world.rows.users
      const announced = world.told.events.flatMap(({ event, message }) =>
        event === 'signIn' ? [member(message, 'user', 'id')] : [],
      )
      world.hold(
        'CC-02',
        announced.every((id) => id === row?.id),
        'somebody is signed in who is not the one user',
      )
      for (const [n, browser] of browsers.entries()) {
        const reply = replies[n]
        const isIn = isSignedIn(await browser.readSession())
        if (reply)
          world.hold('CC-02', isIn !== refuses(reply), 'what a sign-in is told is not what came of it')
      }
      world.hold(
        'CC-02',
        replies.some((reply) => !refuses(reply)),
        'of many links none opens a session',
      )
    },
  }),
  ...(['database', 'jwt'] as const).map((strategy) =>
    property({
      proves: ['CC-03', 'CC-04'],
      name: `once a sign-out has answered, nothing brings the session back (${strategy})`,
      story: 'A slow request of another tab, answered after the sign-out, signs the user in again.',
      advice: 'Extend a row only where it is; set the cookie only from what the store says it did.',
      needs: ['setup'],
      setups: { [strategy]: { strategy, config: { session: { updateAge: 0 } } } },
      runs: 40,
      reaches: { 'beside others': 10 },
      input: fc.record({
        acts: fc.array(fc.constantFrom('read', 'update', 'csrf'), { minLength: 1, maxLength: 3 }),
        scheduler,
      }),
      async run(world, input) {
        const { ada } = world.people
        const browser = world.browser('ada')
        await browser.signIn('alpha', ada)
        const csrfToken = await browser.csrfToken()
        if (world.features.has('clock')) world.pass(5)
        const held = sessionOf(browser.cookies())
        const tabs = tabsOf(world, browser, input.acts.length)
        const isFinal = strategy === 'database' || world.capabilities.has('jwt-revocation')
        const race = openRace(input.scheduler)
        world.enter(race)
        await race.run([
          () => browser.send(`${world.basePath}/signout`, { form: { csrfToken }, says: 'signs out' }),
          ...input.acts.map((act, n) => () => {
            const tab = tabs[n] ?? browser
            if (act === 'update')
              return tab.send(`${world.basePath}/session`, {
                json: { csrfToken, data: 'news' },
                says: 'updates its session',
              })
            return act === 'read' ? tab.readSession() : tab.send(`${world.basePath}/csrf`)
          }),
        ])
        world.reach('beside others')
        world.hold(
          'CC-03',
          !isSignedIn(await browser.readSession()),
          'the browser is signed in after its sign-out',
        )
        if (!isFinal) return
        for (const tab of [browser, ...tabs])
          world.hold('CC-03', !isSignedIn(await tab.readSession()), 'a tab is signed in after the sign-out')
        world.hold(
          'CC-03',
          !isSignedIn(await readWith(world, held)),
          'the old cookie is a session after the sign-out',
        )
        if (world.features.has('store'))
          world.hold(
            'CC-04',
            world.rows.sessions.length === 0,
            'the row of the session is there after the sign-out',
          )
      },
    }),
  ),
  property({
    proves: ['CC-05'],
    name: 'extensions at once take no expiry back, and one of them is enough',
    story: 'Two tabs that load at once shorten the session, or write to the store without end.',
    advice: 'Count the next extension from the expiry that is stored.',
    needs: ['clock', 'store', 'setup'],
    setups: { database: { config: { session: { maxAge: 1000, updateAge: 100 } } } },
    runs: 30,
    input: fc.record({
      count: fc.integer({ min: 2, max: 4 }),
      gap: fc.integer({ min: 100, max: 600 }),
      scheduler,
    }),
    async run(world, input) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      world.pass(input.gap)
      const tabs = tabsOf(world, browser, input.count)
      const stored = () => world.rows.sessions[0]?.expires.getTime() ?? 0
      const before = stored()
      const race = openRace(input.scheduler)
      world.enter(race)
      world.plan.arm('store.updateSession')
      const replies = await race.run(tabs.map((tab) => () => tab.readSession()))
      for (const reply of replies)
        world.hold('CC-05', isSignedIn(reply), 'an extension beside others ended the session')
      world.hold('CC-05', stored() >= before, 'extensions at once took the expiry back')
      world.hold(
        'CC-05',
        stored() === world.clock.now() + 1_000_000,
        'after extensions at once the row is of another length',
      )
      const written = world.plan.calls.length
      world.hold('CC-05', isSignedIn(await browser.readSession()), 'the session is gone')
      world.hold('CC-05', world.plan.calls.length === written, 'one more access in the same time wrote again')
    },
  }),
  property({
    proves: ['CC-06'],
    name: 'of updates at once none that was acknowledged is lost, or the last one stays whole',
    story: 'Two tabs change settings at once, and what is stored is of neither.',
    advice: 'Hand each update to the callbacks; let the last response win as a whole.',
    needs: ['setup'],
    setups: {
      jwt: {
        strategy: 'jwt',
        config: {
          callbacks: {
            jwt: ({ token, session }: { token: object; session?: object }) => ({ ...token, ...session }),
            session: ({ session, token }: { session: object; token: { left?: number; right?: number } }) => ({
              ...session,
              left: token.left,
              right: token.right,
            }),
          },
        },
      },
    },
    runs: 30,
    input: fc.record({ count, scheduler }),
    async run(world, input) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const csrfToken = await browser.csrfToken()
      const answered: number[] = []
      const race = openRace(input.scheduler)
      world.enter(race)
      await race.run(
        Array.from({ length: input.count }, (_, n) => async () => {
          const { json, status } = await browser.send(`${world.basePath}/session`, {
            json: { csrfToken, data: { left: n, right: n } },
            says: 'updates its session',
          })
          world.hold(
            'CC-06',
            status === 200 && member(json, 'left') === n,
            'an update is not acknowledged with what it says',
          )
          answered.push(n)
        }),
      )
      const { json } = await browser.readSession()
      const [left, right] = [member(json, 'left'), member(json, 'right')]
      world.hold(
        'CC-06',
        left === right,
        `the session has parts of two updates: ${String(left)} and ${String(right)}`,
      )
      world.hold('CC-06', left === answered.at(-1), 'the update whose answer came last is lost')
    },
  }),
  property({
    proves: ['CC-07'],
    name: 'two applications in one process know nothing of each other, in whatever order they are asked',
    story: 'One tenant’s session, provider or setting counts for another one.',
    advice: 'Keep nothing in modules that depends on a configuration, but under a key of all of it.',
    needs: ['setup', 'store'],
    setups: {
      database: {},
      jwt: { strategy: 'jwt', config: { adapter: true } },
    },
    runs: 30,
    reaches: { together: 4 },
    input: fc.record({
      order: fc.array(fc.boolean(), { minLength: 2, maxLength: 6 }),
      strategy: fc.constantFrom('jwt', 'database'),
      together: fc.boolean(),
      scheduler,
    }),
    async run(world, input) {
      const { ada, bob } = world.people
      const other = await world.another(
        {
          strategy: input.strategy,
          providers: ['beta', 'alpha'],
          config: {
            adapter: true,
            secret: 'the secret of another tenant, also long enough',
            session: { maxAge: 5000 },
          },
        },
        'own',
      )
      const one = { world, browser: world.browser('ada'), person: ada, door: 'alpha' } as const
      const two = { world: other, browser: other.browser('bob'), person: bob, door: 'beta' } as const
      const tenants = [one, two]
      const visit = ({ browser, door, person }: typeof one | typeof two) => browser.visit(door, person)
      if (input.together) {
        const arrivals = [await visit(one), await visit(two)] as const
        const race = openRace(input.scheduler)
        world.enter(race)
        await race.run([() => one.browser.arrive(arrivals[0]), () => two.browser.arrive(arrivals[1])])
        world.reach('together')
      }
      for (const isOne of input.order) {
        const { browser, door, person } = isOne ? one : two
        await browser.arrive(await browser.visit(door, person))
      }
      for (const { browser, person, door } of tenants)
        if (input.together || input.order.includes(door === 'alpha')) {
          const me = await browser.whoAmI()
          world.hold('CC-07', me === person.name, `beside another application ${person.name} cannot sign in`)
        }
      const addresses = (rows: typeof world.rows) => rows.users.map(({ email }) => email).join(' ')
      world.hold(
        'CC-07',
        !addresses(world.rows).includes('bob') && !addresses(other.rows).includes('ada'),
        'a user is stored with another tenant',
      )
      for (const [from, to] of [
        [one, two],
        [two, one],
      ] as const) {
        if (heldBy(from.browser) === '') continue
        const reply = await readWith(to.world, from.browser.cookies())
        world.hold(
          'CC-07',
          !isSignedIn(reply) && reply.status < 500,
          'a session of one application is one of the other',
        )
        const { json } = await to.world.send(new Request(to.world.url('providers')))
        const names = Object.keys(Object(json))
        world.hold(
          'CC-07',
          names.includes('plain') === (to === one),
          `an application shows the providers ${names.join(', ')}`,
        )
      }
      if (heldBy(two.browser) !== '') {
        const ends = Date.parse(String(member((await two.browser.readSession()).json, 'expires')))
        world.hold(
          'CC-07',
          ends === other.clock.now() + 5_000_000,
          'sessions of one application last as long as those of the other',
        )
      }
    },
  }),
  property({
    proves: ['CC-08'],
    name: 'one answer of a provider that arrives many times is sent to it once',
    story: 'A reload sends a code twice, and the provider revokes every token that came of it.',
    advice: 'Spend the check cookies of a sign-in before its code is sent.',
    runs: 20,
    input: fc.record({
      count,
      door: fc.constantFrom('alpha', 'plain'),
      isLater: later,
      fails: fc.boolean(),
      scheduler,
    }),
    async run(world, input) {
      const browser = world.browser('ada')
      if (input.fails) world.idps[input.door].misbehave('token:500')
      const arrival = await browser.visit(input.door, world.people.ada)
      world.idps[input.door].misbehave()
      const code = arrival.parameters.get('code') ?? ''
      // Of requests at once only a server that keeps the check itself can tell which is the first.
      const isLater = input.isLater || !world.capabilities.has('server-side-checks')
      if (isLater) for (let n = 0; n <= input.count; n++) await browser.arrive(arrival)
      else {
        const tabs = tabsOf(world, browser, input.count)
        const race = openRace(input.scheduler)
        world.enter(race)
        await race.run(tabs.map((tab) => () => tab.arrive(arrival)))
      }
      if (!world.features.has('store')) return
      const times = world.network.sent.filter(
        ({ body }) => new URLSearchParams(body).get('code') === code,
      ).length
      world.hold('CC-08', times <= 1, `one code was sent to the token endpoint ${times} times`)
      world.demand(times === 1, 'the code was never sent')
    },
  }),
  property({
    proves: ['CC-11'],
    name: 'what is kept of one provider serves no other one',
    story: 'Metadata or keys of one tenant’s provider check the tokens of another’s.',
    advice: 'Put everything that affects an answer into the key under which it is kept.',
    needs: ['setup', 'store'],
    runs: 20,
    input: fc.record({
      first: fc.constantFrom('alpha', 'beta'),
      rotates: fc.boolean(),
      same: fc.boolean(),
    }),
    async run(world, input) {
      const { ada, bob } = world.people
      const second = input.first === 'alpha' ? 'beta' : 'alpha'
      await world.browser('ada').signIn(input.first, ada)
      const started = await world.browser('bob').start(second)
      const to = started.location?.origin
      world.hold(
        'CC-11',
        to === world.idps[second].issuer,
        `after others a sign-in at ${second} leads to ${to ?? 'nowhere'}`,
      )
      await world.browser('bob').signIn(second, bob)
      if (input.rotates) {
        world.idps[second].rotate()
        world.pass(120)
      }
      const other = await world.another(
        { config: { secret: 'the secret of another tenant, also long enough' } },
        input.same ? 'same' : 'own',
      )
      const browser = other.browser('bob')
      const reply = await browser.arrive(await browser.visit(second, bob))
      world.hold(
        'CC-11',
        !refuses(reply) && (await browser.whoAmI()) === bob.name,
        `after others nobody can sign in at ${second}`,
      )
    },
  }),
]
