import { expect } from 'vitest'
import { csrfOf, sessionOf, signIn, signOut, startSignIn } from '../../support/app.ts'
import { plant, sessionCookie } from '../../support/session-cookie.ts'
import { countOf, watching, type Call } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'
import { OAuthAccountNotLinked } from '../../../src/errors.ts'

const callbackUrlCookie = '__Secure-authjs.callback-url'
const deniedPage = 'https://app.test/auth/error?error=AccessDenied'

/** The arguments of the signIn and redirect callbacks, and the use of their results. */
export const signInCallbackScenarios = [
  scenario(
    'CBK-023 CBK-026 CBK-027 signIn receives user, account and profile, and continues if it returns true',
    async ({ open }) => {
      const calls: Record<string, unknown>[] = []
      const app = open({ config: { callbacks: { signIn: (params) => calls.push({ ...params }) > 0 } } })
      const agent = app.agent()
      const response = await signIn(app, agent)
      expect(response.headers.get('location')).toBe('https://app.test')
      expect(calls).toHaveLength(1)
      expect(calls[0]).toEqual({
        user: {
          id: expect.any(String),
          name: 'Ada',
          email: 'ada@example.com',
          image: 'https://idp.test/ada.png',
        },
        account: expect.objectContaining({ provider: 'idp', type: 'oidc', providerAccountId: 'ada' }),
        profile: expect.objectContaining({ sub: 'ada', email: 'ada@example.com' }),
      })
      expect(await sessionOf(agent)).not.toBeNull()
      expect(app.hops.some(({ event }) => event === 'signin.allowed')).toBe(true)
    },
  ),

  scenario('CBK-023 signIn receives the stored user of a known account', async ({ open }) => {
    const users: unknown[] = []
    const app = open({
      strategy: 'database',
      config: { callbacks: { signIn: ({ user }) => users.push(user) > 0 } },
    })
    await signIn(app, app.agent())
    const stored = await app.store.getUserByEmail('ada@example.com')
    await signIn(app, app.agent())
    expect(users[1]).toEqual(stored)
  }),

  scenario(
    'CBK-028 CBK-029 CBK-033 CB-05 false or an exception stops the sign-in, without rows or events',
    async ({ open }) => {
      const answers: readonly (readonly [() => boolean, string])[] = [
        [() => false, 'The signIn callback refused the sign-in'],
        [() => throwing(new Error('not on Sundays')), 'not on Sundays'],
      ]
      for (const [answer, message] of answers) {
        const calls: Call[] = []
        const signInCallback = async () => answer()
        const app = open({
          strategy: 'database',
          wrap: watching(calls),
          config: { callbacks: { signIn: signInCallback } },
        })
        const agent = app.agent()
        const response = await signIn(app, agent)
        expect(response.status).toBe(302)
        expect(response.headers.get('location')).toBe(deniedPage)
        expect(agent.cookies()).not.toHaveProperty(sessionCookie)
        expect(calls.map(({ operation }) => operation)).toEqual(['getUserByAccount'])
        expect(app.errors.map(({ name, message: text }) => [name, text])).toEqual([['AccessDenied', message]])
        expect(app.events).toEqual([])
        expect(app.ended()).toBe('denied')
      }
    },
  ),

  scenario(
    'CBK-033 an exception keeps its cause, and an error of the library is not wrapped',
    async ({ open }) => {
      const cause = new Error('not on Sundays')
      const app = open({ config: { callbacks: { signIn: () => throwing(cause) } } })
      await signIn(app, app.agent())
      expect(app.errors[0]?.cause).toMatchObject({ err: cause })
      const known = new OAuthAccountNotLinked('as the application sees it')
      const second = open({ config: { callbacks: { signIn: () => throwing(known) } } })
      const response = await signIn(second, second.agent())
      expect(response.headers.get('location')).toBe(
        'https://app.test/auth/signin?error=OAuthAccountNotLinked',
      )
      expect(second.ended()).toBe('denied')
    },
  ),

  scenario('CBK-030 a string redirects the browser there, without a session', async ({ open }) => {
    const targets = {
      '/welcome?first=1': 'https://app.test/welcome?first=1',
      'https://elsewhere.test/apply': 'https://elsewhere.test/apply',
    }
    for (const [target, location] of Object.entries(targets)) {
      const app = open({ strategy: 'database', config: { callbacks: { signIn: () => target } } })
      const agent = app.agent()
      const response = await signIn(app, agent)
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe(location)
      expect(agent.cookies()).not.toHaveProperty(sessionCookie)
      expect(await app.store.getUserByEmail('ada@example.com')).toBeNull()
      expect(app.events).toEqual([])
      expect(app.ended()).toBe('sentElsewhere')
    }
  }),

  scenario(
    'CBK-014 CBK-015 RD-06 redirect is called once per target, and the browser follows its result',
    async ({ open }) => {
      const seen: unknown[] = []
      const app = open({
        config: {
          callbacks: {
            async redirect(params) {
              seen.push(params)
              return `${params.baseUrl}/lobby?from=${encodeURIComponent(params.url)}`
            },
          },
        },
      })
      const agent = app.agent()
      const baseUrl = 'https://app.test'
      const lobby = (url: string) => `https://app.test/lobby?from=${encodeURIComponent(url)}`
      const started = await startSignIn(agent, 'idp', { callbackUrl: '/inbox' })
      expect(seen.splice(0)).toEqual([{ url: 'https://app.test/inbox', baseUrl }])
      const remembered = lobby('https://app.test/inbox')
      const { parameters } = await app.idp.authorize(started.headers.get('location') ?? '')
      const signedIn = await agent.send(`/auth/callback/idp?${parameters}&callbackUrl=https://evil.test`)
      expect(seen.splice(0)).toEqual([{ url: remembered, baseUrl }])
      expect(signedIn.headers.get('location')).toBe(lobby(remembered))
      const signedOut = await signOut(agent, { callbackUrl: 'https://other.test/bye' })
      expect(seen.splice(0)).toEqual([{ url: 'https://other.test/bye', baseUrl }])
      expect(signedOut.headers.get('location')).toBe(lobby('https://other.test/bye'))
    },
  ),

  scenario(
    'RD-06 a redirect callback that throws, or returns no http(s) URL, leads to the base URL',
    async ({ open }) => {
      const answers = [
        () => throwing(new Error('broken')),
        () => 'javascript:alert(1)',
        () => 'https://',
        () => 'data:,x',
        () => undefined,
        () => null,
      ]
      for (const answer of answers) {
        const app = open({ config: { callbacks: { redirect: async () => answer() as string } } })
        const agent = app.agent()
        const signedIn = await signIn(app, agent, 'idp', { callbackUrl: '/inbox' })
        expect(signedIn.headers.get('location')).toMatch(/^https:\/\/app\.test\/?$/)
        expect(app.ended()).toBe('signedIn')
        const signedOut = await signOut(agent, { callbackUrl: '/bye' })
        expect(signedOut.headers.get('location')).toMatch(/^https:\/\/app\.test\/?$/)
        expect(app.ended()).toBe('signedOut')
        expect(app.errors.map(({ name }) => name)).toContain('CallbackRouteError')
      }
    },
  ),

  scenario(
    'CBK-016 by default only our own origin is followed, at sign-in and at sign-out',
    async ({ open }) => {
      const targets = {
        '/inbox?a=1#b': 'https://app.test/inbox?a=1#b',
        'https://app.test/inbox': 'https://app.test/inbox',
        'https://evil.test/inbox': 'https://app.test',
        'https://app.test.evil.test/': 'https://app.test',
        'http://app.test/inbox': 'https://app.test',
        'https://app.test:444/': 'https://app.test',
      }
      const app = open()
      for (const [callbackUrl, location] of Object.entries(targets)) {
        const agent = app.agent()
        expect((await signIn(app, agent, 'idp', { callbackUrl })).headers.get('location')).toBe(location)
        expect((await signOut(agent, { callbackUrl })).headers.get('location')).toBe(location)
      }
    },
  ),

  scenario(
    'WIR-054 the callback URL is taken from the body, the query or the cookie, in this order, and is otherwise the origin',
    async ({ open }) => {
      const app = open()
      const agent = app.agent()
      const query = '?callbackUrl=/query'
      const lead = async (path: string, form: Record<string, string>) => {
        const csrfToken = await csrfOf(agent)
        const response = await agent.send(path, { form: { csrfToken, ...form } })
        return response.headers.get('location')
      }
      expect(await lead('/auth/signout', {})).toBe('https://app.test')
      plant(agent, encodeURIComponent('https://app.test/cookie'), callbackUrlCookie)
      expect(await lead(`/auth/signout${query}`, { callbackUrl: '/body' })).toBe('https://app.test/body')
      expect(await lead(`/auth/signout${query}`, {})).toBe('https://app.test/query')
      expect(await lead('/auth/signout', {})).toBe('https://app.test/cookie')
      await lead(`/auth/signin/idp${query}`, { callbackUrl: '/body' })
      expect(decodeURIComponent(agent.cookies()[callbackUrlCookie] ?? '')).toBe('https://app.test/body')
      await lead(`/auth/signin/idp${query}`, {})
      expect(decodeURIComponent(agent.cookies()[callbackUrlCookie] ?? '')).toBe('https://app.test/query')
      expect(app.ended()).toBe('sentToProvider')
    },
  ),

  scenario("FI-13 a rejected sign-in keeps the browser's session", async ({ open }) => {
    const calls: Call[] = []
    let admits = true
    const app = open({
      strategy: 'database',
      wrap: watching(calls),
      config: { callbacks: { signIn: () => admits } },
    })
    const agent = app.agent()
    await signIn(app, agent)
    admits = false
    const response = await signIn(app, agent)
    expect(response.headers.get('location')).toBe(deniedPage)
    expect(countOf(calls, 'deleteSession')).toBe(0)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  }),
]

function throwing(error: Error): never {
  throw error
}
