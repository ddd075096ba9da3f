import { expect } from 'vitest'
import { sessionOf, signIn, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { heldSession, rowOf, sessionCookie } from '../../support/session-cookie.ts'
import { openSignal } from '../../../fuzz/world/signal.ts'
import { unreachable, watching } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import type { JWT } from '../../../src/types/jwt.ts'

const fail = () => {
  throw new Error('try again later')
}

/** What goes wrong for a while: 503, and nothing is lost. */
export const sessionFaultScenarios = [
  scenario(
    'FI-08 DEC-23a a callback that throws under jwt is 503 with null, and the cookie stays',
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
        await expectHiccup(app, (yes) => (broken = yes), 'JWTSessionError')
      }
    },
  ),

  scenario('FI-08 DEC-23a so is a token that cannot be sealed', async ({ open }) => {
    let padding = ''
    const app = open({ config: { callbacks: { jwt: ({ token }) => ({ ...token, padding }) } } })
    await expectHiccup(app, (yes) => (padding = yes ? '0'.repeat(50_000) : ''), 'JWTSessionError')
  }),

  scenario('FI-08 DEC-23a so is a jwt callback that answers neither claims nor null', async ({ open }) => {
    let broken = false
    // Plain JavaScript may answer anything.
    const text: JWT = JSON.parse('"text"')
    const app = open({ config: { callbacks: { jwt: ({ token }) => (broken ? text : token) } } })
    await expectHiccup(app, (yes) => (broken = yes), 'JWTSessionError')
  }),

  scenario(
    'FI-08 DEC-23a so is a session callback that throws, or rejects, under database',
    async ({ open }) => {
      let broken = false
      const app = open({
        strategy: 'database',
        config: { callbacks: { session: async ({ session }) => (broken ? fail() : session) } },
      })
      await expectHiccup(app, (yes) => (broken = yes), 'SessionTokenError')
    },
  ),

  scenario('FI-08 DEC-23a so is a store that fails to find, extend or remove the row', async ({ open }) => {
    for (const operation of ['getSessionAndUser', 'updateSession'] as const) {
      const { wrap, set } = failing(operation)
      const app = open({ strategy: 'database', wrap, config: { session: { updateAge: 0 } } })
      await expectHiccup(app, set, 'SessionTokenError')
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
  }),

  scenario('DEC-34 FI-08 a store that never answers is 503 after 30 seconds', async ({ open }) => {
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

  scenario('DEC-16b a date that is no Date is no session', async ({ open }) => {
    // As a store hands it out that forgets to parse.
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
      // It does not look at the date, as one that shows the user alone.
      const session = () => ({ expires: '2031-01-01' })
      const app = open({ strategy: 'database', wrap, config: { callbacks: { session } } })
      const agent = app.agent()
      await signIn(app, agent)
      await expectUnavailable(app, agent, 'SessionTokenError')
    }
  }),

  scenario('DEC-12b DEC-17a what was extended before a fault is told to the browser', async ({ open }) => {
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

/** A store of which one operation can be made to fail. */
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

async function expectHiccup(app: App, set: (broken: boolean) => void, error: string) {
  const agent = app.agent()
  await signIn(app, agent)
  set(true)
  await expectUnavailable(app, agent, error)
  set(false)
  expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  expect(app.ended()).toBe('presented')
}

async function expectUnavailable(app: App, agent: Agent, error: string) {
  const [held, told, logged] = [heldSession(agent), app.events.length, app.errors.length]
  const response = await agent.send('/auth/session')
  expect(response.status).toBe(503)
  expect(await response.text()).toBe('null')
  expect(response.headers.getSetCookie()).toEqual([])
  expect(heldSession(agent)).toBe(held)
  expect(app.ended()).toBe('unavailable')
  expect(app.events).toHaveLength(told)
  expect(app.errors.slice(logged).map(({ name }) => name)).toEqual([error])
}
