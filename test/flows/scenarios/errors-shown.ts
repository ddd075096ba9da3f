import { expect } from 'vitest'
import { AdapterError, AuthError } from '../../../src/errors.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import {
  csrfOf,
  sessionOf,
  signIn,
  signOut,
  startSignIn,
  visitProvider,
  type App,
  type AppOptions,
} from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { checkCookies, expectError, expectNotSignedIn, setsCookie, sessionCookie } from '../expectations.ts'
import { scenario } from '../scenario.ts'

const upstream = 'SELECT * FROM users; at /srv/app.js:12'

/** The adapter as the flows see it. From a certain call on, it lacks one of its operations. */
function losing(operation: keyof Adapter) {
  const lost = { is: false }
  const wrap = (adapter: Adapter): Adapter =>
    new Proxy(adapter, {
      get: (store, name) => (lost.is && name === operation ? undefined : Reflect.get(store, name)) as unknown,
    })
  return { wrap, lose: () => void (lost.is = true) }
}

export const errorsShownScenarios = [
  scenario(
    'ERR-009 ERR-010 ERR-002 DEC-02a IL-04 an exception in signIn becomes AccessDenied, with its message in the log only',
    async ({ open }) => {
      const thrown = new RangeError(upstream)
      const app = open({ config: { callbacks: { signIn: () => Promise.reject(thrown) } } })
      const agent = app.agent()
      const response = await signIn(app, agent)
      expect(app.ended()).toBe('denied')
      expectError(response, 'AccessDenied')
      expect(app.errors).toHaveLength(1)
      expect(app.errors[0]).toBeInstanceOf(AuthError)
      expect(app.errors[0]).toMatchObject({ name: 'AccessDenied', message: upstream, cause: { err: thrown } })
      await expectNotSignedIn(app, agent)
    },
  ),

  scenario(
    'ERR-010 WIR-008 a signIn callback that returns false leads to the error page',
    async ({ open }) => {
      const app = open({ config: { callbacks: { signIn: () => false } }, strategy: 'database' })
      const agent = app.agent()
      expectError(await signIn(app, agent), 'AccessDenied')
      expect(app.ended()).toBe('denied')
      const shown = await agent.send('/auth/error?error=AccessDenied')
      expect(shown.status).toBe(403)
      await expectNotSignedIn(app, agent)
    },
  ),

  scenario(
    'ERR-011 DEC-02f a signIn callback that returns a string redirects the user there, unchanged',
    async ({ open }) => {
      const targets = {
        'https://elsewhere.test/a?b=c': 'https://elsewhere.test/a?b=c',
        '/join?why=new': 'https://app.test/join?why=new',
      }
      for (const [given, location] of Object.entries(targets)) {
        const redirect = () => 'https://app.test/never'
        const app = open({ config: { callbacks: { signIn: () => given, redirect } }, strategy: 'database' })
        const agent = app.agent()
        const response = await signIn(app, agent)
        expect(app.ended()).toBe('sentElsewhere')
        expect(response.status).toBe(302)
        expect(response.headers.get('location')).toBe(location)
        expect(setsCookie(response, sessionCookie)).toBe(false)
        await expectNotSignedIn(app, agent)
      }
    },
  ),

  scenario(
    'ERR-012 ADP-002 DEC-33d a missing operation fails the flow that calls it, and shows an error',
    async ({ open }) => {
      for (const operation of ['getUserByAccount', 'getUserByEmail', 'createUser', 'linkAccount'] as const) {
        const { wrap, lose } = losing(operation)
        const app = open({ strategy: 'database', wrap })
        const agent = app.agent()
        await csrfOf(agent)
        lose()
        expectError(await signIn(app, agent), 'Configuration')
        expect(app.ended()).toBe('faulted')
        expect(app.errors[0]).toBeInstanceOf(AdapterError)
        expect(app.errors[0]?.message).toBe(`The adapter has no ${operation} method, which this flow needs`)
        expect((await agent.send('/auth/error?error=Configuration')).status).toBe(500)
        expect(app.rows.sessions()).toEqual([])
        expect(app.events).toEqual([])
      }
    },
  ),

  scenario(
    'ERR-012 ADP-002 DEC-33d a session that cannot be read or revoked because of a missing operation is an error',
    async ({ open }) => {
      const reading = losing('getSessionAndUser')
      const app = open({ strategy: 'database', wrap: reading.wrap })
      const agent = app.agent()
      await signIn(app, agent)
      reading.lose()
      expect((await agent.send('/auth/session')).status).toBe(503)
      expect(app.ended()).toBe('unavailable')
      expect(app.errors.at(-1)?.message).toContain('The adapter has no getSessionAndUser')

      const revoking = losing('deleteSession')
      const other = open({ strategy: 'database', wrap: revoking.wrap })
      const browser = other.agent()
      await signIn(other, browser)
      revoking.lose()
      expectError(await signOut(browser), 'Configuration')
      expect(other.ended()).toBe('faulted')
      expect(other.events.map(({ event }) => event)).not.toContain('signOut')
    },
  ),

  scenario('WIR-008 IL-04 an internal error is shown as Configuration', async ({ open }) => {
    const broken = () => {
      throw new Error(upstream)
    }
    const causes: readonly AppOptions[] = [
      { idp: { misbehave: ['token:500'] } },
      { idp: { misbehave: ['token:html'] } },
      { idp: { misbehave: ['signature-flipped'] } },
      { provider: { profile: broken } },
      { strategy: 'database', wrap: (store) => ({ ...store, createUser: broken }) },
      { config: { callbacks: { jwt: broken } } },
    ]
    for (const options of causes) {
      const app = open(options)
      const agent = app.agent()
      const response = await signIn(app, agent)
      expect(['failed', 'faulted']).toContain(app.ended())
      expectError(response, 'Configuration')
      const shown = await (await agent.send(response.headers.get('location') ?? '')).text()
      for (const text of [shown, response.headers.get('location'), await response.text()])
        expect(text).not.toMatch(/SELECT|srv|canary|stack|\bat \/|invalid_/)
    }
  }),

  scenario(
    'DEC-31f WIR-036 WIR-056 a response without a sign-in in this browser is not a server error',
    async ({ open }) => {
      const changes: readonly ((parameters: URLSearchParams, app: App, agent: Agent) => unknown)[] = [
        (parameters) => parameters.set('state', 'another'),
        (parameters) => parameters.append('code', 'twice'),
        (parameters) => parameters.set('iss', 'https://other.test'),
        (parameters) => parameters.delete('code'),
        (_, app) => app.clock.advance(900),
        (_, __, agent) => agent.forget(checkCookies.state),
      ]
      for (const change of changes) {
        const app = open({ provider: { checks: ['pkce', 'state'] } })
        const agent = app.agent()
        const { parameters } = await visitProvider(app, agent)
        change(parameters, app, agent)
        const response = await agent.send(`/auth/callback/idp?${parameters}`)
        expectError(response, 'InvalidCheck')
        expect(app.ended()).toBe('refused')
        expect(app.errors.at(-1)).toMatchObject({ type: 'InvalidCheck' })
        const page = await agent.send(response.headers.get('location') ?? '')
        expect(page.status).toBe(400)
        const shown = await page.text()
        expect(shown).toMatch(/cannot be finished.*another browser.*too long.*start again/)
        expect(shown).toContain('href="https://app.test/auth/signin"')
        expect(shown).not.toContain(app.errors.at(-1)?.message)
        await signIn(app, agent)
        expect(app.ended()).toBe('signedIn')
      }
    },
  ),

  scenario(
    'WIR-008 CFG-023 CFG-025 errors redirect to the application’s pages, and keep their query',
    async ({ open }) => {
      const pages = { signIn: '/login?lang=en', error: '/oops?code=1' }
      const app = open({ config: { pages, callbacks: { signIn: () => false } } })
      const agent = app.agent()
      const denied = await signIn(app, agent)
      expect(app.ended()).toBe('denied')
      expect(denied.headers.get('location')).toBe('https://app.test/oops?code=1&error=AccessDenied')
      const refused = await agent.send('/auth/signin/idp', { form: {} })
      expect(app.ended()).toBe('refused')
      expect(refused.headers.get('location')).toBe('https://app.test/login?lang=en&error=MissingCSRF')
      app.idp.misbehave('access-denied')
      const declined = await signIn(app, agent)
      expect(app.ended()).toBe('declined')
      expect(declined.headers.get('location')).toBe(
        'https://app.test/login?lang=en&error=OAuthCallbackError&code=access_denied',
      )
    },
  ),

  scenario(
    'WIR-006 WIR-008 a client that asks for JSON gets the URL of the error, and the cookies',
    async ({ open }) => {
      const app = open()
      const agent = app.agent()
      const headers = { 'x-auth-return-redirect': '' }
      const refused = await agent.send('/auth/signin/idp', { form: {}, headers })
      expect(app.ended()).toBe('refused')
      expect(refused.status).toBe(200)
      const url = 'https://app.test/auth/signin?error=MissingCSRF'
      expect(await refused.json()).toEqual({ url, ok: false })
      const started = await agent.send('/auth/signin/idp', {
        form: { csrfToken: await csrfOf(agent) },
        headers,
      })
      expect(app.ended()).toBe('sentToProvider')
      expect(started.status).toBe(200)
      expect(started.headers.getSetCookie().length).toBeGreaterThan(1)
      const location = started.headers.get('location')
      expect(location).toMatch(/^https:\/\/idp\.test\/authorize\?/)
      expect(await started.text()).toBe(JSON.stringify({ url: location }))
    },
  ),

  scenario('WIR-027 TX-18 the CSRF token is read from the body only', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    const csrfToken = await csrfOf(agent)
    const refusals = [
      agent.send(`/auth/signin/idp?csrfToken=${csrfToken}`, { form: {} }),
      agent.send('/auth/signin/idp', { form: {}, headers: { 'x-csrf-token': csrfToken, csrfToken } }),
      agent.send('/auth/signin/idp', { json: { csrfToken: [csrfToken] } }),
      agent.send('/auth/signin/idp', { json: { data: { csrfToken } } }),
      agent.send('/auth/signin/idp', { form: { csrftoken: csrfToken } }),
    ]
    for (const refusal of refusals) {
      expect((await refusal).headers.get('location')).toBe('https://app.test/auth/signin?error=MissingCSRF')
      expect(app.ended()).toBe('refused')
    }
    expect((await agent.send('/auth/signin/idp', { json: { csrfToken } })).headers.get('location')).toContain(
      'https://idp.test/',
    )
    expect(app.ended()).toBe('sentToProvider')
  }),

  scenario(
    'WIR-007 TX-18 an update without the CSRF token is rejected with 400 and null',
    async ({ open }) => {
      const app = open()
      const agent = app.agent()
      await signIn(app, agent)
      const response = await agent.send('/auth/session', { json: { data: { name: 'Eve' } } })
      expect(response.status).toBe(400)
      expect(await response.json()).toBeNull()
      expect(app.ended()).toBe('refused')
      expect(app.errors.at(-1)?.name).toBe('MissingCSRF')
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    },
  ),

  scenario('WIR-015 a POST that starts nothing redirects to the sign-in page', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    const response = await agent.send('/auth/signin', { form: { csrfToken: await csrfOf(agent) } })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('https://app.test/auth/signin')
    expect(app.hops).toEqual([])
    expect((await startSignIn(agent)).headers.get('location')).toContain('https://idp.test/')
    expect(app.ended()).toBe('sentToProvider')
  }),
]
