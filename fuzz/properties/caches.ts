import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import { openRace } from '../world/race.ts'
import type { Reply } from '../world/reply.ts'
import { property, type Property } from './property.ts'
import { signInUnder } from './support/faulty.ts'

const host = 'http://localhost:4996'
/** Three providers of one host, of which the third withdraws its keys, and is the one that has those of the second. */
const oneHost: Setup = {
  provider: {
    alpha: { issuer: `${host}/alpha` },
    beta: { issuer: `${host}/beta` },
  },
  idp: {
    alpha: { issuer: `${host}/alpha` },
    beta: { issuer: `${host}/beta`, metadata: { jwks_uri: `${host}/plain/jwks` } },
    plain: { issuer: `${host}/plain` },
  },
}

const document = 'https://plain.example/.well-known/openid-configuration'
const endpoints = {
  issuer: 'https://alpha.example',
  authorization_endpoint: 'https://alpha.example/authorize',
  token_endpoint: 'https://alpha.example/token',
  userinfo_endpoint: 'https://alpha.example/userinfo',
  jwks_uri: 'https://alpha.example/jwks',
}

/** Two configurations of one provider that differ by what one of them allows, or expects. */
interface Pair {
  readonly idp: NonNullable<Setup['idp']>
  readonly lenient: Readonly<Record<string, unknown>>
  readonly strict: Readonly<Record<string, unknown>>
}
const pairs: Readonly<Record<string, Pair>> = {
  'keys over http': {
    idp: {
      alpha: { metadata: { jwks_uri: 'http://plain.example/jwks' } },
      plain: { issuer: 'http://plain.example' },
    },
    lenient: { allowInsecureRequests: true },
    strict: {},
  },
  'metadata over http': {
    idp: { plain: { issuer: 'http://plain.example', metadata: endpoints } },
    lenient: { wellKnown: document.replace('https', 'http'), allowInsecureRequests: true },
    strict: { wellKnown: document.replace('https', 'http') },
  },
  'the issuer of the metadata': {
    idp: { plain: { metadata: endpoints } },
    lenient: { wellKnown: document },
    strict: { wellKnown: document, issuer: 'https://beta.example' },
  },
}

export const cacheProperties: readonly Property[] = [
  property({
    proves: ['CC-11'],
    name: 'keys of one provider check no token of another one on the same host',
    story: 'A tenant whose keys were withdrawn goes on signing in by those of its neighbour.',
    advice: 'Keep keys under the whole address that they came from.',
    setups: { 'one host': oneHost },
    needs: ['clock'],
    runs: 10,
    input: fc.integer({ min: 1, max: 2900 }),
    async run(world, days) {
      world.pass(days * 86_400)
      world.idps.plain.rotate()
      // Where signatures are not looked at, no keys are kept.
      if (await signInUnder(world, 'beta')) return world.reach('not verified')
      await world.browser('ada').signIn('alpha', world.people.ada)
      const after = await signInUnder(world, 'beta')
      world.hold(
        'CC-11',
        !after,
        'after a sign-in at its neighbour, keys that beta does not show are good there',
      )
      world.reach('verified')
    },
  }),

  ...Object.entries(pairs).map(([about, { idp, lenient, strict }]) =>
    property({
      proves: ['CC-11', 'CC-07'],
      name: `what one application may use, another one that may not does not find there (${about})`,
      story: 'A tenant that allows plain http, or another issuer, opens the door of one that does not.',
      advice: 'Put every rule by which something was fetched and judged into the key under which it is kept.',
      setups: { strict: { idp, provider: { alpha: strict } } },
      needs: ['clock'],
      runs: 6,
      input: fc.integer({ min: 1, max: 2900 }),
      async run(world, days) {
        world.pass(days * 86_400)
        const before = await signInUnder(world, 'alpha')
        const other = await world.another({ provider: { alpha: lenient } }, 'own')
        world.demand(await signInUnder(other, 'alpha'), 'where it is allowed nobody can sign in')
        const after = await signInUnder(world, 'alpha')
        const words = (isIn: boolean) => (isIn ? 'signs somebody in' : 'refuses')
        world.hold(
          'CC-11',
          before === after,
          `an application that ${words(before)} ${words(after)} after another one was asked`,
        )
        world.reach(words(before))
      },
    }),
  ),

  property({
    proves: ['OI-11'],
    name: 'unknown keys that come at once are looked for once',
    story: 'Who has many tokens of unknown keys at hand makes the application flood its provider.',
    advice: 'Share the request for keys that is under way.',
    needs: ['clock'],
    runs: 12,
    input: fc.record({
      days: fc.integer({ min: 1, max: 2900 }),
      many: fc.integer({ min: 4, max: 6 }),
      scheduler: fc.scheduler(),
    }),
    async run(world, { days, many, scheduler }) {
      world.pass(days * 86_400)
      const { ada } = world.people
      const { alpha } = world.idps
      await world.browser('ada').signIn('alpha', ada)
      world.pass(120)
      alpha.misbehave('kid-unknown')
      const visits: (() => Promise<Reply>)[] = []
      for (let n = 0; n < many; n++) {
        const browser = world.browser('ada')
        const arrival = await browser.visit('alpha', ada)
        visits.push(() => browser.arrive(arrival))
      }
      const before = alpha.requestsTo('jwks').length
      const race = openRace(scheduler)
      world.enter(race)
      await race.run(visits)
      alpha.misbehave()
      const times = alpha.requestsTo('jwks').length - before
      world.hold('OI-11', times <= 2, `${many} unknown keys at once caused ${times} requests for keys`)
      await world.browser('ada').signIn('alpha', ada)
    },
  }),

  property({
    proves: ['LM-06'],
    name: 'what is kept of a provider is asked for again some day',
    story: 'A key that a provider withdrew because it was stolen opens the application for ever.',
    advice: 'Give metadata and keys an end, of minutes or hours.',
    setups: { jwt: { strategy: 'jwt', providers: ['alpha', 'beta'] } },
    needs: ['clock'],
    runs: 8,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'beta'),
      days: fc.integer({ min: 1, max: 2900 }),
      later: fc.integer({ min: 40, max: 400 }),
    }),
    async run(world, { provider, days, later }) {
      world.pass(days * 86_400)
      const idp = world.idps[provider]
      const ask = async () => {
        await world.browser('ada').signIn(provider, world.people.ada)
        return { discovery: idp.requestsTo('discovery').length, jwks: idp.requestsTo('jwks').length }
      }
      const first = await ask()
      world.pass(later * 86_400)
      const second = await ask()
      for (const endpoint of ['discovery', 'jwks'] as const)
        world.hold(
          'LM-06',
          first[endpoint] === 0 || second[endpoint] > first[endpoint],
          `${endpoint} is not asked for again after ${later} days`,
        )
      world.reach(first.jwks > 0 ? 'keys are kept' : 'no keys are kept')
    },
  }),
]
