import fc from 'fast-check'
import { openRace } from '../world/race.ts'
import { member } from '../world/reply.ts'
import { property, type Property } from './property.ts'
import { heldBy, isSignedIn, readWith, refuses } from './support/sessions.ts'
import { count, scheduler, tabsOf } from './support/races.ts'

/** Mostly one after the other. */
const later = fc.oneof(
  { weight: 4, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
)

export const neighbourProperties: readonly Property[] = [
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
