import { expect } from 'vitest'
import { csrfOf, sessionOf, signIn, signOut, startSignIn, visitProvider } from '../../support/app.ts'
import { heldSession, plant, sessionCookie } from '../../support/session-cookie.ts'
import { countOf, unreachable, watching, type Call } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'
import { platform } from '../../../src/types/symbols.ts'

const csrfCookie = '__Host-authjs.csrf-token'

/** Every authentication starts a new session. */
export const sessionRenewalScenarios = [
  scenario(
    "DEC-15a SE-01 SE-02 each sign-in issues a new token, and revokes the browser's previous one",
    async ({ open }) => {
      const app = open({ strategy: 'database' })
      const agent = app.agent()
      const tokens: string[] = []
      for (const sub of ['ada', 'ada', 'bob']) {
        app.idp.choose(sub)
        await signIn(app, agent)
        expect(app.ended()).toBe('signedIn')
        tokens.push(heldSession(agent))
      }
      expect(new Set(tokens).size).toBe(3)
      const rows = await Promise.all(tokens.map(async (token) => app.store.getSessionAndUser(token)))
      expect(rows.map((row) => row?.user.name)).toEqual([undefined, undefined, 'Ada'])
      // The third linked another identity to the signed-in user.
      expect((await app.store.getUserByAccount({ provider: 'idp', providerAccountId: 'bob' }))?.name).toBe(
        'Ada',
      )
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    },
  ),

  scenario('SE-01 under jwt each sign-in issues a new token as well', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    await signIn(app, agent)
    const first = heldSession(agent)
    await signIn(app, agent)
    expect(heldSession(agent)).not.toBe('')
    expect(heldSession(agent)).not.toBe(first)
  }),

  scenario('SE-01 DEC-15a a token planted before the sign-in is never upgraded', async ({ open }) => {
    for (const strategy of ['jwt', 'database'] as const) {
      const app = open({ strategy })
      const agent = app.agent()
      const planted = '0123456789abcdef'.repeat(4)
      plant(agent, planted)
      await signIn(app, agent)
      expect(heldSession(agent)).not.toBe(planted)
      expect(await sessionOf(agent)).not.toBeNull()
      expect(await app.store.getSessionAndUser(planted)).toBeNull()
    }
  }),

  scenario(
    'SES-008 SE-16 generateSessionToken creates the token, and the cookie contains nothing else',
    async ({ open }) => {
      let count = 0
      const generateSessionToken = () => `session-${++count}`
      const app = open({ strategy: 'database', config: { session: { generateSessionToken } } })
      const agent = app.agent()
      await signIn(app, agent)
      expect(heldSession(agent)).toBe('session-1')
      expect((await app.store.getSessionAndUser('session-1'))?.user.name).toBe('Ada')
    },
  ),

  scenario(
    'SES-008 a generateSessionToken that returns no usable string fails the sign-in',
    async ({ open }) => {
      const long = 'a'.repeat(1020)
      for (const answer of ['""', '7', 'null', '"a b"', '"caf\u00e9"', `"${long}"`, `"${long}${long}"`]) {
        const calls: Call[] = []
        const app = open({
          strategy: 'database',
          wrap: watching(calls),
          config: {
            session: { signInMaxAge: () => 3600, generateSessionToken: () => JSON.parse(answer) },
          },
        })
        const agent = app.agent()
        const response = await signIn(app, agent)
        expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
        expect(agent.cookies()).not.toHaveProperty(sessionCookie)
        expect(countOf(calls, 'createSession')).toBe(0)
        expect(app.ended()).toBe('faulted')
      }
    },
  ),

  scenario('FI-03 a createSession that returns no usable token fails the sign-in', async ({ open }) => {
    for (const sessionToken of [undefined, null, '', 7, {}, 'a\0']) {
      const wrap = watching([], (store) => ({
        async createSession(row) {
          await store.createSession?.(row)
          return { ...row, sessionToken: sessionToken as string }
        },
      }))
      const app = open({ strategy: 'database', wrap })
      const agent = app.agent()
      const response = await signIn(app, agent)
      expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
      expect(agent.cookies()).not.toHaveProperty(sessionCookie)
      expect(app.events.map(({ event }) => event)).not.toContain('signIn')
    }
  }),

  scenario(
    'SES-009 DEC-15b SE-15 the default token is 32 bytes of the system’s randomness, in hex',
    async ({ open }) => {
      const drawn: string[] = []
      const randomBytes = (length: number) => {
        const bytes = crypto.getRandomValues(new Uint8Array(length))
        drawn.push(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''))
        return bytes
      }
      const app = open({ strategy: 'database', config: { [platform]: { randomBytes } } })
      const tokens = new Set<string>()
      for (let n = 0; n < 20; n++) {
        const agent = app.agent()
        await signIn(app, agent)
        expect(heldSession(agent)).toMatch(/^[0-9a-f]{64}$/)
        expect(drawn).toContain(heldSession(agent))
        tokens.add(heldSession(agent))
      }
      expect(tokens.size).toBe(20)
    },
  ),

  scenario('TX-19 DEC-15c the CSRF token changes on sign-in and on sign-out', async ({ open }) => {
    for (const strategy of ['jwt', 'database'] as const) {
      const app = open({ strategy })
      const agent = app.agent()
      const before = await csrfOf(agent)
      const cookies = [agent.cookies()[csrfCookie]]
      const refuses = async (csrfToken: string) => {
        await agent.send('/auth/signout', { form: { csrfToken } })
        expect(app.ended()).toBe('refused')
      }
      await signIn(app, agent)
      cookies.push(agent.cookies()[csrfCookie])
      await refuses(before)
      const during = await csrfOf(agent)
      await signOut(agent)
      cookies.push(agent.cookies()[csrfCookie])
      await refuses(during)
      const after = await csrfOf(agent)
      expect(new Set([before, during, after]).size).toBe(3)
      expect(new Set(cookies).size).toBe(3)
    }
  }),

  scenario("FI-13 a session that cannot be created leaves the browser's previous one", async ({ open }) => {
    const calls: Call[] = []
    let broken = false
    const wrap = watching(calls, (store) => ({
      createSession: (row) => (broken ? unreachable() : (store.createSession?.(row) ?? row)),
    }))
    const app = open({ strategy: 'database', wrap })
    const agent = app.agent()
    await signIn(app, agent)
    const held = heldSession(agent)
    broken = true
    const response = await signIn(app, agent)
    expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
    expect(app.ended()).toBe('faulted')
    expect(heldSession(agent)).toBe(held)
    expect(countOf(calls, 'deleteSession')).toBe(0)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    broken = false
    await signIn(app, agent)
    const [created, deleted] = ['createSession', 'deleteSession'].map((operation) =>
      calls.findLastIndex((call) => call.operation === operation),
    )
    expect(deleted).toBeGreaterThan(created ?? Infinity)
  }),

  scenario('FI-13 a sign-in with another user’s account keeps the browser’s session', async ({ open }) => {
    const app = open({ strategy: 'database' })
    const [agent, other] = [app.agent(), app.agent()]
    app.idp.choose('bob')
    await signIn(app, other)
    app.idp.choose('ada')
    await signIn(app, agent)
    const held = heldSession(agent)
    app.idp.choose('bob')
    const response = await signIn(app, agent)
    expect(response.headers.get('location')).toBe('https://app.test/auth/signin?error=OAuthAccountNotLinked')
    expect(app.ended()).toBe('notLinked')
    expect(heldSession(agent)).toBe(held)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    expect(await sessionOf(other)).toMatchObject({ user: { name: 'Bob' } })
  }),

  scenario(
    'CB-03 a jwt callback that returns neither claims nor null fails the sign-in',
    async ({ open }) => {
      for (const answer of ['undefined', '"text"', '7', 'true']) {
        const answers = answer === 'undefined' ? {} : { answer: JSON.parse(answer) }
        const app = open({ config: { callbacks: { jwt: () => Object(answers).answer } } })
        const agent = app.agent()
        const response = await signIn(app, agent)
        expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
        expect(agent.cookies()).not.toHaveProperty(sessionCookie)
        expect(app.events).toEqual([])
        expect(app.ended()).toBe('faulted')
      }
    },
  ),

  scenario('SE-04 an expired session is ignored when a sign-in starts or ends', async ({ open }) => {
    for (const strategy of ['jwt-stored', 'database'] as const) {
      for (const expiresFirst of [true, false]) {
        const app = open({ strategy, config: { session: { maxAge: 600 } } })
        const agent = app.agent()
        await signIn(app, agent)
        if (expiresFirst) app.clock.advance(600)
        app.idp.choose('bob')
        const { parameters } = await visitProvider(app, agent)
        if (!expiresFirst) app.clock.advance(600)
        const response = await agent.send(`/auth/callback/idp?${parameters}`)
        expect(response.headers.get('location')).toBe('https://app.test')
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Bob' } })
        const owner = await app.store.getUserByAccount({ provider: 'idp', providerAccountId: 'bob' })
        expect(owner?.email).toBe('bob@example.com')
      }
    }
  }),

  scenario('SE-01 starting a sign-in issues no session', async ({ open }) => {
    for (const strategy of ['jwt', 'database'] as const) {
      const calls: Call[] = []
      const app = open({ strategy, wrap: watching(calls) })
      const agent = app.agent()
      await startSignIn(agent)
      expect(agent.cookies()).not.toHaveProperty(sessionCookie)
      expect(calls).toEqual([])
      expect(await sessionOf(agent)).toBeNull()
      expect(app.ended()).toBe('anonymous')
    }
  }),
]
