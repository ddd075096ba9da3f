import fc from 'fast-check'
import { openRace } from '../../world/race.ts'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { sessionTokenOf, isSignedIn, readWith, refuses } from '../support/sessions.ts'
import { count, scheduler, tabsOf } from '../support/races.ts'

/** Mostly sequential. */
const later = fc.oneof(
  { weight: 4, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
)

export const isolationProperties: readonly Property[] = [
  property({
    proves: ['CC-07'],
    name: 'keeps two applications in one process apart',
    story: 'One tenant’s session, provider or setting applies to another.',
    advice:
      'Keep no configuration-dependent state in modules, except under a key that covers the whole configuration.',
    needs: ['setup', 'store'],
    setups: {
      database: {},
      jwt: { strategy: 'jwt', config: { adapter: true } },
    },
    runs: 30,
    reaches: { together: 4 },
    parts: [{ together: true }, { together: false }],
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
      const one = { world, browser: world.browser('ada'), person: ada, method: 'alpha' } as const
      const two = { world: other, browser: other.browser('bob'), person: bob, method: 'beta' } as const
      const tenants = [one, two]
      const visit = ({ browser, method, person }: typeof one | typeof two) => browser.visit(method, person)
      if (input.together) {
        const arrivals = [await visit(one), await visit(two)] as const
        const race = openRace(input.scheduler)
        world.enter(race)
        await race.run([() => one.browser.arrive(arrivals[0]), () => two.browser.arrive(arrivals[1])])
        world.reach('together')
      }
      for (const isOne of input.order) {
        const { browser, method, person } = isOne ? one : two
        await browser.arrive(await browser.visit(method, person))
      }
      for (const { browser, person, method } of tenants)
        if (input.together || input.order.includes(method === 'alpha')) {
          const me = await browser.whoAmI()
          world.check('CC-07', me === person.name, `${person.name} cannot sign in beside another application`)
        }
      const addresses = (rows: typeof world.rows) => rows.users.map(({ email }) => email).join(' ')
      world.check(
        'CC-07',
        !addresses(world.rows).includes('bob') && !addresses(other.rows).includes('ada'),
        'a user is stored with another tenant',
      )
      for (const [from, to] of [
        [one, two],
        [two, one],
      ] as const) {
        if (sessionTokenOf(from.browser) === '') continue
        const reply = await readWith(to.world, from.browser.cookies())
        world.check(
          'CC-07',
          !isSignedIn(reply) && reply.status < 500,
          'a session of one application is accepted by the other',
        )
        const { json } = await to.world.send(new Request(to.world.url('providers')))
        const names = Object.keys(Object(json))
        world.check(
          'CC-07',
          names.includes('plain') === (to === one),
          `an application lists the providers ${names.join(', ')}`,
        )
      }
      if (sessionTokenOf(two.browser) !== '') {
        const ends = Date.parse(String(member((await two.browser.readSession()).json, 'expires')))
        world.check(
          'CC-07',
          ends === other.clock.now() + 5_000_000,
          'sessions of one application last as long as those of the other',
        )
      }
    },
  }),

  property({
    proves: ['CC-08'],
    name: 'sends a code to the provider once, however often the response arrives',
    story: 'A reload sends a code twice, and the provider revokes every token issued from it.',
    advice: 'Consume the check cookies of a sign-in before you send its code.',
    needs: ['store'],
    runs: 20,
    input: fc.record({
      count,
      method: fc.constantFrom('alpha', 'plain'),
      isLater: later,
      fails: fc.boolean(),
      scheduler,
    }),
    async run(world, input) {
      const browser = world.browser('ada')
      if (input.fails) world.idps[input.method].misbehave('token:500')
      const arrival = await browser.visit(input.method, world.people.ada)
      world.idps[input.method].misbehave()
      const code = arrival.parameters.get('code') ?? ''
      // With concurrent requests, only a server that stores the check itself can tell which came first.
      const isLater = input.isLater || !world.capabilities.has('server-side-checks')
      if (isLater) for (let n = 0; n <= input.count; n++) await browser.arrive(arrival)
      else {
        const tabs = tabsOf(world, browser, input.count)
        const race = openRace(input.scheduler)
        world.enter(race)
        await race.run(tabs.map((tab) => () => tab.arrive(arrival)))
      }
      const times = world.network.sent.filter(
        ({ body }) => new URLSearchParams(body).get('code') === code,
      ).length
      world.check('CC-08', times <= 1, `one code was sent to the token endpoint ${times} times`)
      world.assume(times === 1, 'the code was never sent')
    },
  }),

  property({
    proves: ['CC-11'],
    name: 'does not use one provider’s cached metadata or keys for another',
    story: 'Metadata or keys of one tenant’s provider validate tokens of another’s.',
    advice: 'Include everything that affects a response in its cache key.',
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
      world.check(
        'CC-11',
        to === world.idps[second].issuer,
        `after a sign-in at another provider, one at ${second} redirects to ${to ?? 'nowhere'}`,
      )
      await world.browser('bob').signIn(second, bob)
      if (input.rotates) {
        world.idps[second].rotate()
        world.advance(120)
      }
      // A store contains values that only its own secret decrypts.
      const other = input.same
        ? await world.another({}, 'same')
        : await world.another({ config: { secret: 'the secret of another tenant, also long enough' } }, 'own')
      const browser = other.browser('bob')
      const reply = await browser.arrive(await browser.visit(second, bob))
      world.check(
        'CC-11',
        !refuses(reply) && (await browser.whoAmI()) === bob.name,
        `after a sign-in at another provider, nobody can sign in at ${second}`,
      )
    },
  }),
]
