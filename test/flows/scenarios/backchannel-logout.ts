import type { JWTPayload } from 'jose'
import { expect } from 'vitest'
import { memoryRevocations } from '../../../src/adapters/memory.ts'
import { issuer, sessionOf, signIn, type App, type AppOptions } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { forgeries, logoutClaims, postLogout, signLogout } from '../../support/oidc/logout-token.ts'
import { codeOf, enrol, enterCode, withFactor } from '../../support/second-factor.ts'
import { heldSession } from '../../support/session-cookie.ts'
import { unreachable } from '../../support/watch-store.ts'
import { scenario, type Stage } from '../scenario.ts'

const strategies = ['jwt', 'database'] as const
type Strategy = (typeof strategies)[number]

const clients = [{ id: 'client', secret: 'client-secret' }]

/** An application whose provider may end sessions. Each sign-in can have another session at the provider. */
function arrange(open: Stage['open'], strategy: Strategy | 'jwt-stored', options: AppOptions = {}) {
  let sid: string | undefined = 'first'
  const users = ['ada', 'bob'].map((sub) => ({
    sub,
    claims: {
      name: sub,
      get sid() {
        return sid
      },
    },
  }))
  const app = open({
    strategy,
    ...options,
    idp: { clients, users, ...options.idp },
    provider: { backChannelLogout: true, ...options.provider },
    config: { ...(strategy === 'jwt' && { jwt: { revocations: memoryRevocations() } }), ...options.config },
  })
  const enter = async (name: string | undefined, user = 'ada') => {
    sid = name
    app.idp.choose(user)
    const agent = app.agent()
    await signIn(app, agent)
    return agent
  }
  return { app, enter }
}

const liveAmong = (...agents: readonly Agent[]) =>
  Promise.all(agents.map(async (agent) => (await sessionOf(agent)) !== null))

const signOutsOf = (app: App) => app.events.filter(({ event }) => event === 'signOut')

/** Logouts that a provider sends. */
export const backchannelLogoutScenarios = [
  scenario('OI-27 BCL-02 empty members of a logout token count as absent', async ({ open }) => {
    const { app, enter } = arrange(open, 'jwt')
    const agent = await enter('phone')
    const empty: JWTPayload = { sid: null, nonce: null }
    expect(await postLogout(app, await signLogout(logoutClaims(app, empty)))).toMatchObject({ status: 200 })
    expect(await sessionOf(agent)).toBeNull()
  }),

  ...strategies.map((strategy) =>
    scenario(`BCL-01 BCL-03 ends the session of sid, and no other (${strategy})`, async ({ open }) => {
      const { app, enter } = arrange(open, strategy)
      const [phone, laptop, bobs] = [await enter('phone'), await enter('laptop'), await enter('bobs', 'bob')]
      const response = await postLogout(app, await signLogout(logoutClaims(app, { sid: 'phone' })))
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toContain('no-store')
      expect(response.headers.getSetCookie()).toEqual([])
      expect(app.ended()).toBe('loggedOut')
      expect(await liveAmong(phone, laptop, bobs)).toEqual([false, true, true])
      expect(signOutsOf(app)).toHaveLength(strategy === 'database' ? 1 : 0)
      expect(app.errors).toEqual([])
    }),
  ),

  ...strategies.map((strategy) =>
    scenario(`BCL-03 without sid, ends all sessions of sub (${strategy})`, async ({ open }) => {
      const { app, enter } = arrange(open, strategy)
      const [phone, laptop, bobs] = [await enter('phone'), await enter(undefined), await enter('bobs', 'bob')]
      await postLogout(app, await signLogout(logoutClaims(app)))
      expect(await liveAmong(phone, laptop, bobs)).toEqual([false, false, true])
    }),
  ),

  ...(['jwt-stored', 'database'] as const).map((strategy) =>
    scenario(
      `BCL-03 ends a session that replaced the one that was opened there, and no other (${strategy})`,
      async ({ open }) => {
        const client = { type: 'oidc', issuer, clientId: 'client', clientSecret: 'client-secret' } as const
        const { app, enter } = arrange(open, strategy, {
          providers: [
            { ...client, id: 'idp', name: 'Idp', backChannelLogout: true },
            { ...client, id: 'second', name: 'Second' },
          ],
          config: { ...(strategy === 'jwt-stored' && { jwt: { revocations: memoryRevocations() } }) },
        })
        const phone = await enter('phone')
        await signIn(app, phone, 'second')
        expect(await liveAmong(phone)).toEqual([true])
        app.idp.choose('bob')
        const bobs = app.agent()
        await signIn(app, bobs, 'second')
        await signIn(app, bobs)
        for (const sub of ['ada', 'bob']) await postLogout(app, await signLogout(logoutClaims(app, { sub })))
        expect(await liveAmong(phone, bobs)).toEqual([false, true])
      },
    ),
  ),

  ...(['jwt-stored', 'database'] as const).map((strategy) =>
    scenario(
      `POL-06 BCL-03 ends a sign-in that waits for the second factor, each time (${strategy})`,
      async ({ open }) => {
        const { app, enter } = arrange(open, strategy, {
          config: {
            ...withFactor(),
            ...(strategy === 'jwt-stored' && { jwt: { revocations: memoryRevocations() } }),
          },
        })
        const { secret } = await enrol(app, await enter('phone'))
        for (const browser of ['laptop', 'tablet']) {
          app.clock.advance(1)
          const agent = await enter(browser)
          expect(app.ended()).toBe('held')
          app.clock.advance(30)
          expect((await postLogout(app, await signLogout(logoutClaims(app)))).status).toBe(200)
          await enterCode(agent, codeOf(secret, app.clock.now()), { remember: 'true' })
          expect(app.ended()).toBe('anonymous')
          expect(Object.keys(agent.cookies()).join()).not.toContain('remembered-device')
          expect(await sessionOf(agent)).toBeNull()
        }
      },
    ),
  ),

  ...strategies.map((strategy) =>
    scenario(`BCL-03 ends a session whose id_token had no sid (${strategy})`, async ({ open }) => {
      const { app, enter } = arrange(open, strategy)
      const [phone, laptop] = [await enter(undefined), await enter('laptop')]
      await postLogout(app, await signLogout(logoutClaims(app, { sid: 'phone' })))
      expect(await liveAmong(phone, laptop)).toEqual([false, true])
    }),
  ),

  ...strategies.map((strategy) =>
    scenario(
      `BCL-04 a replayed logout token ends nothing that started later (${strategy})`,
      async ({ open }) => {
        const { app, enter } = arrange(open, strategy)
        const phone = await enter('phone')
        const token = await signLogout(logoutClaims(app))
        await postLogout(app, token)
        app.clock.advance(1)
        const laptop = await enter('laptop')
        expect((await postLogout(app, token)).status).toBe(200)
        expect(await liveAmong(phone, laptop)).toEqual([false, true])
      },
    ),
  ),

  scenario('BCL-03 a token without sub ends a JWT session, and no database session', async ({ open }) => {
    for (const strategy of strategies) {
      const { app, enter } = arrange(open, strategy)
      const phone = await enter('phone')
      const { sub: _, ...claims } = logoutClaims(app, { sid: 'phone' })
      const response = await postLogout(app, await signLogout(claims))
      expect(response.status).toBe(strategy === 'jwt' ? 200 : 400)
      expect(await liveAmong(phone)).toEqual([strategy !== 'jwt'])
    }
  }),

  scenario('BCL-03 BCL-04 times may have fractions', async ({ open }) => {
    for (const strategy of strategies) {
      const { app, enter } = arrange(open, strategy, {
        idp: {
          users: [
            { sub: 'ada', claims: { name: 'Ada', iat: Date.UTC(2030, 0, 1) / 1000 + 0.5, sid: 'phone' } },
          ],
        },
      })
      const phone = await enter('phone')
      app.clock.advance(1)
      const iat = app.clock.now() / 1000 + 0.5
      expect((await postLogout(app, await signLogout(logoutClaims(app, { iat, sid: 'phone' })))).status).toBe(
        200,
      )
      expect(await liveAmong(phone)).toEqual([false])
      const { app: other, enter: again } = arrange(open, strategy)
      await postLogout(other, await signLogout(logoutClaims(other, { iat: other.clock.now() / 1000 + 0.5 })))
      other.clock.advance(2)
      expect(await liveAmong(await again('later'))).toEqual([true])
    }
  }),

  scenario('BCL-03 a session of an unknown user is nobody’s', async ({ open }) => {
    const { app, enter } = arrange(open, 'database')
    const phone = await enter('phone')
    const response = await postLogout(app, await signLogout(logoutClaims(app, { sub: 'nobody' })))
    expect(response.status).toBe(200)
    expect(await liveAmong(phone)).toEqual([true])
  }),

  scenario('BCL-05 a logout ends the session of a callback that is still running', async ({ open }) => {
    let logOut = async () => {}
    const signInCallback = async () => {
      await logOut()
      return true
    }
    const { app, enter } = arrange(open, 'jwt', {
      config: { jwt: { revocations: memoryRevocations() }, callbacks: { signIn: signInCallback } },
    })
    logOut = async () => {
      const response = await postLogout(app, await signLogout(logoutClaims(app, { sid: 'phone' })))
      expect(response.status).toBe(200)
      app.clock.advance(5)
    }
    const phone = await enter('phone')
    expect(heldSession(phone)).not.toBe('')
    expect(await liveAmong(phone)).toEqual([false])
  }),

  scenario('BCL-01 BCL-02 a logout token with an invalid claim ends nothing', async ({ open }) => {
    const { app, enter } = arrange(open, 'jwt')
    const phone = await enter('phone')
    const now = Math.floor(app.clock.now() / 1000)
    const changes = [
      { iss: 'https://evil.test' },
      { iss: undefined },
      { aud: 'another' },
      { aud: undefined },
      { iat: undefined },
      { iat: now + 31 },
      { exp: undefined },
      { exp: now - 30 },
      { jti: undefined },
      { events: undefined },
      { events: {} },
      { events: { 'http://schemas.openid.net/event/other': {} } },
      { events: { 'http://schemas.openid.net/event/backchannel-logout': true } },
      { nonce: 'n' },
      { sub: undefined },
      { sub: '' },
      { sid: 7 },
    ]
    for (const change of changes) {
      const response = await postLogout(app, await signLogout(logoutClaims(app, change)))
      expect([response.status, change]).toEqual([400, change])
      expect(await response.json()).toEqual({
        error: 'invalid_request',
        error_description: 'The logout token is invalid',
      })
      expect(app.errors.at(-1)).toMatchObject({ name: 'SignOutError' })
      expect(app.ended()).toBe('refused')
    }
    expect(await liveAmong(phone)).toEqual([true])
  }),

  scenario(
    'BCL-02 a logout token with another type, or without the signature of the provider, ends nothing',
    async ({ open }) => {
      const { app, enter } = arrange(open, 'jwt')
      const phone = await enter('phone')
      const claims = logoutClaims(app)
      const tokens = [
        await signLogout(claims, 'at+jwt'),
        ...(await Promise.all(Object.values(forgeries).map((forge) => forge(claims)))),
        'no token',
        '',
      ]
      for (const token of tokens) {
        expect((await postLogout(app, token)).status).toBe(400)
        expect(app.ended()).toBe('refused')
      }
      const [valid, other] = [await signLogout(claims), await signLogout(claims)]
      expect((await postLogout(app, [valid, other])).status).toBe(400)
      expect((await postLogout(app, [])).status).toBe(400)
      expect((await postLogout(app, valid, 'text/plain')).status).toBe(400)
      expect(await liveAmong(phone)).toEqual([true])
      for (const typ of ['logout+jwt', 'application/logout+jwt', 'JWT', ''])
        expect((await postLogout(app, await signLogout(claims, typ))).status).toBe(200)
      expect(await liveAmong(phone)).toEqual([false])
    },
  ),

  scenario('BCL-02 a logout token needs an algorithm that is allowed for id_tokens', async ({ open }) => {
    const registered: AppOptions = { provider: { client: { id_token_signed_response_alg: 'RS256' } } }
    const listed: AppOptions = { idp: { metadata: { id_token_signing_alg_values_supported: ['RS256'] } } }
    for (const [options, status] of [
      [registered, 400] as const,
      [listed, 400] as const,
      [{}, 200] as const,
    ]) {
      const { app, enter } = arrange(open, 'jwt', options)
      const phone = await enter('phone')
      const claims = logoutClaims(app)
      expect((await postLogout(app, await signLogout(claims, 'JWT', 'ES256'))).status).toBe(status)
      expect(await liveAmong(phone)).toEqual([status === 400])
      expect((await postLogout(app, await signLogout(claims))).status).toBe(200)
      expect(await liveAmong(phone)).toEqual([false])
    }
  }),

  scenario('BCL-02 the issuer chooses among providers with the same client id', async ({ open }) => {
    const client = { name: 'Idp', type: 'oidc', clientId: 'client', clientSecret: 'client-secret' } as const
    const { app, enter } = arrange(open, 'jwt', {
      providers: [
        { ...client, id: 'other', issuer: 'https://other.test', backChannelLogout: true },
        { ...client, id: 'idp', issuer, backChannelLogout: true },
      ],
    })
    const phone = await enter('phone')
    expect((await postLogout(app, await signLogout(logoutClaims(app)))).status).toBe(200)
    expect(await liveAmong(phone)).toEqual([false])
  }),

  scenario(
    'BCL-02 only the issuer of the discovery document counts if none is configured',
    async ({ open }) => {
      const wellKnown = `${issuer}/.well-known/openid-configuration`
      const { app, enter } = arrange(open, 'jwt', {
        provider: { backChannelLogout: true, issuer: undefined, wellKnown },
      })
      const phone = await enter('phone')
      const forged = logoutClaims(app, { iss: 'https://evil.test' })
      expect((await postLogout(app, await signLogout(forged))).status).toBe(400)
      expect(await liveAmong(phone)).toEqual([true])
      expect((await postLogout(app, await signLogout(logoutClaims(app)))).status).toBe(200)
      expect(await liveAmong(phone)).toEqual([false])
    },
  ),

  scenario('BCL-02 an id_token is not accepted as a logout token', async ({ open }) => {
    const { app, enter } = arrange(open, 'database', { config: {} })
    const phone = await enter('phone')
    const idToken = app.rows.accounts()[0]?.id_token
    expect(idToken).toMatch(/^eyJ/)
    expect((await postLogout(app, String(idToken))).status).toBe(400)
    expect(await liveAmong(phone)).toEqual([true])
  }),

  scenario('BCL-02 a provider without the option ends nothing beside one that has it', async ({ open }) => {
    const client = { type: 'oidc', clientId: 'client', clientSecret: 'client-secret' } as const
    const { app, enter } = arrange(open, 'database', {
      providers: [
        { ...client, id: 'idp', name: 'Idp', issuer },
        { ...client, id: 'other', name: 'Other', issuer: 'https://other.test', backChannelLogout: true },
      ],
    })
    const phone = await enter('phone')
    expect((await postLogout(app, await signLogout(logoutClaims(app)))).status).toBe(400)
    expect(await liveAmong(phone)).toEqual([true])
  }),

  scenario('BCL-01 without a provider that may end sessions, there is no such route', async ({ open }) => {
    const { app, enter } = arrange(open, 'jwt', { provider: { backChannelLogout: false } })
    const phone = await enter('phone')
    const response = await postLogout(app, await signLogout(logoutClaims(app)))
    expect(response.status).toBe(404)
    expect(await liveAmong(phone)).toEqual([true])
  }),

  scenario('BCL-01 a provider may try again if its keys or the store are unavailable', async ({ open }) => {
    const lost = arrange(open, 'jwt', { idp: { metadata: { jwks_uri: undefined } } })
    expect((await postLogout(lost.app, await signLogout(logoutClaims(lost.app)))).status).toBe(503)
    expect(lost.app.ended()).toBe('unavailable')

    for (const fault of ['jwks:network-error', 'jwks:500', 'jwks:html'] as const) {
      const down = arrange(open, 'jwt', { idp: { misbehave: [fault] } })
      expect((await postLogout(down.app, await signLogout(logoutClaims(down.app)))).status).toBe(503)
      expect(down.app.ended()).toBe('unavailable')
    }

    const revocations = { ...memoryRevocations(), add: unreachable }
    const list = arrange(open, 'jwt', { config: { jwt: { revocations } } })
    expect((await postLogout(list.app, await signLogout(logoutClaims(list.app)))).status).toBe(503)
    expect(list.app.ended()).toBe('faulted')

    let isDown = false
    const rows = arrange(open, 'database', {
      wrap: (store) => ({
        ...store,
        deleteSession: (token) => (isDown ? unreachable() : store.deleteSession?.(token)),
      }),
    })
    const phone = await rows.enter('phone')
    isDown = true
    expect((await postLogout(rows.app, await signLogout(logoutClaims(rows.app)))).status).toBe(503)
    expect(rows.app.ended()).toBe('faulted')
    expect(signOutsOf(rows.app)).toEqual([])
    isDown = false
    expect((await postLogout(rows.app, await signLogout(logoutClaims(rows.app)))).status).toBe(200)
    expect(await liveAmong(phone)).toEqual([false])
  }),

  scenario('BCL-03 OPT-007 keeps sessions with a chosen lifetime apart, too', async ({ open }) => {
    const { app, enter } = arrange(open, 'database', { config: { session: { signInMaxAge: () => 3600 } } })
    const [phone, laptop] = [await enter('phone'), await enter('laptop')]
    expect(heldSession(phone)).toMatch(/\.op\w+\.[\w-]{16}\.[\w-]{16}\.max3600$/)
    await postLogout(app, await signLogout(logoutClaims(app, { sid: 'laptop' })))
    expect(await liveAmong(phone, laptop)).toEqual([true, false])
  }),
]
