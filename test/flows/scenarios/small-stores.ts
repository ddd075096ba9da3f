import { expect } from 'vitest'
import type { Adapter } from '../../../src/types/adapter.ts'
import { sessionOf, signIn, signOut, type App } from '../../support/app.ts'
import { countOf, watching, type Call } from '../../support/watch-store.ts'
import { eventsOf } from '../expectations.ts'
import { scenario } from '../scenario.ts'

const accounts = ['createUser', 'getUserByEmail', 'getUserByAccount', 'linkAccount'] as const
const rows = ['createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'] as const

/** A store with only these operations, on its prototype. */
function reducedTo(operations: readonly (keyof Adapter)[]) {
  return (store: Adapter): Adapter => {
    const few = Object.fromEntries(operations.map((name) => [name, store[name]]))
    return Object.create(few) as Adapter
  }
}

/** Signs in twice, reads and extends the session, links nothing, and signs out. */
async function live(app: App): Promise<void> {
  const agent = app.agent()
  await signIn(app, agent)
  expect(app.ended()).toBe('signedIn')
  app.clock.advance(90_000)
  expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  expect(app.ended()).toBe('presented')
  await signIn(app, agent)
  expect(app.ended()).toBe('signedIn')
  await signOut(agent)
  expect(app.ended()).toBe('signedOut')
  expect(await sessionOf(agent)).toBeNull()
  expect(app.errors).toEqual([])
}

export const smallStoreScenarios = [
  scenario('ADP-001 FI-04 an adapter needs only the operations that its flows call', async ({ open }) => {
    const database = open({ strategy: 'database', wrap: reducedTo([...accounts, ...rows]) })
    await live(database)
    expect(eventsOf(database)).toEqual([
      'createUser',
      'linkAccount',
      'signIn',
      'session',
      'signIn',
      'signOut',
    ])
    await live(open({ strategy: 'jwt-stored', wrap: reducedTo([...accounts, 'getUser']) }))
  }),

  scenario(
    'ADP-012 DEC-02i unlinkAccount is never called, and deleteUser only after a failure',
    async ({ open }) => {
      for (const strategy of ['database', 'jwt-stored'] as const) {
        const calls: Call[] = []
        await live(open({ strategy, wrap: watching(calls) }))
        expect(countOf(calls, 'createUser')).toBe(1)
        expect(countOf(calls, 'linkAccount')).toBe(1)
        for (const never of ['unlinkAccount', 'deleteUser', 'updateUser'] as const)
          expect(countOf(calls, never)).toBe(0)
      }
    },
  ),

  scenario('DEC-02i DEC-20b deleteUser is called only for a user whose sign-in failed', async ({ open }) => {
    const calls: Call[] = []
    let isBroken = true
    const linkAccount = (store: Adapter) => (account: never) => {
      if (isBroken) throw new Error('the account cannot be stored')
      return store.linkAccount?.(account)
    }
    const app = open({
      strategy: 'database',
      wrap: watching(calls, (store) => ({ linkAccount: linkAccount(store) })),
    })
    await signIn(app, app.agent())
    expect(app.ended()).toBe('faulted')
    expect(countOf(calls, 'deleteUser')).toBe(1)
    expect(app.rows.users()).toEqual([])
    isBroken = false
    await signIn(app, app.agent())
    expect(app.ended()).toBe('signedIn')
    expect(countOf(calls, 'deleteUser')).toBe(1)
    expect(app.rows.users()).toHaveLength(1)
  }),

  scenario('ADP-010 an account that the application linked itself signs its user in', async ({ open }) => {
    const app = open({ strategy: 'database' })
    const made = await app.store.createUser({
      id: 'u1',
      name: 'Countess',
      email: 'countess@example.com',
      emailVerified: null,
    })
    await app.store.linkAccount({ userId: made.id, type: 'oidc', provider: 'idp', providerAccountId: 'ada' })
    const agent = app.agent()
    await signIn(app, agent)
    expect(app.ended()).toBe('signedIn')
    expect(await sessionOf(agent)).toMatchObject({
      user: { name: 'Countess', email: 'countess@example.com' },
    })
    expect(app.rows.users()).toHaveLength(1)
    expect(eventsOf(app)).toEqual(['signIn', 'session'])
  }),
]
