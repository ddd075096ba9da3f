import { setImmediate as nextStatement } from 'node:timers/promises'
import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import type { Reply } from '../../world/reply.ts'
import { type AccountRow, createStore, type LinkRow, type UserRow } from '../../world/store.ts'
import { property, type Property } from '../property.ts'
import { count, tabsOf } from '../support/races.ts'
import { isSignedIn, issuedBy, refuses } from '../support/sessions.ts'
import { collectUnhandled } from '../support/unhandled.ts'

/** Methods that the providers of a world and database sessions need. */
const neededMethods = [
  'createUser',
  'getUserByAccount',
  'getUserByEmail',
  'linkAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
  'createVerificationToken',
  'useVerificationToken',
] as const

const users = ['createUser', 'getUser', 'getUserByEmail', 'updateUser'] as const
const accounts = ['getUserByAccount', 'linkAccount'] as const
const sessions = ['createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'] as const
const links = ['createVerificationToken', 'useVerificationToken'] as const

/** Applications whose stores have only the methods that their flows call. */
const minimal: Readonly<Record<string, Setup>> = {
  'accounts and JWT sessions': {
    strategy: 'jwt',
    providers: ['alpha', 'plain'],
    config: { adapter: storeOf(users, accounts) },
  },
  'accounts and stored sessions': {
    providers: ['alpha', 'plain'],
    config: { adapter: storeOf(users, accounts, sessions) },
  },
  'links and JWT sessions': {
    strategy: 'jwt',
    providers: ['mail'],
    config: { adapter: storeOf(users, links) },
  },
  'links and accounts': {
    providers: ['alpha', 'plain', 'mail'],
    config: { adapter: storeOf(users, accounts, sessions, links) },
  },
}

const twoStatements = storeOfTwoStatements()
const withoutKeys = storeWithoutKeys()

/** Users of `plain` have no address, so only their account is unique. */
const plain = { profile: ({ sub, name }: { sub: string; name: string }) => ({ id: sub, name }) }

/** Counts the failures of stores that cannot change accounts. */
const updates = { failed: 0 }

export const storeOperationProperties: readonly Property[] = [
  ...['none', ...neededMethods].map((method) =>
    property({
      proves: ['FI-04'],
      name:
        method === 'none'
          ? 'accepts a store with inherited methods'
          : `refuses a store without ${method} at startup`,
      story: 'An application goes live, and fails at the first sign-in or sign-out.',
      advice:
        'Check for every method that the providers and the strategy need when you read the configuration.',
      needs: ['setup'],
      setups: { database: { config: { adapter: storeWithout(method) } } },
      runs: 2,
      async run(world) {
        const browser = world.browser('ada')
        const { status } = await browser.send(`${world.basePath}/csrf`)
        if (method !== 'none') world.check('FI-04', status >= 500, `a store without ${method} is accepted`)
        else {
          world.check('FI-04', status < 500, 'a store whose methods are inherited is refused at startup')
          const reply = await browser.arrive(await browser.visit('alpha', world.people.ada))
          world.check('FI-04', !refuses(reply), 'a store whose methods are inherited is refused')
        }
      },
    }),
  ),

  property({
    proves: ['FI-04'],
    name: 'accepts a store with only the methods that its flows call',
    story: 'An application with a sufficient store does not start.',
    advice: 'Require only the store methods that the configured providers and the strategy call.',
    needs: ['setup'],
    setups: minimal,
    runs: 2,
    async run(world) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const { status } = await browser.send(`${world.basePath}/csrf`)
      world.check(
        'FI-04',
        status < 500,
        `the store is refused: ${world.recorded.errors.map(String).join(', ')}`,
      )
      if (world.idOf('mail') === undefined) await browser.arrive(await browser.visit('alpha', ada))
      else await browser.followLink(await browser.requestLink(ada.address.mail))
      const why = world.recorded.errors.map(({ message }) => message).join(', ')
      world.check('FI-04', isSignedIn(await browser.readSession()), `nobody can sign in: ${why}`)
    },
  }),

  property({
    proves: ['FI-01', 'FI-12'],
    name: 'refuses a sign-in whose tokens cannot be stored',
    story: 'The database fails, and an unhandled rejection ends the process for everyone.',
    advice: 'Wait for every operation of the store.',
    needs: ['setup'],
    setups: {
      database: { providers: ['alpha', 'plain'], config: { adapter: storeWithFailingUpdate() } },
      jwt: { strategy: 'jwt', providers: ['alpha', 'plain'], config: { adapter: storeWithFailingUpdate() } },
    },
    runs: 4,
    ...eachOf(['alpha' as const, 'plain' as const]),
    async run(world, provider) {
      const { ada } = world.people
      const first = world.browser('ada')
      await first.arrive(await first.visit(provider, ada))
      const browser = world.browser('ada')
      const arrival = await browser.visit(provider, ada)
      const before = updates.failed
      const [reply, unhandled] = await collectUnhandled(() => browser.arrive(arrival))
      world.check('FI-12', unhandled.length === 0, 'a failed update of tokens is an unhandled rejection')
      // Not every library stores the tokens of a later sign-in.
      if (updates.failed === before) return
      world.check('FI-01', refuses(reply), 'the tokens of a sign-in were not stored, and it succeeds')
      world.check('FI-01', issuedBy(reply).length === 0, 'a sign-in that failed sets a session cookie')
    },
  }),

  property({
    proves: ['SU-01'],
    name: 'signs in one request per mailed link, even with a store that finds and deletes in two statements',
    story:
      'Anyone who opens a link at the same moment as its owner, such as a mail scanner, signs in as them.',
    advice: 'Serialise store operations on one link within a process.',
    needs: ['setup'],
    setups: {
      database: { providers: ['mail'], config: { adapter: twoStatements.adapter } },
      jwt: { strategy: 'jwt', providers: ['mail'], config: { adapter: twoStatements.adapter } },
    },
    runs: 4,
    input: fc.record({ count }),
    async run(world, input) {
      // The cases share the store. Two cases with the same salt also share their session tokens.
      twoStatements.clear()
      const { ada } = world.people
      const browser = world.browser('ada')
      const mail = await browser.requestLink(ada.address.mail)
      const tabs = tabsOf(world, browser, input.count)
      await Promise.all(tabs.map((tab) => tab.followLink(mail)))
      const sessions = await Promise.all(tabs.map((tab) => tab.readSession()))
      const admitted = sessions.filter(isSignedIn).length
      world.check(
        'SU-01',
        admitted === 1,
        `a link that was opened ${input.count} times at once signed in ${admitted} requests`,
      )
    },
  }),

  property({
    proves: ['DEC-47a'],
    name: 'stores one user per account and address for concurrent requests, even without unique keys',
    story: 'A table lacks a unique key, and a double click creates two users for one person.',
    advice: 'Check for an existing row and create the new one under the same lock.',
    needs: ['setup'],
    setups: {
      links: { providers: ['mail'], config: { adapter: withoutKeys.adapter } },
      accounts: { providers: ['plain'], provider: { plain }, config: { adapter: withoutKeys.adapter } },
    },
    runs: 4,
    input: fc.record({ count }),
    async run(world, input) {
      withoutKeys.clear()
      const { ada } = world.people
      const requests: (() => Promise<Reply>)[] = []
      for (let n = 0; n < input.count; n++) {
        const browser = world.browser('ada')
        if (world.idOf('mail') !== undefined) {
          const mail = await browser.requestLink(ada.address.mail)
          requests.push(() => browser.followLink(mail))
        } else {
          const arrival = await browser.visit('plain', ada)
          requests.push(() => browser.arrive(arrival))
        }
      }
      await Promise.all(requests.map((send) => send()))
      const { users, accounts } = withoutKeys.rows
      const what = `after ${input.count} concurrent requests`
      world.check('DEC-47a', users.length === 1, `${what}, ada has ${users.length} users`)
      const keys = new Set(accounts.map(({ providerAccountId }) => providerAccountId))
      world.check('DEC-47a', keys.size === accounts.length, `${what}, an account is stored twice`)
    },
  }),
]

/** A store that accepts a second row with the same address or the same account. */
function storeWithoutKeys() {
  const { rows, operations } = createStore()
  const adapter = {
    ...operations,
    async createUser(user: UserRow) {
      await nextStatement()
      const row = { ...user, id: user.id ?? crypto.randomUUID() }
      rows.users.push(row)
      return { ...row }
    },
    async linkAccount(account: AccountRow) {
      await nextStatement()
      rows.accounts.push({ ...account })
      return { ...account }
    },
  }
  return { rows, adapter, clear: () => void Object.assign(rows, createStore().rows) }
}

/** A store that finds and deletes a link in two statements, between which other requests run. */
function storeOfTwoStatements(): { readonly adapter: object; readonly clear: () => void } {
  const { rows, operations } = createStore()
  const adapter = {
    ...operations,
    async useVerificationToken({ identifier, token }: Pick<LinkRow, 'identifier' | 'token'>) {
      const link = rows.links.find((row) => row.identifier === identifier && row.token === token)
      await nextStatement()
      rows.links = rows.links.filter((row) => row !== link)
      return link ? { ...link } : null
    },
  }
  const clear = () => {
    rows.users = []
    rows.accounts = []
    rows.sessions = []
    rows.links = []
  }
  return { adapter, clear }
}

/** A store that cannot change accounts. */
function storeWithFailingUpdate(): object {
  const updateAccount = async () => {
    updates.failed++
    throw new Error('unavailable')
  }
  return { ...createStore().operations, updateAccount }
}

/** A store with only these methods. */
function storeOf(...groups: readonly (readonly string[])[]): object {
  const names = groups.flat()
  return Object.fromEntries(Object.entries(createStore().operations).filter(([name]) => names.includes(name)))
}

/** A store with inherited methods, except one. */
function storeWithout(method: string): object {
  const { operations } = createStore()
  return Object.create(
    Object.fromEntries(Object.entries(operations).filter(([name]) => name !== method)),
  ) as object
}
