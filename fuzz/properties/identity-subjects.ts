import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import { usersOf } from '../world/people.ts'
import { member } from '../world/reply.ts'
import { property, type Property } from './property.ts'
import { consentTo, startAt } from './support/consent.ts'
import { holdUnchanged, isSignedIn, takeStock } from './support/stock.ts'

/** Ids of profiles that are nobody's. */
const nobody: Readonly<Record<string, unknown>> = {
  missing: undefined,
  empty: '',
  null: null,
  'not a number': Number.NaN,
  // What a template or `String()` makes of an id that is not there.
  'missing, as text': 'undefined',
  'null, as text': 'null',
  'not a number, as text': 'NaN',
  'an object, as text': '[object Object]',
  blank: ' ',
  'an object': {},
  'a list': ['x'],
}

interface Claims {
  readonly sub: string
  readonly kind?: string
}
const profile = ({ sub, kind }: Claims) => ({
  ...(kind !== 'missing' && { id: kind === undefined ? sub : nobody[kind] }),
  name: 'N. N.',
  email: `${sub}@plain.example`,
})
const withKinds = (provider: 'alpha' | 'plain') => ({
  users: [
    ...Object.keys(nobody).flatMap((kind, n) =>
      ['one', 'two'].map((who) => ({
        sub: `${who}-${n}`,
        claims: { kind, email: `${who}-${n}@${provider}.example` },
      })),
    ),
    ...usersOf(provider),
  ],
})
const kinds: Setup = {
  provider: { alpha: { profile }, plain: { profile } },
  idp: { alpha: withKinds('alpha'), plain: withKinds('plain') },
}

const twins: Setup = {
  idp: {
    alpha: {
      users: ['Ann', 'ann', 'ANN', 'ann ', 'an\u006e.'].map((sub, n) => ({
        sub,
        claims: { email: `twin-${n}@alpha.example` },
      })),
    },
  },
}

/** Somebody else at each provider, under the same subject. */
const sameSubject: Setup['idp'] = Object.fromEntries(
  (['alpha', 'beta', 'plain'] as const).map((provider) => [
    provider,
    {
      users: [{ sub: 'same', claims: { email: `same@${provider}.example` } }, ...usersOf(provider)],
      ...(provider === 'plain' && { metadata: { authorization_response_iss_parameter_supported: false } }),
    },
  ]),
)

export const identitySubjectProperties: readonly Property[] = [
  property({
    proves: ['OI-17'],
    name: 'who somebody is depends on provider and subject, and on nothing that can be changed there',
    story: 'Somebody takes the address of another user at a provider, and signs in as them.',
    advice: 'Look accounts up by provider and subject; an address is a way to write to somebody.',
    needs: ['store'],
    runs: 40,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      change: fc.constantFrom('address-changed', 'address-of-bob'),
      known: fc.boolean(),
    }),
    async run(world, { provider, change, known }) {
      const { ada, bob } = world.people
      await world.browser('bob').signIn('alpha', bob)
      const [owner] = world.rows.users
      if (known) await world.browser('ada').signIn(provider, ada)
      const account = world.rows.accounts.find(
        ({ providerAccountId }) => providerAccountId === `ada-at-${provider}`,
      )
      world.demand(!known || account !== undefined, 'no account was stored')
      const users = world.rows.users.length
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider)
      world.prove(browser, ada, provider)
      world.idps[provider].misbehave(change)
      await browser.arrive(await consentTo(world, provider, url, `ada-at-${provider}`))
      const sessions = world.rows.sessions.filter(({ userId }) => userId === owner?.id)
      world.hold(
        'OI-17',
        sessions.length === 1,
        `${change}: another one got a session of the owner of the address`,
      )
      const now = world.rows.accounts.find(
        ({ providerAccountId }) => providerAccountId === `ada-at-${provider}`,
      )
      world.hold(
        'OI-17',
        now?.userId !== owner?.id,
        `${change}: an account became one of the owner of the address`,
      )
      if (!known) return world.reach(`a new one, ${change}`)
      world.hold(
        'OI-17',
        now?.userId === account?.userId,
        `${change}: the account belongs to another user now`,
      )
      world.hold('OI-17', world.rows.users.length === users, `${change}: a new user was made of a known one`)
      world.reach(`a known one, ${change}`)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'one subject of two providers is two people',
    story: 'Whoever is told at one provider which id a user has at another one is that user here.',
    advice: 'Give users ids of your own, and keep the subject of a provider with the provider.',
    needs: ['hooks'],
    setups: { database: { idp: sameSubject }, jwt: { strategy: 'jwt', idp: sameSubject } },
    runs: 6,
    input: fc.shuffledSubarray(['alpha', 'beta', 'plain'] as const, { minLength: 2 }),
    async run(world, providers) {
      for (const provider of providers) {
        const browser = world.browser('ada')
        const url = await startAt(world, browser, provider)
        await browser.arrive(await consentTo(world, provider, url, 'same'))
        world.demand(await isSignedIn(browser), `nobody can sign in at ${provider}`)
      }
      const told = world.told.events.filter(({ event }) => event === 'signIn')
      const ids = told.map(({ message }) => member(message, 'user', 'id'))
      world.demand(ids.length === providers.length, 'not every sign-in is told')
      world.hold('OI-17', new Set(ids).size === ids.length, `two people are the user ${String(ids[0])}`)
    },
  }),

  property({
    proves: ['OI-18'],
    name: 'a profile without a usable id makes nobody of anybody',
    story: 'All users whose id is missing share one account, or get a new one each time.',
    advice: 'Demand a text that is not empty, or a finite number, and refuse the rest.',
    setups: { kinds },
    runs: 60,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      kind: fc.nat({ max: Object.keys(nobody).length - 1 }),
    }),
    async run(world, { provider, kind }) {
      const what = Object.keys(nobody)[kind]
      for (const who of ['one', 'two']) {
        const browser = world.browser('ada')
        const before = await takeStock(world, browser)
        const url = await startAt(world, browser, provider)
        await browser.arrive(await consentTo(world, provider, url, `${who}-${kind}`))
        world.hold('OI-18', !(await isSignedIn(browser)), `somebody whose id is ${what} is signed in`)
        await holdUnchanged(world, 'OI-18', browser, before, `a profile came whose id is ${what}`)
      }
      const honest = world.browser('ada')
      const url = await startAt(world, honest, provider)
      world.prove(honest, world.people.ada, provider)
      await honest.arrive(await consentTo(world, provider, url, `ada-at-${provider}`))
      world.demand(await isSignedIn(honest), 'a profile with an id signs nobody in')
      world.reach(String(what))
    },
  }),

  property({
    proves: ['OI-19', 'OI-18'],
    name: 'ids and session tokens that differ in a letter’s case are different ones',
    story: 'A database that compares loosely signs one user in as another.',
    advice: 'Compare ids and tokens byte for byte, in the store as well.',
    needs: ['store'],
    setups: { twins },
    runs: 20,
    input: fc.shuffledSubarray(['Ann', 'ann', 'ANN', 'ann '], { minLength: 2 }),
    async run(world, subjects) {
      for (const sub of subjects) {
        const browser = world.browser('ada')
        const url = await startAt(world, browser, 'alpha')
        await browser.arrive(await consentTo(world, 'alpha', url, sub))
        world.demand(await isSignedIn(browser), `${sub} cannot sign in`)
      }
      const owners = new Set(world.rows.accounts.map(({ userId }) => userId))
      world.hold(
        'OI-18',
        new Set(world.rows.accounts.map(({ providerAccountId }) => providerAccountId)).size ===
          subjects.length,
        `${subjects.length} profiles with ids of their own share accounts`,
      )
      world.hold(
        'OI-19',
        owners.size === subjects.length,
        `${subjects.length} subjects have ${owners.size} users`,
      )
      const kept = world.rows.accounts.map(({ providerAccountId }) => providerAccountId)
      world.hold(
        'OI-19',
        subjects.every((sub) => kept.includes(sub)),
        `the subjects are stored as ${kept.join(', ')}`,
      )
    },
  }),
]
