import fc from 'fast-check'
import { createStore, type AccountRow, type Rows } from '../../world/store.ts'
import type { Person, RemoteName } from '../../world/people.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { bothStrategies, property, type Property } from '../property.ts'
import { remotes, subjectOf } from '../support/consent.ts'

/** Account callbacks of a provider, by their result. */
const kept = {
  'the usual tokens': undefined,
  'all tokens': (tokens: object) => tokens,
  'all tokens, later': async (tokens: object) => ({ ...tokens }),
} as const

/** Members that a provider may add to a token response. */
const names = [
  'userId',
  'provider',
  'providerAccountId',
  'type',
  'id',
  'user_id',
  'user',
  'sub',
  'email',
  '__proto__',
] as const

const signIns = ['first', 'second', 'third'] as const

/** The user whom a token response names, although Eve signs in. */
interface Victim {
  readonly id: string
  readonly person: Person
  readonly method: RemoteName
}

/** Returns values that claim the account for the victim, by member name. */
function valuesFor({ id, person, method }: Victim): Readonly<Record<string, unknown>> {
  const subject = subjectOf(person, method)
  const email = person.address[method]
  const account = { userId: id, provider: method, providerAccountId: subject }
  // An object literal would treat `__proto__` as its prototype.
  return Object.fromEntries<unknown>([
    ['provider', method],
    ['providerAccountId', subject],
    ['type', 'credentials'],
    ['user', { id, email }],
    ['sub', subject],
    ['email', email],
    ['__proto__', account],
  ])
}

/** Opens an application that stores these tokens with `updateAccount`; returns the same one if nothing can be configured. */
async function openKeeping(base: World, keeps: keyof typeof kept) {
  if (!base.features.has('setup')) return { world: base, rows: undefined }
  const { rows, operations } = createStore()
  const isSame = (a: AccountRow) => (b: AccountRow) =>
    a.provider === b.provider && a.providerAccountId === b.providerAccountId
  const adapter = {
    ...operations,
    async updateAccount(account: AccountRow) {
      const at = rows.accounts.findIndex(isSame(account))
      const row = rows.accounts[at]
      if (!row) return null
      rows.accounts[at] = { ...row, ...account }
      return { ...rows.accounts[at] }
    },
  }
  const account = kept[keeps]
  const world = await base.another(
    {
      strategy: base.strategy,
      providers: remotes,
      config: { adapter },
      ...(account && { provider: Object.fromEntries(remotes.map((name) => [name, { account }])) }),
    },
    'own',
  )
  return { world, rows }
}

/** Returns the provider, or `alpha` if the application does not have it. */
function orAlpha(world: World, name: RemoteName): RemoteName {
  return world.idOf(name) === undefined ? 'alpha' : name
}

/** Checks that callbacks and events received only Eve's account at this provider. */
function checkEvents(world: World, provider: RemoteName, after: string): void {
  const { callbacks, events } = world.recorded
  const wanted = `${subjectOf(world.people.eve, provider)} at ${provider}`
  const received = [...callbacks.map(({ params }) => params), ...events.map(({ message }) => message)]
  for (const { account } of received) {
    if (account === undefined || account === null) continue
    const actual = `${String(member(account, 'providerAccountId'))} at ${String(member(account, 'provider'))}`
    world.check('AL-12', actual === wanted, `${after}: a callback receives ${actual}`)
  }
}

interface Expected {
  readonly provider: RemoteName
  /** Rows of the victim. */
  readonly id: string
  /** All rows, when only the victim had any. */
  readonly before: string
  readonly after: string
}

const look = ({ users, accounts, sessions }: Pick<Rows, 'users' | 'accounts' | 'sessions'>): string =>
  JSON.stringify([users, accounts, sessions])

/** Checks that Eve's one account at this provider is hers, and that the victim's rows are unchanged. */
function checkRows(world: World, rows: Rows, { provider, id, before, after }: Expected): void {
  const { eve } = world.people
  const subject = subjectOf(eve, provider)
  const user = rows.users.find(({ email }) => email === eve.address[provider])
  const [row, ...more] = rows.accounts.filter(({ providerAccountId }) => providerAccountId === subject)
  const check = (condition: boolean, message: string) =>
    world.check('AL-12', condition, `${after}: ${message}`)
  check(row !== undefined && more.length === 0, 'eve has no account, or more than one')
  check(row?.userId === user?.id, 'eve’s account is the victim’s')
  const is = `${row?.type ?? ''} at ${row?.provider ?? ''}`
  check(
    is === `${provider === 'plain' ? 'oauth' : 'oidc'} at ${provider}`,
    `the type of eve’s account is ${is}`,
  )
  check(row?.id !== id, 'the provider chose the id of eve’s account')
  const others = {
    users: rows.users.filter((each) => each !== user),
    accounts: rows.accounts.filter((each) => each !== row),
    sessions: rows.sessions.filter(({ userId }) => userId !== user?.id),
  }
  check(look(others) === before, 'rows of the victim were changed')
}

export const tokenOwnerProperties: readonly Property[] = [
  property({
    proves: ['AL-12'],
    name: 'never assigns an account to another user, whatever the token response contains',
    story:
      'A provider adds a victim’s `userId` to its token response, and the next sign-in opens the victim’s session.',
    advice:
      'Ignore `userId`, `type`, `provider`, `providerAccountId` and `id` in the account callback’s result.',
    setups: bothStrategies,
    runs: 40,
    reaches: { 'userId at the second sign-in': 4 },
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      method: fc.constantFrom(...remotes),
      keeps: fc.constantFrom('all tokens', 'all tokens, later', 'the usual tokens'),
      members: fc.subarray([...names], { minLength: 1 }),
      says: fc.constantFrom('the id of the victim', 'a matching value'),
      at: fc.subarray([...signIns], { minLength: 1 }),
    }),
    async run(base, { provider: wanted, method: wantedMethod, keeps, members, says, at }) {
      const { world, rows } = await openKeeping(base, keeps)
      const [provider, method] = [orAlpha(world, wanted), orAlpha(world, wantedMethod)]
      const { bob: person, eve } = world.people
      const victims = world.browser('bob')
      await victims.signIn(method, person)
      // Without access to the store, only the session may show the id.
      const shown = member((await victims.readSession()).json, 'user', 'id')
      const id = rows?.users[0]?.id ?? (typeof shown === 'string' ? shown : person.address[method])
      const fitting = says === 'a matching value' ? valuesFor({ id, person, method }) : {}
      const before = rows ? look(rows) : ''
      world.recorded.callbacks.length = 0
      world.recorded.events.length = 0

      for (const time of signIns) {
        const isNow = at.includes(time)
        const added = members.map(
          (name) => [name, Object.hasOwn(fitting, name) ? fitting[name] : id] as const,
        )
        world.idps[provider].addToTokens(isNow ? Object.fromEntries(added) : {})
        const browser = world.browser('eve')
        await browser.arrive(await browser.visit(provider, eve))
        const after = `after the ${time} sign-in, with ${members.join(', ')} at the ${at.join(' and ')}`
        const me = await browser.whoAmI()
        // An application whose store nobody resets may refuse an account because of an earlier case.
        if (!rows) world.assume(me !== undefined, 'the account of eve cannot sign in')
        world.check('AL-12', me === 'eve', `${after}: eve’s account signs in as ${me ?? 'nobody'}`)
        checkEvents(world, provider, after)
        if (rows) checkRows(world, rows, { provider, id, before, after })
        if (isNow && time === 'second' && members.includes('userId'))
          world.reach('userId at the second sign-in')
      }

      world.idps[provider].addToTokens({})
      const still = await victims.whoAmI()
      world.check('AL-12', still === 'bob', `the victim’s session now belongs to ${still ?? 'nobody'}`)
      const again = world.browser('bob')
      await again.arrive(await again.visit(method, person))
      const me = await again.whoAmI()
      if (!rows) world.assume(me !== undefined, 'the account of bob cannot sign in')
      world.check('AL-12', me === 'bob', `the victim’s account signs in as ${me ?? 'nobody'}`)
    },
  }),
]
