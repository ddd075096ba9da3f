import { expect } from 'vitest'
import { csrfOf, sessionOf, signIn } from '../../support/app.ts'
import { claimsOf, heldSession, rowOf } from '../../support/session-cookie.ts'
import { scenario } from '../scenario.ts'
import { skipCSRFCheck } from '../../../src/types/symbols.ts'

const data = {
  user: { id: 'eve', email: 'eve@example.com', role: 'admin' },
  sub: 'eve',
  expires: '2099-01-01',
}

/** Data that a client posts to the session route. */
export const sessionUpdateScenarios = [
  scenario(
    'WIR-050 SE-19 CBK-008 CBK-020 the data of an update is passed only to the callbacks',
    async ({ open }) => {
      const seen: unknown[] = []
      const app = open({
        config: {
          callbacks: {
            jwt({ token, trigger, session }) {
              if (trigger !== 'signIn') seen.push({ trigger, session })
              return token
            },
            session({ session, trigger, newSession }) {
              seen.push({ trigger, newSession })
              return session
            },
          },
        },
      })
      const agent = app.agent()
      await signIn(app, agent)
      const before = await sessionOf(agent)
      const { iat: _, exp: __, jti: ___, ...claims } = await claimsOf(app, heldSession(agent))
      seen.length = 0
      const response = await agent.send('/auth/session', { json: { csrfToken: await csrfOf(agent), data } })
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual(before)
      expect(await claimsOf(app, heldSession(agent))).toMatchObject(claims)
      expect(seen).toEqual([
        { trigger: 'update', session: data },
        { trigger: 'update', newSession: data },
      ])
      expect(app.ended()).toBe('presented')
    },
  ),

  scenario(
    'SE-19 CBK-020 under database the data of an update is passed to the session callback, and changes no row',
    async ({ open }) => {
      const seen: unknown[] = []
      const app = open({
        strategy: 'database',
        config: {
          callbacks: {
            session({ session, user, trigger, newSession }) {
              seen.push({ trigger, newSession })
              return { expires: session.expires.toISOString(), user: { name: user.name, email: user.email } }
            },
          },
        },
      })
      const agent = app.agent()
      await signIn(app, agent)
      const before = [await sessionOf(agent), await app.store.getSessionAndUser(heldSession(agent))]
      const response = await agent.send('/auth/session', { json: { csrfToken: await csrfOf(agent), data } })
      expect([await response.json(), await app.store.getSessionAndUser(heldSession(agent))]).toEqual(before)
      expect(seen).toEqual([{}, { trigger: 'update', newSession: data }])
      expect(app.ended()).toBe('presented')
    },
  ),

  scenario(
    'DEC-42 SE-18 the session callback receives a narrow session user, and the full user separately',
    async ({ open }) => {
      const seen: unknown[] = []
      const app = open({
        strategy: 'database',
        config: {
          callbacks: {
            session({ session, user }) {
              seen.push(user)
              session.user.id = user.id
              return session
            },
          },
        },
      })
      const agent = app.agent()
      await signIn(app, agent)
      const read = app.store.getSessionAndUser
      app.store.getSessionAndUser = async (token) => {
        const found = await read(token)
        return found && { ...found, user: { ...found.user, passwordHash: 'canary' } }
      }
      const session = await sessionOf(agent)
      const [user] = seen as { id: string }[]
      expect(user).toMatchObject({ passwordHash: 'canary', emailVerified: null })
      expect(session).toMatchObject({ user: { id: user?.id, name: 'Ada', email: 'ada@example.com' } })
      expect(JSON.stringify(session)).not.toMatch(/canary|emailVerified/)
    },
  ),

  scenario('SE-19 the default callbacks ignore updates', async ({ open }) => {
    for (const strategy of ['jwt', 'database'] as const) {
      const app = open({ strategy })
      const agent = app.agent()
      await signIn(app, agent)
      const response = await agent.send('/auth/session', { json: { csrfToken: await csrfOf(agent), data } })
      expect(await response.json()).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } })
      expect(JSON.stringify(await sessionOf(agent))).not.toMatch(/eve|admin|2099/)
    }
  }),

  scenario("CBK-008 the jwt callback's changes in an update are stored", async ({ open }) => {
    const app = open({
      config: {
        callbacks: {
          jwt: ({ token, trigger, session }) =>
            trigger === 'update' ? { ...token, name: String(session) } : token,
        },
      },
    })
    const agent = app.agent()
    await signIn(app, agent)
    await agent.send('/auth/session', { json: { csrfToken: await csrfOf(agent), data: 'Countess' } })
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Countess' } })
  }),

  scenario(
    'TX-17 TX-18 WIR-007 an update without the CSRF token is rejected with 400 and null',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database'] as const) {
        let calls = 0
        const app = open({
          strategy,
          config: { session: { updateAge: 0 }, callbacks: { session: ({ session }) => (calls++, session) } },
        })
        const agent = app.agent()
        await signIn(app, agent)
        const token = await csrfOf(agent)
        const [held, row] = [heldSession(agent), await rowOf(app, agent)]
        app.clock.advance(1)
        const csrf = [undefined, '', 'f'.repeat(64), token.slice(1), `${token}0`, [token], { token }, true]
        for (const csrfToken of csrf) {
          const response = await agent.send('/auth/session', { json: { csrfToken, data } })
          expect(response.status).toBe(400)
          expect(await response.text()).toBe('null')
          expect(response.headers.getSetCookie()).toEqual([])
          expect(app.ended()).toBe('refused')
          expect(app.errors.at(-1)?.name).toBe('MissingCSRF')
        }
        expect([heldSession(agent), await rowOf(app, agent), calls]).toEqual([held, row, 0])
        expect(app.events.map(({ event }) => event)).not.toContain('session')
      }
    },
  ),

  scenario('TX-17 the CSRF token is read from the body only, and a GET updates nothing', async ({ open }) => {
    const seen: unknown[] = []
    const app = open({
      config: {
        callbacks: {
          jwt({ token, trigger }) {
            seen.push(trigger)
            return token
          },
        },
      },
    })
    const agent = app.agent()
    await signIn(app, agent)
    const csrfToken = await csrfOf(agent)
    const query = `/auth/session?csrfToken=${csrfToken}&data=1`
    const posted = await agent.send(query, { json: { data }, headers: { 'x-csrf-token': csrfToken } })
    expect(posted.status).toBe(400)
    expect(app.ended()).toBe('refused')
    await agent.send(query)
    expect(app.ended()).toBe('presented')
    expect(seen).toEqual(['signIn', undefined])
  }),

  scenario('WIR-050 without the CSRF check an update needs no token', async ({ open }) => {
    const app = open({
      config: {
        skipCSRFCheck,
        callbacks: { jwt: ({ token, session }) => (session ? { ...token, name: 'Anybody' } : token) },
      },
    })
    const agent = app.agent()
    const started = await agent.send('/auth/signin/idp', { form: {} })
    const { parameters } = await app.idp.authorize(started.headers.get('location') ?? '')
    await agent.send(`/auth/callback/idp?${parameters}`)
    const response = await agent.send('/auth/session', { json: { data } })
    expect(await response.json()).toMatchObject({ user: { name: 'Anybody' } })
    expect(app.ended()).toBe('presented')
  }),

  scenario('WIR-049 an update without a session returns null', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    const response = await agent.send('/auth/session', { json: { csrfToken: await csrfOf(agent), data } })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('null')
    expect(app.ended()).toBe('anonymous')
  }),
]
