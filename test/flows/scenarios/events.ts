import { expect } from 'vitest'
import { sessionOf, signIn, signOut, visitProvider, type App } from '../../support/app.ts'
import { heldSession, rowOf, sessionCookie } from '../../support/session-cookie.ts'
import { openSignal } from '../../../fuzz/world/signal.ts'
import { unreachable, watching } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'
import type { EventCallbacks } from '../../../src/types/callbacks.ts'

const names = (app: App) => app.events.map(({ event }) => event)
const messageOf = (app: App, event: keyof EventCallbacks) =>
  app.events.find((each) => each.event === event)?.message ?? {}

/** Which events fire, when, and how often. */
export const eventScenarios = [
  scenario('CB-05 DEC-21b each event fires once, in order', async ({ open }) => {
    for (const strategy of ['database', 'jwt-stored'] as const) {
      const app = open({ strategy })
      const agent = app.agent()
      await signIn(app, agent)
      expect(names(app)).toEqual(['createUser', 'linkAccount', 'signIn'])
      await sessionOf(agent)
      await signOut(agent)
      await signIn(app, agent)
      expect(names(app).slice(3)).toEqual(['session', 'signOut', 'signIn'])
    }
    const app = open()
    await signIn(app, app.agent())
    expect(names(app)).toEqual(['signIn'])
  }),

  scenario(
    'EVT-003 EVT-005 EVT-007 EVT-009 DEC-19d a first sign-in fires events with user, account and profile',
    async ({ open }) => {
      const app = open({ strategy: 'database' })
      await signIn(app, app.agent())
      const user = await app.store.getUserByEmail('ada@example.com')
      expect(messageOf(app, 'createUser')).toEqual({ user })
      const key = { provider: 'idp', type: 'oidc', providerAccountId: 'ada' }
      const { id: _, emailVerified: __, ...mapped } = user ?? { id: '', emailVerified: null }
      expect(messageOf(app, 'linkAccount')).toEqual({
        user,
        account: expect.objectContaining({ ...key, userId: user?.id }),
        profile: expect.objectContaining(mapped),
      })
      expect(messageOf(app, 'signIn')).toEqual({
        user,
        account: expect.objectContaining(key),
        profile: expect.objectContaining({ sub: 'ada' }),
        isNewUser: true,
      })
    },
  ),

  scenario('EVT-009 isNewUser is false for a known user, and undefined without a store', async ({ open }) => {
    const stored = open({ strategy: 'database' })
    await signIn(stored, stored.agent())
    await signIn(stored, stored.agent())
    expect(stored.events.at(-1)).toMatchObject({ event: 'signIn', message: { isNewUser: false } })
    const storeless = open()
    await signIn(storeless, storeless.agent())
    const { isNewUser, user, profile } = messageOf(storeless, 'signIn')
    expect(isNewUser).toBeUndefined()
    expect([user, profile]).toMatchObject([{ name: 'Ada', email: 'ada@example.com' }, { sub: 'ada' }])
  }),

  scenario(
    "EVT-006 the session event receives the client's session, and the token under jwt",
    async ({ open }) => {
      const jwt = open()
      const agent = jwt.agent()
      await signIn(jwt, agent)
      const seen = await sessionOf(agent)
      expect(messageOf(jwt, 'session')).toEqual({
        session: seen,
        token: expect.objectContaining({ name: 'Ada', sub: expect.any(String) }),
      })
      const database = open({ strategy: 'database' })
      const other = database.agent()
      await signIn(database, other)
      expect(messageOf(database, 'session')).toEqual({})
      const shown = await sessionOf(other)
      expect(messageOf(database, 'session')).toEqual({ session: shown })
    },
  ),

  scenario(
    'EVT-010 CB-05 the signOut event receives the row under database, and the token under jwt',
    async ({ open }) => {
      const database = open({ strategy: 'database' })
      const agent = database.agent()
      await signIn(database, agent)
      const row = await rowOf(database, agent)
      await signOut(agent)
      expect(database.events.at(-1)).toEqual({ event: 'signOut', message: { session: row } })
      const jwt = open()
      const other = jwt.agent()
      await signIn(jwt, other)
      await signOut(other)
      expect(jwt.events.at(-1)).toEqual({
        event: 'signOut',
        message: { token: expect.objectContaining({ email: 'ada@example.com' }) },
      })
      expect(names(jwt)).toEqual(['signIn', 'signOut'])
    },
  ),

  scenario('EVT-001 DEC-21c events are awaited, and their results ignored', async ({ open }) => {
    const done: string[] = []
    const late = (name: string) => async () => {
      await new Promise(setImmediate)
      done.push(name)
      // Plain JavaScript may return anything.
      return JSON.parse('false')
    }
    const events = { signIn: late('signIn'), session: late('session'), signOut: late('signOut') }
    const app = open({ strategy: 'database', config: { events } })
    const agent = app.agent()
    expect((await signIn(app, agent)).headers.get('location')).toBe('https://app.test')
    expect(done).toEqual(['signIn'])
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    expect(done).toEqual(['signIn', 'session'])
    expect((await signOut(agent)).headers.get('location')).toBe('https://app.test')
    expect(done).toEqual(['signIn', 'session', 'signOut'])
  }),

  scenario('CB-05 DEC-21c an exception in an event is logged, and changes nothing', async ({ open }) => {
    for (const strategy of ['database', 'jwt'] as const) {
      const received: string[] = []
      const event = (name: string, isLate: boolean) => () => {
        received.push(name)
        const error = new Error(`${name} is not for me`)
        if (isLate) return Promise.reject(error)
        throw error
      }
      const events = { createUser: event('createUser', false), signIn: event('signIn', true) }
      const more = { session: event('session', false), signOut: event('signOut', true) }
      const app = open({ strategy, config: { events: { ...events, ...more } } })
      const agent = app.agent()
      expect((await signIn(app, agent)).headers.get('location')).toBe('https://app.test')
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
      expect((await signOut(agent)).headers.get('location')).toBe('https://app.test')
      const stored = strategy === 'database' ? ['createUser'] : []
      expect(received).toEqual([...stored, 'signIn', 'session', 'signOut'])
      expect(app.errors.map(({ name, message }) => `${name}: ${message}`)).toEqual(
        received.map((name) => `EventError: ${name} is not for me`),
      )
    }
  }),

  scenario(
    'DEC-21c DEC-34 an event that never ends delays the response by at most 30 seconds',
    async ({ open }) => {
      const started = openSignal()
      const hang = () => {
        started.reach()
        return new Promise<void>(() => {})
      }
      const app = open({ config: { events: { signIn: hang } } })
      const agent = app.agent()
      const { parameters } = await visitProvider(app, agent)
      let isAnswered = false
      const answer = agent.send(`/auth/callback/idp?${parameters}`).finally(() => (isAnswered = true))
      await Promise.race([started.reached, answer])
      app.clock.advance(29.999)
      await new Promise(setImmediate)
      expect(isAnswered).toBe(false)
      app.clock.advance(0.001)
      const response = await answer
      expect(response.headers.get('location')).toBe('https://app.test')
      expect(heldSession(agent)).not.toBe('')
      expect(app.errors.map(({ name }) => name)).toEqual(['EventError'])
    },
  ),

  scenario('CB-05 DEC-21b an event fires after the commit it reports', async ({ open }) => {
    const rows: unknown[] = []
    const app = open({
      strategy: 'database',
      config: {
        events: {
          createUser: async ({ user }) => void rows.push((await app.store.getUser(user.id ?? ''))?.email),
          linkAccount: async ({ account }) =>
            void rows.push((await app.store.getAccount(account.providerAccountId, 'idp'))?.provider),
          signIn: async ({ user }) =>
            void rows.push(user.id === (await app.store.getUserByEmail('ada@example.com'))?.id),
          signOut: async () => void rows.push(await rowOf(app, agent)),
        },
      },
    })
    const agent = app.agent()
    await signIn(app, agent)
    await signOut(agent)
    expect(rows).toEqual(['ada@example.com', 'idp', true, null])
  }),

  scenario('CB-05 DEC-21b uncommitted changes emit no event', async ({ open }) => {
    const parts = { createUser: [], linkAccount: [], createSession: ['createUser', 'linkAccount'] } as const
    for (const [operation, received] of Object.entries(parts)) {
      const wrap = watching([], () => ({ [operation]: unreachable }))
      const app = open({ strategy: 'database', wrap })
      const agent = app.agent()
      const response = await signIn(app, agent)
      expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
      expect(names(app)).toEqual(received)
      expect(agent.cookies()).not.toHaveProperty(sessionCookie)
      expect(app.ended()).toBe('faulted')
    }
  }),

  scenario(
    'DEC-21a CB-03 null from the jwt callback at sign-in is AccessDenied, without session or signIn event',
    async ({ open }) => {
      const app = open({ strategy: 'jwt-stored', config: { callbacks: { jwt: () => null } } })
      const agent = app.agent()
      const response = await signIn(app, agent)
      expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=AccessDenied')
      expect(agent.cookies()).not.toHaveProperty(sessionCookie)
      expect(names(app)).toEqual(['createUser', 'linkAccount'])
      expect(app.ended()).toBe('denied')
    },
  ),
]
