import { expect } from 'vitest'
import { sessionOf, signIn, startSignIn, visitProvider, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { planFaults, type AdapterFaults } from '../../support/faulty-adapter.ts'
import type { Stage } from '../scenario.ts'
import { scenario } from '../scenario.ts'
import { eventsOf, expectError, sessionCookie } from '../expectations.ts'
import type { Adapter } from '../../../src/types/adapter.ts'

/** A browser that returns from the provider, and a store that can be made to fail. */
interface Arrival {
  readonly app: App
  readonly agent: Agent
  readonly store: AdapterFaults
  readonly arrive: () => Promise<Response>
}

type Strategy = 'database' | 'jwt-stored'

/** Ada has no user yet, or has signed in before, or is signed in and links another account. */
async function expectArrival(
  open: Stage['open'],
  strategy: Strategy,
  who: 'new' | 'known' | 'linking',
): Promise<Arrival> {
  const store = planFaults()
  const app = open({ strategy, wrap: store.wrap })
  const agent = app.agent()
  if (who !== 'new') await signIn(app, agent)
  if (who === 'linking') app.idp.choose('bob')
  const { parameters } = await visitProvider(app, agent)
  app.events.length = 0
  return { app, agent, store, arrive: () => agent.send(`/auth/callback/idp?${parameters}`) }
}

/** Every row has an owner, and every user has an account. */
function expectNoOrphans({ rows }: App): void {
  const users = rows.users().map(({ id }) => id)
  const owners = rows.accounts().map(({ userId }) => userId)
  expect(users.filter((id) => !owners.includes(id))).toEqual([])
  expect(owners.filter((id) => !users.includes(id))).toEqual([])
  expect(rows.sessions().filter(({ userId }) => !users.includes(userId))).toEqual([])
}

/** Runs a sign-in once to record its store calls, and then once for each of them. */
async function everyCall(
  open: Stage['open'],
  check: (arrival: Arrival, call: number, name: string) => Promise<void>,
) {
  for (const strategy of ['database', 'jwt-stored'] as const) {
    for (const who of ['new', 'known', 'linking'] as const) {
      const whole = await expectArrival(open, strategy, who)
      whole.store.arm()
      await whole.arrive()
      expect(whole.app.ended()).toBe('signedIn')
      const names = [...whole.store.calls]
      expect(names).toEqual(callsOf(strategy, who))
      for (const [call, name] of names.entries())
        await check(await expectArrival(open, strategy, who), call, name)
    }
  }
}

function callsOf(strategy: Strategy, who: 'new' | 'known' | 'linking'): string[] {
  const isStored = strategy === 'database'
  const current = who === 'new' ? [] : isStored ? ['getSessionAndUser'] : ['getUser']
  const decided = {
    new: ['getUserByEmail', 'getUserByEmail', 'createUser', 'getUserByAccount', 'linkAccount'],
    known: ['updateAccount'],
    linking: ['getUserByAccount', 'linkAccount'],
  }[who]
  const issued = isStored ? ['createSession', ...(who === 'new' ? [] : ['deleteSession'])] : []
  return ['getUserByAccount', ...current, ...decided, ...issued]
}

/** A store that fails during a sign-in. */
export const storeFaultScenarios = [
  scenario(
    'FI-01 FI-02 AL-11 any failing call of a sign-in signs nobody in, and leaves nothing behind',
    async ({ open }) => {
      await everyCall(open, async ({ app, agent, store, arrive }, call, name) => {
        const held = agent.cookies()[sessionCookie]
        store.arm(call)
        expectError(await arrive(), 'Configuration')
        store.arm()
        expect(app.ended(), name).toBe('faulted')
        expect(app.errors.at(-1), name).toMatchObject({ type: 'AdapterError' })
        expect(agent.cookies()[sessionCookie], name).toBe(held)
        expect(eventsOf(app), name).not.toContain('signIn')
        expectNoOrphans(app)
        await signIn(app, agent)
        expect(app.ended(), name).toBe('signedIn')
        expect(await sessionOf(agent), name).not.toBeNull()
        expectNoOrphans(app)
      })
    },
  ),

  scenario('FI-02 AL-07 AL-11 a call whose result is lost leaves nothing behind either', async ({ open }) => {
    await everyCall(open, async ({ app, agent, store, arrive }, call, name) => {
      store.arm(call, 'after')
      const response = await arrive()
      store.arm()
      if (['createUser', 'linkAccount'].includes(name)) expect(app.ended(), name).toBe('signedIn')
      else {
        expectError(response, 'Configuration')
        expect(app.ended(), name).toBe('faulted')
      }
      expectNoOrphans(app)
      const before = app.rows.users().length
      await signIn(app, agent)
      expect(app.ended(), name).toBe('signedIn')
      expect(app.rows.users().length - before, name).toBe(before === 0 ? 1 : 0)
      expectNoOrphans(app)
    })
  }),

  scenario(
    'FI-01 a store failure at the start of a sign-in does not redirect to the provider',
    async ({ open }) => {
      for (const strategy of ['database', 'jwt-stored'] as const) {
        const { app, agent, store } = await expectArrival(open, strategy, 'known')
        const asked = app.idp.requestsTo('authorize').length
        store.arm(0)
        expectError(await startSignIn(agent), 'Configuration')
        expect(app.hops.at(-1)?.event).toBe('fault')
        expect(app.ended()).toBe('faulted')
        expect(app.idp.requestsTo('authorize')).toHaveLength(asked)
        store.arm()
        expect(await sessionOf(agent)).not.toBeNull()
      }
    },
  ),

  scenario(
    'FI-01 FI-02 DEC-20b no user remains if the store cannot create the user or the account',
    async ({ open }) => {
      for (const operation of ['createUser', 'linkAccount'] as const) {
        let isDown = true
        const app = open({
          strategy: 'database',
          wrap: (store) => ({
            ...store,
            [operation](row: never) {
              if (isDown) throw new Error('read-only')
              return store[operation]?.(row)
            },
          }),
        })
        const agent = app.agent()
        expectError(await signIn(app, agent), 'Configuration')
        expect(app.hops.at(-1)).toMatchObject({ state: 'admitting.rereading', event: 'conflict.unexplained' })
        expect(app.ended()).toBe('faulted')
        expect(app.rows.users()).toEqual([])
        expect(eventsOf(app)).toEqual([])
        isDown = false
        await signIn(app, agent)
        expect(app.ended()).toBe('signedIn')
      }
    },
  ),

  scenario('DEC-20b a user whom another sign-in has found by then is not removed', async ({ open }) => {
    const other = { provider: 'other', providerAccountId: '1', type: 'oidc' } as const
    const joins = [
      (store: Adapter, userId: string) => store.linkAccount?.({ ...other, userId }),
      (store: Adapter, id: string) => store.updateUser?.({ id, emailVerified: new Date() }),
    ]
    for (const join of joins) {
      const app = open({
        strategy: 'database',
        wrap: (store) => ({
          ...store,
          async linkAccount({ userId }) {
            await join(store, userId)
            throw new Error('deadlock detected')
          },
        }),
      })
      expectError(await signIn(app, app.agent()), 'Configuration')
      expect(app.hops.map(({ event }) => event)).toContain('user.removed')
      expect(app.rows.users()).toHaveLength(1)
    }
  }),

  scenario('DEC-20b a user is removed if the adapter reads a flag as the date 0', async ({ open }) => {
    const app = open({
      strategy: 'database',
      wrap: (store) => ({
        ...store,
        async getUser(id) {
          const user = await store.getUser?.(id)
          return user ? { ...user, emailVerified: new Date(0) } : null
        },
        linkAccount: () => Promise.reject(new Error('deadlock detected')),
      }),
    })
    expectError(await signIn(app, app.agent()), 'Configuration')
    expect(app.rows.users()).toHaveLength(0)
  }),

  scenario('DEC-20b without deleteUser the sign-in fails in the same way', async ({ open }) => {
    const app = open({
      strategy: 'database',
      wrap: ({ deleteUser: _, ...store }) => ({
        ...store,
        linkAccount() {
          throw new Error('read-only')
        },
      }),
    })
    const agent = app.agent()
    expectError(await signIn(app, agent), 'Configuration')
    expect(app.hops.map(({ event }) => event)).toContain('user.removed')
    expect(app.ended()).toBe('faulted')
    expect(app.rows.accounts()).toEqual([])
    expect(eventsOf(app)).toEqual([])
    expect(await sessionOf(agent)).toBeNull()
  }),
]
