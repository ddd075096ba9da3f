import type { Setup } from '../targets/setup.ts'
import { createStore } from '../world/store.ts'
import { property, type Property } from './property.ts'
import { isSignedIn, refuses } from './support/sessions.ts'

/** What the providers of a world and stored sessions need. */
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

/** Applications, with a store that has what their flows call, and no more. */
const frugal: Readonly<Record<string, Setup>> = {
  'accounts, and tokens': {
    strategy: 'jwt',
    providers: ['alpha', 'plain'],
    config: { adapter: storeOf(users, accounts) },
  },
  accounts: { providers: ['alpha', 'plain'], config: { adapter: storeOf(users, accounts, sessions) } },
  'links, and tokens': {
    strategy: 'jwt',
    providers: ['mail'],
    config: { adapter: storeOf(users, links) },
  },
  'links and accounts': {
    providers: ['alpha', 'plain', 'mail'],
    config: { adapter: storeOf(users, accounts, sessions, links) },
  },
}

export const storeOperationProperties: readonly Property[] = [
  ...['none', ...neededMethods].map((method) =>
    property({
      proves: ['FI-04'],
      name:
        method === 'none'
          ? 'a store whose methods it inherits is taken'
          : `a store without ${method} is refused from the start`,
      story: 'An application goes live, and breaks at the first sign-in or sign-out.',
      advice:
        'Look for every method that the providers and the strategy need when the configuration is read.',
      needs: ['setup'],
      setups: { database: { config: { adapter: storeWithout(method) } } },
      runs: 2,
      async run(world) {
        const browser = world.browser('ada')
        const { status } = await browser.send(`${world.basePath}/csrf`)
        if (method !== 'none') world.hold('FI-04', status >= 500, `a store without ${method} is taken`)
        else {
          const reply = await browser.arrive(await browser.visit('alpha', world.people.ada))
          world.hold('FI-04', !refuses(reply), 'a store whose methods are inherited is refused')
        }
      },
    }),
  ),

  property({
    proves: ['FI-04'],
    name: 'a store that has what its flows call, and no more, is taken',
    story: 'An application whose store is all that it needs does not start.',
    advice: 'Ask a store for nothing but what the configured providers and the strategy call.',
    needs: ['setup'],
    setups: frugal,
    runs: 2,
    async run(world) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const { status } = await browser.send(`${world.basePath}/csrf`)
      world.hold('FI-04', status < 500, `it is refused: ${world.told.errors.map(String).join(', ')}`)
      if (world.idOf('mail') === undefined) await browser.arrive(await browser.visit('alpha', ada))
      else await browser.followLink(await browser.askLink(ada.address.mail))
      const why = world.told.errors.map(({ message }) => message).join(', ')
      world.hold('FI-04', isSignedIn(await browser.readSession()), `nobody can sign in: ${why}`)
    },
  }),
]

/** A store with these operations alone. */
function storeOf(...groups: readonly (readonly string[])[]): object {
  const names = groups.flat()
  return Object.fromEntries(Object.entries(createStore().operations).filter(([name]) => names.includes(name)))
}

/** A store whose methods are on its prototype, but for one. */
function storeWithout(method: string): object {
  const { operations } = createStore()
  return Object.create(
    Object.fromEntries(Object.entries(operations).filter(([name]) => name !== method)),
  ) as object
}
