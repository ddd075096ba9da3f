import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import { openRace } from '../../world/race.ts'
import type { Reply } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { signInUnder } from '../support/faulty.ts'
import { demandVerification } from '../support/reading.ts'
import { withoutTls } from '../support/without-tls.ts'

const host = 'http://localhost:4996'
/** Three providers on one host. `beta` uses the keys of `plain`, which then revokes them. */
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

/** Two configurations of one provider with different rules. */
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
  'the URL of the keys': {
    idp: {},
    lenient: {},
    strict: { jwks_endpoint: 'https://plain.example/no-keys' },
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
    name: 'does not verify one provider’s tokens with keys of another provider on the same host',
    story: 'A tenant’s keys are revoked, but its users keep signing in with the keys of another tenant.',
    advice: 'Cache keys under the complete URL they were fetched from.',
    setups: { 'one host': oneHost },
    needs: ['clock'],
    runs: 10,
    input: fc.integer({ min: 1, max: 2900 }),
    async run(world, days) {
      world.advance(days * 86_400)
      world.idps.plain.rotate()
      // Without signature checks there are no cached keys.
      if (await signInUnder(world, 'beta')) return world.reach('not verified')
      // For up to a minute, a target may remember that it did not find the key.
      world.advance(60)
      await world.browser('ada').signIn('alpha', world.people.ada)
      const after = await signInUnder(world, 'beta')
      world.check(
        'CC-11',
        !after,
        'after a sign-in at another provider, that provider’s keys verify tokens of beta',
      )
      world.reach('verified')
    },
  }),

  ...Object.entries(pairs).map(([about, { idp, lenient, strict }]) =>
    property({
      proves: ['CC-11'],
      name: `does not share cached metadata between applications with different rules (${about})`,
      story: 'A tenant that allows plain http, or another issuer, weakens a tenant that does not.',
      advice: 'Make every rule that governs fetching and validation part of the cache key.',
      setups: { strict: { idp, provider: { alpha: strict } } },
      needs: ['clock'],
      runs: 6,
      input: fc.integer({ min: 1, max: 2900 }),
      async run(world, days) {
        world.advance(days * 86_400)
        const before = await signInUnder(world, 'alpha')
        // For a few seconds, a target may remember a refusal. That would hide which keys it has cached.
        world.advance(60)
        const other = await world.another({ provider: { alpha: lenient } }, 'own')
        world.assume(await signInUnder(other, 'alpha'), 'nobody can sign in under the lenient rules')
        world.advance(60)
        const after = await signInUnder(world, 'alpha')
        const describe = (isIn: boolean) => (isIn ? 'signs somebody in' : 'refuses')
        world.check(
          'CC-11',
          before === after,
          `the application ${describe(before)} at first, but ${describe(after)} after a sign-in at another one`,
        )
        world.reach(describe(before))
      },
    }),
  ),

  property({
    proves: ['OI-11'],
    name: 'fetches the key set at most twice for concurrent tokens with unknown keys',
    story: 'Anyone with many tokens signed by unknown keys makes the application flood its provider.',
    advice: 'Share the pending key request.',
    needs: ['clock'],
    runs: 12,
    input: fc.record({
      days: fc.integer({ min: 1, max: 2900 }),
      many: fc.integer({ min: 4, max: 6 }),
      scheduler: fc.scheduler(),
    }),
    async run(world, { days, many, scheduler }) {
      world.advance(days * 86_400)
      const { ada } = world.people
      const { alpha } = world.idps
      await world.browser('ada').signIn('alpha', ada)
      world.advance(120)
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
      world.check('OI-11', times <= 2, `${many} concurrent unknown keys caused ${times} requests for keys`)
      await world.browser('ada').signIn('alpha', ada)
    },
  }),

  property({
    proves: ['OI-33'],
    name: 'trusts no key long after the provider withdrew it',
    story:
      'A thief has a key that the provider withdrew, and signs in as anyone until the application restarts.',
    advice:
      'Fetch a key set again after minutes or hours, even if the cached one contains the key of the token.',
    needs: ['setup', 'clock'],
    setups: { usual: {}, 'http on loopback': withoutTls },
    runs: 12,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'beta'),
      days: fc.integer({ min: 1, max: 2900 }),
      later: fc.integer({ min: 2, max: 400 }),
    }),
    async run(world, { provider, days, later }) {
      world.advance(days * 86_400)
      await demandVerification(world, provider)
      world.advance(120)
      await world.browser('ada').signIn(provider, world.people.ada)
      world.idps[provider].rotate()
      world.advance(later * 86_400)
      const opened = await signInUnder(world, provider, 'key-withdrawn')
      const says = `an id_token from ${provider} opens a session, although its key was withdrawn ${later} days ago`
      world.check('OI-33', !opened, says, { observed: 'a session' })
      // A target may wait before it fetches the keys again.
      world.advance(120)
      await world.browser('ada').signIn(provider, world.people.ada)
    },
  }),

  property({
    proves: ['LM-06'],
    name: 'refreshes cached provider metadata and keys eventually',
    story: 'A key that the provider revoked because it was stolen works forever.',
    advice: 'Expire cached metadata and keys after minutes or hours.',
    setups: { jwt: { strategy: 'jwt', providers: ['alpha', 'beta'] } },
    needs: ['clock'],
    runs: 8,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'beta'),
      days: fc.integer({ min: 1, max: 2900 }),
      later: fc.integer({ min: 40, max: 400 }),
    }),
    async run(world, { provider, days, later }) {
      world.advance(days * 86_400)
      const idp = world.idps[provider]
      const request = async () => {
        await world.browser('ada').signIn(provider, world.people.ada)
        return { discovery: idp.requestsTo('discovery').length, jwks: idp.requestsTo('jwks').length }
      }
      const first = await request()
      world.advance(later * 86_400)
      const second = await request()
      for (const endpoint of ['discovery', 'jwks'] as const)
        world.check(
          'LM-06',
          first[endpoint] === 0 || second[endpoint] > first[endpoint],
          `${endpoint} is not requested again after ${later} days`,
        )
      world.reach(first.jwks > 0 ? 'keys are cached' : 'no keys are cached')
    },
  }),
]
