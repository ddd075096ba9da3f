import { expect } from 'vitest'
import { signIn, sessionOf } from '../../support/app.ts'
import {
  claimsOf,
  heldSession,
  plant,
  sentCookie,
  sentExpiry,
  sessionCookie,
} from '../../support/session-cookie.ts'
import { scenario } from '../scenario.ts'

const month = 30 * 86_400
const begin = Date.UTC(2030, 0, 1)

/** JWT sessions. */
export const sessionTokenScenarios = [
  scenario(
    'SES-010 ATN-010 under jwt the cookie is a token that only the secret can decrypt',
    async ({ open }) => {
      const app = open()
      const agent = app.agent()
      await signIn(app, agent)
      const token = heldSession(agent)
      const [header, key, ...sealed] = token.split('.')
      expect(JSON.parse(atob(header ?? ''))).toMatchObject({ alg: 'dir', enc: 'A256CBC-HS512' })
      expect(key).toBe('')
      expect(sealed).toHaveLength(3)
      expect(atob((sealed[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('ada')
      expect(await claimsOf(app, token)).toMatchObject({ sub: expect.any(String), email: 'ada@example.com' })
    },
  ),

  scenario(
    'SE-18 CBK-022 CBK-017 the client receives name, email, image and expiry, and nothing else',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database', 'jwt-stored'] as const) {
        const app = open({
          strategy,
          config: { callbacks: { jwt: ({ token }) => ({ ...token, role: 'admin' }) } },
        })
        const agent = app.agent()
        await signIn(app, agent)
        const response = await agent.send('/auth/session')
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toBe('application/json')
        expect(await response.json()).toEqual({
          user: { name: 'Ada', email: 'ada@example.com', image: 'https://idp.test/ada.png' },
          expires: new Date(begin + month * 1000).toISOString(),
        })
        expect(app.ended()).toBe('presented')
      }
    },
  ),

  scenario('DEC-49b getSession shows the session and seals no token', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    await signIn(app, agent)
    const headers = { cookie: `${sessionCookie}=${heldSession(agent)}` }
    const { session, cookies } = await app.readSession(new Request('https://app.test/account', { headers }))
    expect(session).toMatchObject({ user: { name: 'Ada' } })
    expect(cookies).toEqual([])
    expect([app.hops.at(-1)?.state, app.ended()]).toEqual(['presentingToken', 'presented'])
  }),

  scenario(
    'WIR-049 without a session token the response is null, and nothing is cleared',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database'] as const) {
        const app = open({ strategy })
        const response = await app.agent().send('/auth/session')
        expect(response.status).toBe(200)
        expect(await response.text()).toBe('null')
        expect(response.headers.getSetCookie()).toEqual([])
        expect(app.ended()).toBe('anonymous')
        expect(app.errors).toEqual([])
      }
    },
  ),

  scenario(
    'DEC-24a CBK-003 each session request issues a new token with a later expiry',
    async ({ open }) => {
      let calls = 0
      const app = open({ config: { callbacks: { jwt: ({ token }) => ({ ...token, calls: ++calls }) } } })
      const agent = app.agent()
      await signIn(app, agent)
      const first = heldSession(agent)
      app.clock.advance(1)
      const response = await agent.send('/auth/session')
      const second = heldSession(agent)
      expect(second).not.toBe(first)
      const [before, after] = [await claimsOf(app, first), await claimsOf(app, second)]
      expect(before).toMatchObject({ calls: 1, exp: begin / 1000 + month })
      expect(after).toMatchObject({ calls: 2, exp: begin / 1000 + 1 + month, sub: before.sub })
      expect(after.jti).not.toBe(before.jti)
      expect(sentExpiry(response)).toBe(begin + 1000 + month * 1000)
      await sessionOf(agent)
      expect(await claimsOf(app, heldSession(agent))).toMatchObject({ calls: 3 })
    },
  ),

  scenario('SE-05 DEC-24b DEC-23b SE-04 a token expires without tolerance', async ({ open }) => {
    const app = open({ config: { session: { maxAge: 100 } } })
    const agent = app.agent()
    await signIn(app, agent)
    app.clock.advance(99.999)
    expect(await sessionOf(agent)).not.toBeNull()
    expect(app.ended()).toBe('presented')
    // It was issued again at a fraction of a second, and its lifetime starts at the last whole second.
    app.clock.advance(99)
    expect(await sessionOf(agent)).not.toBeNull()
    const eventsBefore = app.events.length
    app.clock.advance(99.001)
    const response = await agent.send('/auth/session')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('null')
    expect(sentCookie(response)).toMatchObject({ value: '', maxAge: 0 })
    expect(agent.cookies()).not.toHaveProperty(sessionCookie)
    expect(app.ended()).toBe('ended')
    expect(app.events).toHaveLength(eventsBefore)
  }),

  scenario(
    'LIM-001 SES-003 SES-004 an idle session lasts 30 days, and each access extends it',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database'] as const) {
        const app = open({ strategy })
        const [used, idle] = [app.agent(), app.agent()]
        await signIn(app, used)
        await signIn(app, idle)
        app.clock.advance(month - 1)
        expect(await sessionOf(used)).toMatchObject({ user: { name: 'Ada' } })
        app.clock.advance(1)
        expect(await sessionOf(idle)).toBeNull()
        expect(await sessionOf(used)).toMatchObject({ user: { name: 'Ada' } })
        app.clock.advance(month)
        expect(await sessionOf(used)).toBeNull()
        expect(app.ended()).toBe('ended')
      }
    },
  ),

  scenario(
    'LIM-003 DEC-24c SE-25 a token lasts for jwt.maxAge, and the session shows no later expiry',
    async ({ open }) => {
      const ages = [
        { jwt: 60, session: undefined, lives: 60 },
        { jwt: 60, session: 90, lives: 60 },
        { jwt: 90, session: 60, lives: 60 },
        { jwt: undefined, session: 70, lives: 70 },
        { jwt: undefined, session: undefined, lives: month },
      ]
      for (const { jwt, session, lives } of ages) {
        const app = open({ config: { jwt: { maxAge: jwt }, session: { maxAge: session } } })
        const agent = app.agent()
        const signedIn = await signIn(app, agent)
        expect(sentExpiry(signedIn)).toBe(begin + lives * 1000)
        app.clock.advance(10)
        const response = await agent.send('/auth/session')
        const end = begin + 10_000 + lives * 1000
        expect(await response.json()).toMatchObject({ expires: new Date(end).toISOString() })
        expect(sentExpiry(response)).toBe(end)
        expect(await claimsOf(app, heldSession(agent))).toMatchObject({ exp: end / 1000 })
        app.clock.advance(lives)
        expect(await sessionOf(agent)).toBeNull()
      }
    },
  ),

  scenario(
    'SE-17 DEC-23b a token that cannot be decrypted ends the session with null, and clears its cookie',
    async ({ open }) => {
      const app = open()
      const stranger = open({ config: { secret: 'the secret of another application!!' } })
      const other = stranger.agent()
      await signIn(stranger, other)
      const foreign = heldSession(other)
      const flipped = `${foreign.slice(0, -1)}${foreign.endsWith('A') ? 'B' : 'A'}`
      for (const token of ['garbage', '....', 'a.b.c.d.e', '0'.repeat(64), foreign, flipped, '%ff%00']) {
        const agent = app.agent()
        plant(agent, token)
        const response = await agent.send('/auth/session')
        expect(response.status).toBe(200)
        expect(await response.text()).toBe('null')
        expect(sentCookie(response)).toMatchObject({ value: '', maxAge: 0 })
        expect(agent.cookies()).toEqual({})
        expect(app.ended()).toBe('ended')
      }
      expect(app.events).toEqual([])
    },
  ),

  scenario('CB-03 CBK-013 null from the jwt callback ends the session', async ({ open }) => {
    let banned = false
    const app = open({ config: { callbacks: { jwt: ({ token }) => (banned ? null : token) } } })
    const agent = app.agent()
    await signIn(app, agent)
    expect(await sessionOf(agent)).not.toBeNull()
    const eventsBefore = app.events.length
    banned = true
    const response = await agent.send('/auth/session')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('null')
    expect(agent.cookies()).not.toHaveProperty(sessionCookie)
    expect(app.ended()).toBe('ended')
    expect(app.events).toHaveLength(eventsBefore)
  }),
]
