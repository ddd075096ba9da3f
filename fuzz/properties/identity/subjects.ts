import fc from 'fast-check'
import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import { Absent } from '../../world/breach.ts'
import { usersOf } from '../../world/people.ts'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { consentTo, startAt, subjectOf } from '../support/consent.ts'
import { checkUnchanged, isSignedIn, readAfter, takeSnapshot } from '../support/snapshot.ts'

/** Profile ids that identify nobody. */
const nobody: Readonly<Record<string, unknown>> = {
  missing: undefined,
  empty: '',
  null: null,
  'not a number': Number.NaN,
  // How a template or `String()` renders a missing id.
  'missing, as text': 'undefined',
  'null, as text': 'null',
  'not a number, as text': 'NaN',
  'an object, as text': '[object Object]',
  blank: ' ',
  'an object': {},
  'a list': ['x'],
  'a number beyond 2^53': 2 ** 60,
  // Some databases replace it with U+FFFD, which may be the id of another user.
  'text with a lone surrogate': 'user-\ud800',
  'text with U+0000': 'user-\0',
}

/** Claims of users whose id is text from a number that lost digits when it was parsed. */
const rounded: Readonly<Record<string, object>> = {
  'rounded in the profile': { serial: 2 ** 60 },
  'rounded, and a name that repeats it': { serial: 2 ** 60, name: String(2 ** 60) },
  'rounded in the token response': {},
}
const anyKind = [...Object.keys(nobody), ...Object.keys(rounded)]

interface Claims {
  readonly sub: string
  readonly kind?: string
  /** Beyond 2^53. */
  readonly serial?: number
}
interface Tokens {
  readonly user_number?: number
}
const idOf = ({ sub, kind, serial }: Claims, { user_number: number }: Tokens) => {
  if (serial !== undefined) return `user-${serial}`
  if (kind === 'rounded in the token response') return `user-${number}`
  return kind === undefined ? sub : nobody[kind]
}
const profile = (claims: Claims, tokens: Tokens) => ({
  ...(claims.kind !== 'missing' && { id: idOf(claims, tokens) }),
  name: 'N. N.',
  email: `${claims.sub}@plain.example`,
})
const withKinds = (provider: 'alpha' | 'plain') => ({
  users: [
    ...anyKind.flatMap((kind, n) =>
      ['one', 'two'].map((who) => ({
        sub: `${who}-${n}`,
        claims: {
          kind,
          email: `${who}-${n}@${provider}.example`,
          ...rounded[kind],
        },
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

/** A different person at each provider, with the same subject. */
const sameSubject: Setup['idp'] = Object.fromEntries(
  (['alpha', 'beta', 'plain'] as const).map((provider) => [
    provider,
    {
      users: [{ sub: 'same', claims: { email: `same@${provider}.example` } }, ...usersOf(provider)],
      ...(provider === 'plain' && { metadata: { authorization_response_iss_parameter_supported: false } }),
    },
  ]),
)

/** Values of the claim `id`, which OpenID Connect does not define: a known subject, and ids of other kinds. */
const idClaims = { 'a known subject': 'ada-at-alpha', text: 'seven', 'a number': 7 } as const
const idClaim = Object.keys(idClaims) as (keyof typeof idClaims)[]

/** Pairs of people with the same claim `id`. */
const withIdClaims: Setup['idp'] = {
  alpha: {
    users: [
      ...idClaim.flatMap((kind) =>
        ['one', 'two'].map((who) => ({
          sub: `${who} with ${kind}`,
          claims: { id: idClaims[kind], email: `${who}-${idClaim.indexOf(kind)}@alpha.example` },
        })),
      ),
      ...usersOf('alpha'),
    ],
  },
}

export const identitySubjectProperties: readonly Property[] = [
  property({
    proves: ['OI-17'],
    name: 'identifies a user by provider and subject, whatever else changes in the profile',
    story: 'Somebody takes over another user’s address at a provider, and signs in as them.',
    advice: 'Look accounts up by provider and subject. An address is only contact data.',
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
      world.assume(!known || account !== undefined, 'no account was stored')
      const users = world.rows.users.length
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider)
      world.prove(browser, ada, provider)
      world.idps[provider].misbehave(change)
      await browser.arrive(await consentTo(world, provider, url, `ada-at-${provider}`))
      const sessions = world.rows.sessions.filter(({ userId }) => userId === owner?.id)
      world.check(
        'OI-17',
        sessions.length === 1,
        `${change}: another person got a session of the address owner`,
      )
      const now = world.rows.accounts.find(
        ({ providerAccountId }) => providerAccountId === `ada-at-${provider}`,
      )
      world.check('OI-17', now?.userId !== owner?.id, `${change}: an account was linked to the address owner`)
      if (!known) return world.reach(`a new account, ${change}`)
      world.check(
        'OI-17',
        now?.userId === account?.userId,
        `${change}: the account belongs to another user now`,
      )
      world.check('OI-17', world.rows.users.length === users, `${change}: a known user was created again`)
      world.reach(`a known account, ${change}`)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'treats the same subject at two providers as two users',
    story: 'Anyone who gets a user’s id at one provider assigned at another signs in as that user.',
    advice: 'Give users your own ids, and store the subject together with its provider.',
    needs: ['hooks'],
    setups: { database: { idp: sameSubject }, jwt: { strategy: 'jwt', idp: sameSubject } },
    runs: 6,
    input: fc.shuffledSubarray(['alpha', 'beta', 'plain'] as const, { minLength: 2 }),
    async run(world, providers) {
      for (const provider of providers) {
        const browser = world.browser('ada')
        const url = await startAt(world, browser, provider)
        await browser.arrive(await consentTo(world, provider, url, 'same'))
        world.assume(await isSignedIn(browser), `nobody can sign in at ${provider}`)
      }
      const signIns = world.recorded.events.filter(({ event }) => event === 'signIn')
      const ids = signIns.map(({ message }) => member(message, 'user', 'id'))
      world.assume(ids.length === providers.length, 'not every sign-in emits an event')
      world.check('OI-17', new Set(ids).size === ids.length, `two people have the user id ${String(ids[0])}`)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'signs nobody in as a user who has the same subject at another provider',
    story: 'Anyone who gets a user’s id at one provider assigned at another signs in as that user.',
    advice: 'Look users up by the provider and the subject, never by the subject alone.',
    portable: true,
    runs: 6,
    ...everyOf({ known: [true, false] }),
    async run(world, { known }) {
      const { ada, eve } = world.people
      if (world.idOf('beta') === undefined) throw new Absent('the application has no second provider')
      await world.browser('ada').signIn('alpha', ada)
      if (known) await world.browser('eve').signIn('beta', eve)
      const browser = world.browser('eve')
      const url = await startAt(world, browser, 'beta')
      world.prove(browser, eve, 'beta')
      // A running application would keep the address of eve for this subject, and refuse her own account in later cases.
      world.idps.beta.misbehave('sub-of-ada', ...(known ? [] : (['address-changed'] as const)))
      await browser.arrive(await consentTo(world, 'beta', url, subjectOf(eve, 'beta')))
      world.idps.beta.misbehave()
      const me = await readAfter('beta gave eve the subject that ada has at alpha', browser.whoAmI)
      world.check('OI-17', me !== ada.name, 'eve is signed in as ada', { observed: 'another user' })
      await world.browser('ada').signIn('alpha', ada)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'issues a returning user a token with the id of the stored user',
    story: 'The application looks a user up by the subject of the token, and finds nobody, or another user.',
    advice: 'Pass the stored user to the jwt callback, not the profile of the provider.',
    needs: ['hooks', 'store'],
    setups: { jwt: { strategy: 'jwt', config: { adapter: true } } },
    runs: 10,
    ...eachOf(['alpha', 'beta', 'plain']),
    async run(world, provider) {
      const { ada } = world.people
      await world.browser('ada').signIn(provider, ada)
      world.recorded.callbacks.length = 0
      await world.browser('ada').signIn(provider, ada)
      const call = world.recorded.callbacks.find(({ name }) => name === 'jwt')
      world.assume(call !== undefined, 'the jwt callback was not called')
      const [sub, id] = [member(call?.params, 'token', 'sub'), world.rows.users[0]?.id]
      world.check('OI-17', sub === id, `the token of user ${String(id)} has the subject ${String(sub)}`)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'identifies a user by the subject, even if the profile has an id, too',
    story: 'Somebody enters another user’s id in a field of their profile, and signs in as that user.',
    advice: 'Read the id of an OpenID Connect user from sub, and from no other claim.',
    needs: ['store'],
    setups: { database: { idp: withIdClaims } },
    runs: 12,
    input: fc.shuffledSubarray(idClaim, { minLength: 1 }),
    async run(world, claimed) {
      await world.browser('ada').signIn('alpha', world.people.ada)
      const subjects = claimed.flatMap((kind) => [`one with ${kind}`, `two with ${kind}`])
      for (const subject of subjects) {
        const browser = world.browser('eve')
        const url = await startAt(world, browser, 'alpha')
        await browser.arrive(await consentTo(world, 'alpha', url, subject))
        const me = await browser.whoAmI()
        world.check('OI-17', me !== 'ada', `${subject} as id is signed in as ada`)
        world.assume(await isSignedIn(browser), `${subject} as id cannot sign in`)
      }
      const owners = new Set(world.rows.accounts.map(({ userId }) => userId)).size
      const count = subjects.length + 1
      world.check('OI-17', owners === count, `${count} subjects have ${owners} users`)
    },
  }),

  property({
    proves: ['OI-18'],
    name: 'rejects a profile without a usable id',
    story: 'All users without an id share one account, or get a new one each time.',
    advice: 'Require a non-empty string or a finite number, and refuse the rest.',
    setups: { kinds },
    runs: 60,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      kind: fc.nat({ max: anyKind.length - 1 }),
    }),
    async run(world, { provider, kind }) {
      const what = anyKind[kind]
      if (what === 'rounded in the token response') world.idps[provider].addToTokens({ user_number: 2 ** 60 })
      for (const who of ['one', 'two']) {
        const browser = world.browser('ada')
        const before = await takeSnapshot(world, browser)
        const url = await startAt(world, browser, provider)
        await browser.arrive(await consentTo(world, provider, url, `${who}-${kind}`))
        world.check('OI-18', !(await isSignedIn(browser)), `somebody with the id ${what} is signed in`)
        await checkUnchanged(world, 'OI-18', browser, before, `a profile has the id ${what}`)
      }
      const honest = world.browser('ada')
      const url = await startAt(world, honest, provider)
      world.prove(honest, world.people.ada, provider)
      await honest.arrive(await consentTo(world, provider, url, `ada-at-${provider}`))
      world.assume(await isSignedIn(honest), 'nobody can sign in with a valid id')
      world.reach(String(what))
    },
  }),

  property({
    proves: ['OI-19', 'OI-18'],
    name: 'compares ids and session tokens case-sensitively',
    story: 'A case-insensitive database signs one user in as another.',
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
        world.assume(await isSignedIn(browser), `${sub} cannot sign in`)
      }
      const owners = new Set(world.rows.accounts.map(({ userId }) => userId))
      world.check(
        'OI-18',
        new Set(world.rows.accounts.map(({ providerAccountId }) => providerAccountId)).size ===
          subjects.length,
        `${subjects.length} profiles with different ids share accounts`,
      )
      world.check(
        'OI-19',
        owners.size === subjects.length,
        `${subjects.length} subjects have ${owners.size} users`,
      )
      const kept = world.rows.accounts.map(({ providerAccountId }) => providerAccountId)
      world.check(
        'OI-19',
        subjects.every((sub) => kept.includes(sub)),
        `the subjects are stored as ${kept.join(', ')}`,
      )
    },
  }),
]
