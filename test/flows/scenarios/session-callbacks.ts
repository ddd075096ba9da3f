import { expect } from 'vitest'
import { csrfOf, sessionOf, signIn } from '../../support/app.ts'
import { claimsOf, heldSession } from '../../support/session-cookie.ts'
import { scenario } from '../scenario.ts'
import type { CallbacksOptions } from '../../../src/types/callbacks.ts'

type Params = Record<string, unknown>

/** Records the arguments of a callback. Undefined members count as missing. */
function recording() {
  const calls: { readonly callback: string; readonly params: Params }[] = []
  let asked = 0
  const note = (callback: string, params: object) => {
    const given = Object.entries(params).filter(([, value]) => value !== undefined)
    calls.push({ callback, params: structuredClone(Object.fromEntries(given)) })
  }
  const callbacks: Partial<CallbacksOptions> = {
    jwt(params) {
      note('jwt', params)
      return { ...params.token, role: 'admin', asked: ++asked }
    },
    session(params) {
      note('session', params)
      return { ...params.session, shown: params.token?.role ?? 'row' }
    },
  }
  return { calls, callbacks }
}

const profile = { sub: 'ada', name: 'Ada', email: 'ada@example.com' }
const account = { provider: 'idp', type: 'oidc', providerAccountId: 'ada' }

/** The arguments of the jwt and session callbacks, and the use of their results. */
export const sessionCallbackScenarios = [
  scenario(
    'CB-03 CBK-001 CBK-005 CBK-006 CBK-007 CBK-010 CBK-011 WIR-041 jwt receives user, account and profile at sign-in, without a store',
    async ({ open }) => {
      const { calls, callbacks } = recording()
      const app = open({ config: { callbacks } })
      await signIn(app, app.agent())
      expect(calls).toHaveLength(1)
      const { callback, params } = calls[0] ?? {}
      expect(callback).toBe('jwt')
      expect(Object.keys(params ?? {}).toSorted()).toEqual(['account', 'profile', 'token', 'trigger', 'user'])
      const image = 'https://idp.test/ada.png'
      expect(params).toMatchObject({ trigger: 'signIn', account, profile })
      expect(params?.user).toMatchObject({ name: 'Ada', email: 'ada@example.com', image })
      const { id } = Object(params?.user)
      expect(params?.token).toEqual({ name: 'Ada', email: 'ada@example.com', picture: image, sub: id })
    },
  ),

  scenario(
    'CB-03 CBK-005 CBK-006 CBK-011 WIR-041 jwt distinguishes the first sign-in of a user from later ones',
    async ({ open }) => {
      const { calls, callbacks } = recording()
      const app = open({ strategy: 'jwt-stored', config: { callbacks } })
      await signIn(app, app.agent())
      await signIn(app, app.agent())
      const user = await app.store.getUserByEmail('ada@example.com')
      expect(calls.map(({ params }) => params)).toMatchObject([
        {
          trigger: 'signUp',
          isNewUser: true,
          account,
          profile,
          user: { id: user?.id },
          token: { sub: user?.id },
        },
        {
          trigger: 'signIn',
          isNewUser: false,
          account,
          profile,
          user: { id: user?.id },
          token: { sub: user?.id },
        },
      ])
    },
  ),

  scenario(
    'CB-03 CBK-002 CBK-003 CBK-007 CBK-010 jwt receives the whole token at a session read, and no sign-in data',
    async ({ open }) => {
      const { calls, callbacks } = recording()
      const app = open({ config: { callbacks } })
      const agent = app.agent()
      await signIn(app, agent)
      const token = await claimsOf(app, heldSession(agent))
      expect(token).toMatchObject({ role: 'admin' })
      calls.length = 0
      await sessionOf(agent)
      expect(calls[0]).toEqual({ callback: 'jwt', params: { token } })
      const csrfToken = await csrfOf(agent)
      const renewed = await claimsOf(app, heldSession(agent))
      calls.length = 0
      await agent.send('/auth/session', { form: { csrfToken, data: 'new' } })
      expect(calls[0]).toEqual({
        callback: 'jwt',
        params: { token: renewed, trigger: 'update', session: 'new' },
      })
    },
  ),

  scenario('CB-04 CBK-004 CBK-018 CBK-021 session receives session and token under jwt', async ({ open }) => {
    const { calls, callbacks } = recording()
    const app = open({ config: { callbacks } })
    const agent = app.agent()
    await signIn(app, agent)
    calls.length = 0
    const body = await sessionOf(agent)
    expect(calls.map(({ callback }) => callback)).toEqual(['jwt', 'session'])
    const params = calls[1]?.params
    expect(Object.keys(params ?? {}).toSorted()).toEqual(['session', 'token'])
    const user = { name: 'Ada', email: 'ada@example.com', image: 'https://idp.test/ada.png' }
    const expires = new Date(app.clock.now() + 30 * 86_400_000).toISOString()
    expect(params).toMatchObject({
      session: { user, expires },
      token: { role: 'admin', asked: 2, name: 'Ada' },
    })
    expect(body).toEqual({ user, expires, shown: 'admin' })
  }),

  scenario(
    'CB-04 CBK-019 DEC-17e session receives session and user under database, without the session token',
    async ({ open }) => {
      const { calls, callbacks } = recording()
      const app = open({ strategy: 'database', config: { callbacks } })
      const agent = app.agent()
      await signIn(app, agent)
      expect(calls).toEqual([])
      const response = await agent.send('/auth/session')
      const text = await response.text()
      const user = await app.store.getUserByEmail('ada@example.com')
      const expires = new Date(app.clock.now() + 30 * 86_400_000)
      const { emailVerified: _, ...narrow } = user ?? {}
      expect(calls).toEqual([
        { callback: 'session', params: { session: { userId: user?.id, expires, user: narrow }, user } },
      ])
      expect(JSON.parse(text)).toMatchObject({ shown: 'row', userId: user?.id, user: { id: user?.id } })
      expect(text).not.toContain(heldSession(agent))
    },
  ),

  scenario(
    'CB-04 CBK-021 the response body is exactly the result of the session callback',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database'] as const) {
        for (const body of [
          '{}',
          '{"expires":"never","deep":[{"a":null}]}',
          '"text"',
          'null',
          '[]',
          '0',
          'false',
        ]) {
          const app = open({ strategy, config: { callbacks: { session: () => JSON.parse(body) } } })
          const agent = app.agent()
          await signIn(app, agent)
          const response = await agent.send('/auth/session')
          expect(await response.text()).toBe(body)
          expect(response.status).toBe(200)
          expect(app.ended()).toBe('presented')
        }
      }
    },
  ),

  scenario(
    'CBK-001 CBK-017 jwt runs only for JWT sessions, and session only for existing sessions',
    async ({ open }) => {
      const { calls, callbacks } = recording()
      const app = open({ strategy: 'database', config: { callbacks } })
      const agent = app.agent()
      await sessionOf(agent)
      expect(calls).toEqual([])
      await signIn(app, agent)
      await sessionOf(agent)
      await sessionOf(agent)
      expect(calls.map(({ callback }) => callback)).toEqual(['session', 'session'])
    },
  ),
]
