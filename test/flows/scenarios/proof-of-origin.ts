import { expect } from 'vitest'
import { skipCSRFCheck } from '../../../src/types/symbols.ts'
import {
  csrfOf,
  sessionOf,
  signIn,
  signOut,
  startSignIn,
  visitProvider,
  type App,
} from '../../support/app.ts'
import type { Agent, Sent } from '../../support/browser-agent.ts'
import { scenario } from '../scenario.ts'
import { callbackUrlCookie, checkCookies, csrfCookie, expectError, sessionCookie } from '../expectations.ts'

async function signedIn(app: App): Promise<Agent> {
  const agent = app.agent()
  await signIn(app, agent)
  return agent
}

/** Requests without proof that our own page sent them, each for a browser that holds `token`. */
async function unproven(app: App, token: string): Promise<(Sent & { query?: string })[]> {
  const foreign = await csrfOf(app.agent())
  return [
    { form: {} },
    { form: { csrfToken: '' } },
    { form: { csrfToken: 'f'.repeat(64) } },
    { form: { csrfToken: foreign } },
    { form: { csrfToken: token.slice(0, -1) } },
    { form: { csrfToken: token.toUpperCase() } },
    { json: { csrfToken: [token] } },
    { json: { csrfToken: { toString: token } } },
    { json: { csrfToken: 7 } },
    { json: { csrfToken: null } },
    { form: {}, headers: { 'x-csrf-token': token } },
    { form: {}, query: `?csrfToken=${token}` },
    { form: { csrfToken: token }, headers: { 'content-type': 'text/plain' } },
  ]
}

/** Only our own pages, in the same browser, can start or end anything. */
export const proofOfOriginScenarios = [
  scenario('TX-18 WIR-027 a page of another site cannot start a sign-in', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    const token = await csrfOf(agent)
    expect(token).toMatch(/[a-f]/)
    for (const { query = '', ...sent } of await unproven(app, token)) {
      expectError(await agent.send(`/auth/signin/idp${query}`, sent), 'MissingCSRF', '/auth/signin')
      expect(app.hops.at(-1)).toMatchObject({ state: 'checkingCsrf', event: 'csrf.mismatched' })
      expect(app.ended()).toBe('refused')
    }
    expect(Object.keys(agent.cookies())).toEqual([csrfCookie])
    expect(app.idp.log).toEqual([])
  }),

  scenario('TX-18 a page of another site cannot sign a user out', async ({ open }) => {
    const app = open({ strategy: 'database' })
    const agent = await signedIn(app)
    const token = await csrfOf(agent)
    const { [sessionCookie]: held } = agent.cookies()
    for (const { query = '', ...sent } of await unproven(app, token)) {
      expectError(await agent.send(`/auth/signout${query}`, sent), 'MissingCSRF', '/auth/signin')
      expect(app.ended()).toBe('refused')
    }
    expect(agent.cookies()[sessionCookie]).toBe(held)
    expect(app.rows.sessions()).toHaveLength(1)
    expect(app.events.map(({ event }) => event)).not.toContain('signOut')
  }),

  scenario('TX-18 a page of another site cannot update a session', async ({ open }) => {
    const updates: unknown[] = []
    const session = ({ newSession }: { newSession?: unknown }) => void updates.push(newSession) as never
    const app = open({ strategy: 'database', config: { callbacks: { session } } })
    const agent = await signedIn(app)
    const token = await csrfOf(agent)
    for (const { query = '', ...sent } of await unproven(app, token)) {
      const response = await agent.send(`/auth/session${query}`, sent)
      expect([response.status, await response.json()]).toEqual([400, null])
      expect(app.ended()).toBe('refused')
    }
    expect(updates).toEqual([])
  }),

  scenario('TX-18 a CSRF cookie that the application did not issue is not accepted', async ({ open }) => {
    const app = open()
    const token = await csrfOf(app.agent())
    const altered = `${token}|${'0'.repeat(64)}`
    for (const cookie of [undefined, altered, token, `${token}|`, `|${token}`, 'x|y']) {
      const agent = app.agent()
      if (cookie) agent.set(`${csrfCookie}=${encodeURIComponent(cookie)}; Path=/; Secure`)
      const response = await agent.send('/auth/signin/idp', { form: { csrfToken: token } })
      expectError(response, 'MissingCSRF', '/auth/signin')
      expect(app.ended()).toBe('refused')
    }
    expect(app.idp.log).toEqual([])
  }),

  scenario(
    'TX-17 a GET, HEAD or OPTIONS request does not start, change or end anything',
    async ({ open }) => {
      const app = open({ strategy: 'database' })
      const agent = await signedIn(app)
      const csrfToken = await csrfOf(agent)
      const before = { ...agent.cookies() }
      const asked = app.idp.log.length
      const query = `?csrfToken=${csrfToken}&callbackUrl=/`
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        for (const path of ['/auth/signin/idp', '/auth/signout', '/auth/session']) {
          const response = await agent.send(`${path}${query}&data=1`, { method })
          for (const name of Object.values(checkCookies))
            expect(response.headers.getSetCookie().join(), `${method} ${path}`).not.toContain(name)
        }
      }
      expect(app.idp.log).toHaveLength(asked)
      expect(agent.cookies()).toEqual(before)
      expect(app.rows.sessions()).toHaveLength(1)
    },
  ),

  scenario('TX-17 a provider response is accepted only by GET or POST', async ({ open }) => {
    const app = open({ strategy: 'database' })
    const agent = app.agent()
    const { parameters } = await visitProvider(app, agent)
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
      const response = await agent.send(`/auth/callback/idp?${parameters}`, { method })
      expect(response.status).toBe(405)
      expect(response.headers.getSetCookie()).toEqual([])
    }
    expect(app.idp.requestsTo('token')).toEqual([])
    expect(app.rows.users()).toEqual([])
    await agent.send(`/auth/callback/idp?${parameters}`)
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('TX-19 DEC-15b the CSRF token changes at sign-in and sign-out', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    const before = await csrfOf(agent)
    await signIn(app, agent)
    const during = await csrfOf(agent)
    expect(during).not.toBe(before)
    const stale = { form: { csrfToken: before } }
    expectError(await agent.send('/auth/signout', stale), 'MissingCSRF', '/auth/signin')
    expect(await sessionOf(agent)).not.toBeNull()
    await signOut(agent)
    expect(await sessionOf(agent)).toBeNull()
    expect(await csrfOf(agent)).not.toBe(during)
  }),

  scenario('TX-22 a redirect after a POST never repeats the POST', async ({ open }) => {
    const authorization = { params: { response_mode: 'form_post' } }
    const app = open({ provider: { authorization }, config: { pages: { newUser: '/welcome' } } })
    const agent = app.agent()
    const started = await startSignIn(agent)
    const { parameters } = await app.idp.authorize(started.headers.get('location') ?? '')
    const posted = await agent.send('/auth/callback/idp', { form: parameters, crossSite: true })
    const replayed = await agent.send('/auth/callback/idp', { form: parameters, crossSite: true })
    const refused = await agent.send('/auth/signin/idp', { form: {} })
    const unsigned = await signOut(agent)
    expect([started, posted, replayed, refused, unsigned].map(({ status }) => status)).toEqual([
      302, 302, 302, 302, 302,
    ])
    expect(started.headers.get('location')).toMatch(/^https:\/\/idp\.test\/authorize\?/)
    expect(Object.keys(agent.cookies()).toSorted()).toEqual([csrfCookie, callbackUrlCookie])
    expect(app.ended()).toBe('signedOut')
  }),

  scenario(
    'WIR-011 TX-17 a sign-in needs no token if the application has disabled the CSRF check',
    async ({ open }) => {
      const app = open({ config: { skipCSRFCheck } })
      const agent = app.agent()
      const response = await agent.send('/auth/signin/idp', { form: { callbackUrl: '/here' } })
      expect(response.headers.get('location')).toMatch(/^https:\/\/idp\.test\/authorize\?/)
      expect(decodeURIComponent(agent.cookies()[callbackUrlCookie] ?? '')).toBe('https://app.test/here')
      expect(app.hops.slice(0, 3).map(({ state, event }) => `${state} ${event}`)).toEqual([
        'checkingCsrf csrf.accepted',
        'resolvingCallbackUrl callback-url.resolved',
        'recognising.readingCookie cookie.absent',
      ])
      expect(app.ended()).toBe('sentToProvider')
      expect(app.warnings).toContain('csrf-disabled')
      expect((await app.agent().send('/auth/signin/idp')).status).toBe(405)
    },
  ),
]
