import { expect } from 'vitest'
import type { Adapter } from '../../../src/types/adapter.ts'
import type { AuthConfig } from '../../../src/types/config.ts'
import type { SessionOptions } from '../../../src/types/session-options.ts'
import { csrfOf, sessionOf, signIn, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { claimsOf, heldSession, plant, sentExpiry } from '../../support/session-cookie.ts'
import { scenario, type Stage } from '../scenario.ts'

const hour = 3600
const day = 24 * hour
const strategies = ['jwt', 'database'] as const

/** Ada's session lasts ten days if her browser asks for it, and otherwise an hour. */
const asked: NonNullable<SessionOptions['signInMaxAge']> = ({ request }) =>
  request.headers.get('cookie')?.includes('remember=yes') ? 10 * day : hour

async function arrive(open: Stage['open'], strategy: (typeof strategies)[number], remembers: boolean) {
  const app = open({
    strategy,
    config: {
      session: { maxAge: 30 * day, updateAge: day, signInMaxAge: asked },
      // An application whose callback returns new claims must not extend the session.
      callbacks: { jwt: ({ token }) => ({ name: token.name, sub: token.sub }) },
    },
  })
  const agent = app.agent()
  if (remembers) agent.set('remember=yes; Path=/; Secure')
  return { app, agent, response: await signIn(app, agent) }
}

const secondsLeft = (app: App, response: Response) => ((sentExpiry(response) ?? 0) - app.clock.now()) / 1000

async function read(agent: Agent) {
  const response = await agent.send('/auth/session')
  return { response, body: (await response.json()) as { readonly expires: string } | null }
}

/** Sessions whose lifetime the sign-in chooses. */
export const rememberMeScenarios = [
  scenario('OPT-007 a sign-in chooses the lifetime of its session', async ({ open }) => {
    for (const strategy of strategies) {
      for (const [remembers, chosen] of [
        [true, 10 * day],
        [false, hour],
      ] as const) {
        const { app, agent, response } = await arrive(open, strategy, remembers)
        expect(secondsLeft(app, response)).toBe(chosen)
        const expires = new Date(app.clock.now() + chosen * 1000)
        expect((await read(agent)).body?.expires).toBe(expires.toISOString())
        if (strategy === 'database') expect(app.rows.sessions()[0]?.expires).toEqual(expires)
        else expect(await claimsOf(app, heldSession(agent))).toMatchObject({ exp: expires.getTime() / 1000 })
        app.clock.advance(chosen)
        expect(await sessionOf(agent)).toBeNull()
      }
    }
  }),

  scenario('OPT-007 an extension keeps the chosen lifetime', async ({ open }) => {
    for (const strategy of strategies) {
      const { app, agent } = await arrive(open, strategy, false)
      for (let reads = 0; reads < 4; reads++) {
        app.clock.advance(hour / 2)
        const { response, body } = await read(agent)
        expect(secondsLeft(app, response)).toBe(hour)
        expect(body?.expires).toBe(new Date(app.clock.now() + hour * 1000).toISOString())
      }
      app.clock.advance(hour)
      expect(await sessionOf(agent)).toBeNull()
    }
  }),

  scenario('OPT-007 callbacks that change the token in place keep the chosen lifetime', async ({ open }) => {
    const callbacks: readonly AuthConfig['callbacks'][] = [
      { jwt: ({ token, session }) => Object.assign(token, session) },
      {
        jwt({ token }) {
          delete token['signInMaxAge']
          return token
        },
      },
      {
        session({ session, token }) {
          token['signInMaxAge'] = 20 * day
          return session
        },
      },
    ]
    for (const each of callbacks) {
      const app = open({ config: { session: { maxAge: 30 * day, signInMaxAge: asked }, callbacks: each } })
      const agent = app.agent()
      await signIn(app, agent)
      const json = { csrfToken: await csrfOf(agent), data: { signInMaxAge: 20 * day } }
      for (let updates = 0; updates < 2; updates++) {
        const response = await agent.send('/auth/session', { json })
        expect(secondsLeft(app, response)).toBe(hour)
        expect(await claimsOf(app, heldSession(agent))).toMatchObject({ signInMaxAge: hour })
      }
    }
  }),

  scenario('OPT-007 a store that compares inexactly keeps the chosen lifetime', async ({ open }) => {
    const fold = (token: string) => token.trimEnd().toLowerCase()
    const wrap = (store: Adapter): Adapter => ({
      ...store,
      getSessionAndUser: (token) => store.getSessionAndUser?.(fold(token)) ?? null,
      updateSession: (session) =>
        store.updateSession?.({ ...session, sessionToken: fold(session.sessionToken) }),
    })
    const session = { maxAge: 30 * day, updateAge: 0, signInMaxAge: () => hour }
    for (const change of [(token: string) => token.toUpperCase(), (token: string) => `${token}%20`]) {
      const app = open({ strategy: 'database', wrap, config: { session } })
      const agent = app.agent()
      await signIn(app, agent)
      plant(agent, change(heldSession(agent)))
      await sessionOf(agent)
      expect(app.rows.sessions()[0]?.expires).toEqual(new Date(app.clock.now() + hour * 1000))
    }
  }),

  scenario('OPT-007 a missing or too long lifetime becomes maxAge', async ({ open }) => {
    for (const strategy of strategies) {
      for (const said of [undefined, 300 * day]) {
        const app = open({ strategy, config: { session: { maxAge: day, signInMaxAge: async () => said } } })
        const agent = app.agent()
        expect(secondsLeft(app, await signIn(app, agent))).toBe(day)
        app.clock.advance(hour)
        expect(await sessionOf(agent)).not.toBeNull()
      }
    }
  }),

  scenario('OPT-007 an invalid lifetime signs nobody in', async ({ open }) => {
    for (const said of [0, -1, Number.NaN, 'long' as never]) {
      const app = open({ config: { session: { signInMaxAge: () => said } } })
      const agent = app.agent()
      await signIn(app, agent)
      expect(app.ended()).toBe('faulted')
      expect(await sessionOf(agent)).toBeNull()
    }
  }),
]
