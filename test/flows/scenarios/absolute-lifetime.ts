import { expect } from 'vitest'
import type { SessionOptions } from '../../../src/types/session-options.ts'
import { csrfOf, sessionOf, signIn } from '../../support/app.ts'
import { claimsOf, heldSession, plant, sentExpiry } from '../../support/session-cookie.ts'
import { scenario, type Stage } from '../scenario.ts'

const hour = 3600
const strategies = ['jwt', 'database'] as const

async function arrive(
  open: Stage['open'],
  strategy: (typeof strategies)[number],
  session: SessionOptions,
  callbacks = {},
) {
  const app = open({ strategy, config: { session, callbacks } })
  const agent = app.agent()
  return { app, agent, response: await signIn(app, agent) }
}

/** Sessions that end although they are in use. */
export const absoluteLifetimeScenarios = [
  scenario('OPT-060 SE-08 a session in use ends at its absolute end', async ({ open }) => {
    for (const strategy of strategies) {
      const session = { maxAge: hour, updateAge: 60, absoluteMaxAge: 2 * hour }
      const { app, agent } = await arrive(open, strategy, session)
      const end = app.clock.now() + 2 * hour * 1000
      for (let reads = 0; reads < 3; reads++) {
        app.clock.advance(hour / 2)
        const response = await agent.send('/auth/session')
        const { expires } = (await response.json()) as { readonly expires: string }
        const expected = Math.min(end, app.clock.now() + hour * 1000)
        expect(Date.parse(expires)).toBe(expected)
        if (strategy === 'jwt') expect(sentExpiry(response)).toBe(expected)
        else expect(app.rows.sessions()[0]?.expires.getTime()).toBe(expected)
      }
      app.clock.advance(hour / 2 - 1)
      expect(await sessionOf(agent)).not.toBeNull()
      app.clock.advance(1)
      expect(await sessionOf(agent)).toBeNull()
      expect(app.rows.sessions()).toEqual([])
    }
  }),

  scenario('OPT-060 SE-06 a session close to its end is not written again', async ({ open }) => {
    const session = { maxAge: hour, updateAge: 0, absoluteMaxAge: hour + 60 }
    const { app, agent } = await arrive(open, 'database', session)
    app.clock.advance(120)
    expect(sentExpiry(await agent.send('/auth/session'))).toBe(app.clock.now() + (hour - 60) * 1000)
    app.clock.advance(60)
    expect(sentExpiry(await agent.send('/auth/session'))).toBeUndefined()
  }),

  scenario('OPT-060 SE-25 an absolute end before maxAge shortens the first session', async ({ open }) => {
    for (const strategy of strategies) {
      const { app, agent, response } = await arrive(open, strategy, {
        maxAge: 5 * hour,
        absoluteMaxAge: hour,
      })
      expect(sentExpiry(response)).toBe(app.clock.now() + hour * 1000)
      expect(await sessionOf(agent)).toMatchObject({
        expires: new Date(app.clock.now() + hour * 1000).toISOString(),
      })
    }
  }),

  scenario('OPT-060 callbacks and updates cannot move the end', async ({ open }) => {
    for (const jwt of [
      ({ token }: { token: object }) => ({ ...token, signedInAt: 9e9 }),
      ({ token }: { token: { name?: unknown } }) => ({ name: token.name }),
    ]) {
      const session = { maxAge: hour, absoluteMaxAge: hour }
      const { app, agent } = await arrive(open, 'jwt', session, { jwt })
      const end = app.clock.now() / 1000 + hour
      app.clock.advance(hour / 2)
      await agent.send('/auth/session', {
        json: { csrfToken: await csrfOf(agent), data: { signedInAt: 9e9 } },
      })
      expect(await claimsOf(app, heldSession(agent))).toMatchObject({ exp: end, signedInAt: end - hour })
    }
  }),

  scenario('OPT-060 SE-09 a lowered limit ends existing sessions', async ({ open }) => {
    for (const strategy of strategies) {
      const first = await arrive(open, strategy, { absoluteMaxAge: 4 * hour })
      const wrap = () => first.app.store
      const later = open({ strategy, wrap, config: { session: { absoluteMaxAge: hour } } })
      const agent = later.agent()
      plant(agent, heldSession(first.agent))
      later.clock.advance(hour)
      expect(await sessionOf(agent)).toBeNull()
    }
  }),

  scenario('OPT-060 a session without the time of its sign-in has ended', async ({ open }) => {
    for (const strategy of strategies) {
      const first = await arrive(open, strategy, {})
      const wrap = () => first.app.store
      const later = open({ strategy, wrap, config: { session: { absoluteMaxAge: hour } } })
      const agent = later.agent()
      plant(agent, heldSession(first.agent))
      expect(await sessionOf(agent)).toBeNull()
      expect(later.ended()).toBe('ended')
    }
  }),

  scenario('OPT-060 OPT-007 a chosen lifetime and an absolute end go together', async ({ open }) => {
    for (const strategy of strategies) {
      const session = {
        maxAge: 9 * hour,
        updateAge: 60,
        signInMaxAge: () => hour,
        absoluteMaxAge: 1.5 * hour,
      }
      const { app, agent } = await arrive(open, strategy, session)
      const end = app.clock.now() + 1.5 * hour * 1000
      app.clock.advance(hour / 4)
      expect(sentExpiry(await agent.send('/auth/session'))).toBe(app.clock.now() + hour * 1000)
      app.clock.advance(hour / 2)
      expect(sentExpiry(await agent.send('/auth/session'))).toBe(end)
    }
  }),

  scenario(
    'OPT-060 OPT-007 a store that changes the session token cannot keep the lifetime',
    async ({ open }) => {
      const app = open({
        strategy: 'database',
        config: { session: { absoluteMaxAge: hour } },
        wrap: (store) => ({
          ...store,
          createSession: (session) =>
            store.createSession?.({ ...session, sessionToken: 'a-token-of-the-store' }) as never,
        }),
      })
      await signIn(app, app.agent())
      expect(app.ended()).toBe('faulted')
      expect(app.errors.map(String).join()).toContain('createSession changed the session token')
    },
  ),

  scenario('OPT-060 OPT-007 a generated token must not look like a lifetime', async ({ open }) => {
    for (const generated of ['abc.max5', 'abc.at5', 'abc.MAX5.at5']) {
      const session = { signInMaxAge: () => undefined, generateSessionToken: () => generated }
      const app = open({ strategy: 'database', config: { session } })
      await signIn(app, app.agent())
      expect(app.ended()).toBe('faulted')
    }
  }),
]
