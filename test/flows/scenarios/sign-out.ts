import { expect } from 'vitest'
import { csrfOf, sessionOf, signIn, signOut } from '../../support/app.ts'
import { heldSession, plant, sentCookies, sessionCookie } from '../../support/session-cookie.ts'
import { unreachable, watching } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'
import { memoryRevocations } from '../../../src/adapters/memory.ts'
import { skipCSRFCheck } from '../../../src/types/symbols.ts'

const names = (events: readonly { readonly event: string }[]) => events.map(({ event }) => event)

/** How a user ends a session. */
export const signOutScenarios = [
  scenario('SE-10 WIR-052 after a sign-out the old cookie no longer works', async ({ open }) => {
    const app = open({ strategy: 'database' })
    const agent = app.agent()
    await signIn(app, agent)
    const old = heldSession(agent)
    const response = await signOut(agent, { callbackUrl: '/bye' })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('https://app.test/bye')
    expect(agent.cookies()).not.toHaveProperty(sessionCookie)
    expect(app.ended()).toBe('signedOut')
    expect(names(app.events).at(-1)).toBe('signOut')
    expect(await app.store.getSessionAndUser(old)).toBeNull()
    plant(agent, old)
    expect(await sessionOf(agent)).toBeNull()
    expect(app.ended()).toBe('ended')
  }),

  scenario(
    'WIR-052 SE-11 CK-16 under jwt every chunk of the token is cleared, and none is set',
    async ({ open }) => {
      const app = open({
        config: { callbacks: { jwt: ({ token }) => ({ ...token, padding: '0'.repeat(9000) }) } },
      })
      const agent = app.agent()
      await signIn(app, agent)
      const pieces = Object.keys(agent.cookies()).filter((name) => name.startsWith(sessionCookie))
      expect(pieces.toSorted()).toEqual([0, 1, 2, 3].map((index) => `${sessionCookie}.${index}`))
      plant(agent, 'left over', `${sessionCookie}.7`)
      const response = await signOut(agent)
      expect(response.headers.get('location')).toBe('https://app.test')
      const sent = sentCookies(response).filter(({ key }) => key.startsWith(sessionCookie))
      expect(sent.map(({ value, maxAge }) => [value, maxAge])).toEqual(sent.map(() => ['', 0]))
      expect(Object.keys(agent.cookies()).filter((name) => name.startsWith(sessionCookie))).toEqual([])
      expect(await sessionOf(agent)).toBeNull()
      expect(names(app.events)).toEqual(['signIn', 'signOut'])
    },
  ),

  scenario(
    'SE-11 WIR-052 signing out twice, or without a session, redirects in the same way',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database'] as const) {
        const app = open({ strategy })
        const agent = app.agent()
        for (let n = 0; n < 2; n++) {
          const response = await signOut(agent, { callbackUrl: '/bye' })
          expect(response.headers.get('location')).toBe('https://app.test/bye')
          expect(app.ended()).toBe('signedOut')
        }
        expect(app.events).toEqual([])
        expect(app.errors).toEqual([])
      }
    },
  ),

  scenario(
    'SE-11 a malformed or expired cookie, or a malformed callbackUrl, does not prevent a sign-out',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database'] as const) {
        const app = open({ strategy, config: { session: { maxAge: 10 } } })
        for (const garbage of ['garbage', 'a.b.c.d.e', '%ff', 'x'.repeat(3000)]) {
          const agent = app.agent()
          plant(agent, garbage)
          const response = await signOut(agent, { callbackUrl: 'http://[' })
          expect(response.status).toBe(302)
          expect(response.headers.get('location')).toBe('https://app.test')
          expect(agent.cookies()).not.toHaveProperty(sessionCookie)
          expect(app.ended()).toBe('signedOut')
        }
        const agent = app.agent()
        await signIn(app, agent)
        app.clock.advance(11)
        expect((await signOut(agent)).headers.get('location')).toBe('https://app.test')
        expect(agent.cookies()).not.toHaveProperty(sessionCookie)
        expect(app.ended()).toBe('signedOut')
      }
    },
  ),

  scenario('EVT-010 a token that cannot be decrypted emits no event', async ({ open }) => {
    const app = open({ config: { session: { maxAge: 10 } } })
    const agent = app.agent()
    await signIn(app, agent)
    app.clock.advance(11)
    await signOut(agent)
    plant(agent, 'garbage')
    await signOut(agent)
    expect(names(app.events)).toEqual(['signIn'])
    expect(app.hops.filter(({ state }) => state === 'openingToken').map(({ event }) => event)).toEqual([
      'token.expired',
      'token.invalid',
    ])
  }),

  scenario('EVT-010 without an event hook, the token is not decrypted', async ({ open }) => {
    const app = open({ config: { events: {} } })
    const agent = app.agent()
    await signIn(app, agent)
    await signOut(agent)
    expect(app.ended()).toBe('signedOut')
    expect(agent.cookies()).not.toHaveProperty(sessionCookie)
    expect(app.hops.at(-1)).toMatchObject({ state: 'checkingNeed', event: 'token.unneeded' })
  }),

  scenario(
    'OPT-004 OPT-047 without an event hook, the callback and the list get the token',
    async ({ open }) => {
      const asked: object[] = []
      const endSession = (ended: object) => (asked.push(ended), null)
      const app = open({ config: { events: {}, callbacks: { endSession } } })
      const agent = app.agent()
      await signIn(app, agent)
      await signOut(agent)
      expect(asked).toEqual([{ token: expect.objectContaining({ name: 'Ada' }) as object }])
      const listing = open({ config: { events: {}, jwt: { revocations: memoryRevocations() } } })
      const other = listing.agent()
      await signIn(listing, other)
      const copy = heldSession(other)
      await signOut(other)
      plant(other, copy)
      expect(await sessionOf(other)).toBeNull()
    },
  ),

  scenario(
    'SE-12 DEC-22 a row that cannot be deleted leads to the error page, with the cookies cleared',
    async ({ open }) => {
      const wrap = watching([], () => ({ deleteSession: unreachable }))
      const app = open({ strategy: 'database', wrap })
      const agent = app.agent()
      await signIn(app, agent)
      const eventsBefore = app.events.length
      const response = await signOut(agent, { callbackUrl: '/bye' })
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
      expect(agent.cookies()).not.toHaveProperty(sessionCookie)
      expect(app.events).toHaveLength(eventsBefore)
      expect(app.errors.map(({ name }) => name)).toEqual(['SignOutError'])
      expect(app.ended()).toBe('faulted')
    },
  ),

  scenario(
    'TX-17 TX-18 a sign-out without the CSRF token is rejected, and ends nothing',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database'] as const) {
        const app = open({ strategy })
        const agent = app.agent()
        await signIn(app, agent)
        const token = await csrfOf(agent)
        const forms: Record<string, string>[] = [
          {},
          { csrfToken: '' },
          { csrfToken: 'f'.repeat(64) },
          { csrfToken: token.slice(1) },
        ]
        for (const form of forms) {
          const response = await agent.send('/auth/signout', { form })
          expect(response.headers.get('location')).toBe('https://app.test/auth/signin?error=MissingCSRF')
          expect(response.headers.getSetCookie()).toEqual([])
          expect(app.ended()).toBe('refused')
        }
        await agent.send(`/auth/signout?csrfToken=${token}`)
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        expect(names(app.events)).not.toContain('signOut')
      }
    },
  ),

  scenario('WIR-011 without the CSRF check a sign-out needs no token', async ({ open }) => {
    const app = open({ strategy: 'database', config: { skipCSRFCheck } })
    const agent = app.agent()
    const started = await agent.send('/auth/signin/idp', { form: {} })
    const { parameters } = await app.idp.authorize(started.headers.get('location') ?? '')
    await agent.send(`/auth/callback/idp?${parameters}`)
    const id = heldSession(agent)
    const response = await agent.send('/auth/signout', { form: {} })
    expect(response.headers.get('location')).toBe('https://app.test')
    expect(await app.store.getSessionAndUser(id)).toBeNull()
    expect(agent.cookies()).not.toHaveProperty(sessionCookie)
    expect(Object.keys(agent.cookies()).join()).not.toContain('csrf')
    expect(app.ended()).toBe('signedOut')
  }),

  scenario('RD-09 a sign-out never redirects to another site', async ({ open }) => {
    const app = open()
    const evil = 'https://evil.test/phish'
    const agent = app.agent()
    plant(agent, encodeURIComponent(evil), '__Secure-authjs.callback-url')
    const csrfToken = await csrfOf(agent)
    const asked = [
      agent.send('/auth/signout', { form: { csrfToken }, headers: { referer: evil } }),
      agent.send('/auth/signout', { form: { csrfToken, callbackUrl: evil } }),
      agent.send(`/auth/signout?callbackUrl=${encodeURIComponent(evil)}`, { form: { csrfToken } }),
      agent.send('/auth/signout', { form: { csrfToken, redirectTo: evil, callbackUrl: '//evil.test' } }),
    ]
    for (const answer of asked) {
      const location = new URL((await answer).headers.get('location') ?? '')
      expect([location.origin, location.pathname]).toEqual(['https://app.test', '/'])
    }
  }),

  scenario(
    'SE-24 a sign-out ends the session of one browser, and a forged id ends none',
    async ({ open }) => {
      const app = open({ strategy: 'database' })
      const [laptop, phone, forger] = [app.agent(), app.agent(), app.agent()]
      await signIn(app, laptop)
      await signIn(app, phone)
      plant(forger, `${heldSession(phone).slice(0, -1)}!`)
      await signOut(forger)
      expect(await sessionOf(phone)).not.toBeNull()
      const old = heldSession(laptop)
      await signOut(laptop)
      expect(await app.store.getSessionAndUser(old)).toBeNull()
      expect(await sessionOf(phone)).toMatchObject({ user: { name: 'Ada' } })
    },
  ),
]
