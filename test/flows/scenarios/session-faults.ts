import { expect } from 'vitest'
import { sessionOf, signIn, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { heldSession, rowOf, sessionCookie } from '../../support/session-cookie.ts'
import { openSignal } from '../../../fuzz/world/signal.ts'
import { unreachable, watching } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import type { JWT } from '../../../src/types/jwt.ts'
import type { Session } from '../../../src/types/records.ts'

const fail = () => {
  throw new Error('try again later')
}

/** Temporary failures: 503, and nothing is lost. */
export const sessionFaultScenarios = [
  scenario(
    'FI-08 DEC-23a a callback that throws under jwt results in 503 with null, and keeps the cookie',
    async ({ open }) => {
      for (const callback of ['jwt', 'session'] as const) {
        let broken = false
        const app = open({
          config: {
            callbacks: {
              jwt: ({ token }) => (broken && callback === 'jwt' ? fail() : token),
              session: ({ session }) => (broken && callback === 'session' ? fail() : session),
            },
          },
        })
        await expectTemporaryFailure(app, (yes) => (broken = yes), 'JWTSessionError')
      }
    },
  ),

  scenario('FI-08 DEC-23a a token that cannot be sealed results in 503', async ({ open }) => {
    let padding = ''
    const app = open({ config: { callbacks: { jwt: ({ token }) => ({ ...token, padding }) } } })
    await expectTemporaryFailure(app, (yes) => (padding = yes ? '0'.repeat(50_000) : ''), 'JWTSessionError')
  }),

  scenario(
    'FI-08 DEC-23a a jwt callback that returns neither claims nor null results in 503',
    async ({ open }) => {
      let broken = false
      // Plain JavaScript may return anything.
      const text: JWT = JSON.parse('"text"')
      const app = open({ config: { callbacks: { jwt: ({ token }) => (broken ? text : token) } } })
      await expectTemporaryFailure(app, (yes) => (broken = yes), 'JWTSessionError')
    },
  ),

  scenario(
    'FI-08 DEC-23a a session callback that throws or rejects under database results in 503',
    async ({ open }) => {
      let broken = false
      const app = open({
        strategy: 'database',
        config: { callbacks: { session: async ({ session }) => (broken ? fail() : session) } },
      })
      await expectTemporaryFailure(app, (yes) => (broken = yes), 'SessionTokenError')
    },
  ),

  scenario(
    'FI-08 DEC-23c a session callback whose value cannot be serialised results in 503',
    async ({ open }) => {
      const cycle: Record<string, unknown> = {}
      cycle['self'] = cycle
      const values = [{ n: 1n }, cycle, fail, { toJSON: fail }]
      for (const strategy of ['jwt', 'database'] as const)
        for (const value of values) {
          let broken = false
          const session = (given: { session: Session }): Session =>
            // Plain JavaScript may return anything.
            broken ? (value as unknown as Session) : given.session
          const app = open({ strategy, config: { callbacks: { session } } })
          await expectTemporaryFailure(
            app,
            (yes) => (broken = yes),
            strategy === 'jwt' ? 'JWTSessionError' : 'SessionTokenError',
          )
        }
    },
  ),

  scenario(
    'FI-08 DEC-23a a store that fails to find, extend or delete the row results in 503',
    async ({ open }) => {
      for (const operation of ['getSessionAndUser', 'updateSession'] as const) {
        const { wrap, set } = failing(operation)
        const app = open({ strategy: 'database', wrap, config: { session: { updateAge: 0 } } })
        await expectTemporaryFailure(app, set, 'SessionTokenError')
      }
      const { wrap, set } = failing('deleteSession')
      const app = open({ strategy: 'database', wrap, config: { session: { maxAge: 10 } } })
      const agent = app.agent()
      await signIn(app, agent)
      app.clock.advance(10)
      set(true)
      await expectUnavailable(app, agent, 'SessionTokenError')
      set(false)
      expect(await sessionOf(agent)).toBeNull()
      expect(app.ended()).toBe('ended')
    },
  ),

  scenario('DEC-34 FI-08 a store that never responds results in 503 after 30 seconds', async ({ open }) => {
    const asked = openSignal()
    const wrap = watching([], () => ({
      getSessionAndUser() {
        asked.reach()
        return new Promise<never>(() => {})
      },
    }))
    const app = open({ strategy: 'database', wrap })
    const agent = app.agent()
    agent.set(`${sessionCookie}=some-id; Path=/; Secure`)
    const answer = agent.send('/auth/session')
    await Promise.race([asked.reached, answer])
    app.clock.advance(30)
    const response = await answer
    expect(response.status).toBe(503)
    expect(heldSession(agent)).toBe('some-id')
    expect(app.ended()).toBe('unavailable')
  }),

  scenario('DEC-16b an expiry that is not a Date is not a session', async ({ open }) => {
    // The row of a store that does not parse dates.
    const unparsed: Date[] = ['"2031-01-01T00:00:00.000Z"', '1956528000000', 'null'].map((text) =>
      JSON.parse(text),
    )
    for (const expires of [...unparsed, new Date(Number.NaN)]) {
      const wrap = watching([], (store) => ({
        async getSessionAndUser(id) {
          const found = await store.getSessionAndUser?.(id)
          return found ? { ...found, session: { ...found.session, expires } } : null
        },
      }))
      // It ignores the date, like a callback that returns only the user.
      const session = () => ({ expires: '2031-01-01' })
      const app = open({ strategy: 'database', wrap, config: { callbacks: { session } } })
      const agent = app.agent()
      await signIn(app, agent)
      await expectUnavailable(app, agent, 'SessionTokenError')
    }
  }),

  scenario('DEC-12b DEC-17a an extension before a fault still reaches the browser', async ({ open }) => {
    const app = open({
      strategy: 'database',
      config: { session: { updateAge: 0, maxAge: 1000 }, callbacks: { session: fail } },
    })
    const agent = app.agent()
    await signIn(app, agent)
    app.clock.advance(5)
    const response = await agent.send('/auth/session')
    expect(response.status).toBe(503)
    const row = await rowOf(app, agent)
    expect(response.headers.getSetCookie().join()).toContain(`Expires=${row?.expires.toUTCString()}`)
    expect(row?.expires.getTime()).toBe(app.clock.now() + 1_000_000)
  }),
]

/** A store with one operation that can be made to fail. */
function failing(operation: keyof Adapter) {
  let broken = false
  const wrap = watching([], (store) => ({
    [operation]: (...args: never[]) => {
      const run: ((...args: never[]) => unknown) | undefined = store[operation]
      return broken ? unreachable() : run?.(...args)
    },
  }))
  return { wrap, set: (yes: boolean) => void (broken = yes) }
}

async function expectTemporaryFailure(app: App, set: (broken: boolean) => void, error: string) {
  const agent = app.agent()
  await signIn(app, agent)
  set(true)
  await expectUnavailable(app, agent, error)
  set(false)
  expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  expect(app.ended()).toBe('presented')
}

async function expectUnavailable(app: App, agent: Agent, error: string) {
  const [held, eventsBefore, logged] = [heldSession(agent), app.events.length, app.errors.length]
  const response = await agent.send('/auth/session')
  expect(response.status).toBe(503)
  expect(await response.text()).toBe('null')
  expect(response.headers.getSetCookie()).toEqual([])
  expect(heldSession(agent)).toBe(held)
  expect(app.ended()).toBe('unavailable')
  expect(app.events).toHaveLength(eventsBefore)
  expect(app.errors.slice(logged).map(({ name }) => name)).toEqual([error])
}
