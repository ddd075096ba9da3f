import { expect } from 'vitest'
import { settingsOf } from '../../../src/config/derive-settings.ts'
import { signIn, signOut, startSignIn, visitProvider, type App } from '../../support/app.ts'
import { openAgent, type Agent } from '../../support/browser-agent.ts'
import { withEnvironment } from '../../support/environment.ts'
import { locationOf } from '../expectations.ts'
import { scenario, type Stage } from '../scenario.ts'

const spoofed = {
  host: 'evil.test',
  'x-forwarded-host': 'evil.test',
  'x-forwarded-proto': 'http',
  forwarded: 'host=evil.test;proto=http',
  'x-original-url': 'http://evil.test/',
}

/** An application with a canonical origin. */
function openCanonical(open: Stage['open'], url: string): App {
  const app = open()
  withEnvironment({ AUTH_URL: url }, () => settingsOf(app.config))
  return app
}

/** A browser whose requests arrive at another origin than the application's own, as behind a proxy. */
function behindProxy(app: App, origin: string, inner: string): Agent {
  return openAgent(origin, (request) => {
    const url = request.url.replace(origin, inner)
    return app.handle(
      new Request(
        url,
        new Request(request, { headers: new Headers([...request.headers, ...Object.entries(spoofed)]) }),
      ),
    )
  })
}

export const canonicalOriginScenarios = [
  scenario(
    'HH-02 HH-01 DEC-04b CK-15 with AUTH_URL all URLs use its origin, whatever host a request names',
    async ({ open }) => {
      const app = openCanonical(open, 'https://app.test/somewhere')
      const agent = behindProxy(app, 'https://app.test', 'http://evil.test')
      const started = await startSignIn(agent)
      expect(locationOf(started).searchParams.get('redirect_uri')).toBe('https://app.test/auth/callback/idp')
      for (const line of started.headers.getSetCookie()) expect(line).toMatch(/^__(Host|Secure)-.*; Secure/)
      expect(app.ended()).toBe('sentToProvider')
      const signedIn = await signIn(app, agent)
      expect(signedIn.headers.get('location')).toBe('https://app.test')
      expect(app.ended()).toBe('signedIn')
      expect(agent.cookies()['__Secure-authjs.session-token']).toBeTruthy()
      expect((await signOut(agent)).headers.get('location')).toBe('https://app.test')
      const refused = await agent.send('/auth/signin/idp', { form: {} })
      expect(refused.headers.get('location')).toBe('https://app.test/auth/signin?error=MissingCSRF')
      expect(app.ended()).toBe('refused')
      const providers = await (await agent.send('/auth/providers')).text()
      expect(providers).toContain('https://app.test/auth/signin/idp')
      expect(providers).not.toContain('evil.test')
      expect(await (await agent.send('/auth/signin')).text()).not.toContain('evil.test')
    },
  ),

  scenario('HH-01 CK-15 DEC-04c no request header sets the host or the scheme', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    const { parameters } = await visitProvider(app, agent)
    const answer = await agent.send(`/auth/callback/idp?${parameters}`, { headers: spoofed })
    expect(answer.headers.get('location')).toBe('https://app.test')
    expect(app.ended()).toBe('signedIn')
    for (const line of answer.headers.getSetCookie()) expect(line).toMatch(/^__(Host|Secure)-.*; Secure/)
    const started = await agent.send('/auth/signin/idp', { form: {}, headers: spoofed })
    expect(locationOf(started).origin).toBe('https://app.test')
  }),

  scenario(
    'DEC-04c without AUTH_URL the origin of the request is used if the host is trusted',
    async ({ open }) => {
      const app = open()
      for (const origin of ['https://one.test', 'https://two.test:8443', 'http://localhost:3000']) {
        const agent = openAgent(origin, app.handle)
        const started = await startSignIn(agent)
        expect(locationOf(started).searchParams.get('redirect_uri')).toBe(`${origin}/auth/callback/idp`)
        expect(app.ended()).toBe('sentToProvider')
      }
      const doubtful = open({ config: { trustHost: false } })
      expect((await doubtful.agent().send('/auth/csrf')).status).toBe(500)
      expect(doubtful.errors.map(({ name }) => name)).toEqual(['UntrustedHost'])
    },
  ),

  scenario(
    'CFG-042 CFG-041 CK-01 cookies are Secure on https, and everywhere if the application requires it',
    async ({ open }) => {
      const flagsOf = async (browser: string, arriving: string, app: App) => {
        const handle = (request: Request) =>
          app.handle(new Request(request.url.replace(browser, arriving), request))
        const lines = (await startSignIn(openAgent(browser, handle))).headers.getSetCookie()
        expect(app.ended()).toBe('sentToProvider')
        expect(lines.length).toBeGreaterThan(1)
        for (const line of lines) expect(line).toMatch(/; HttpOnly.*; SameSite=Lax/)
        return lines.map((line) => line.startsWith('__') && / Secure(;|$)/.test(line))
      }
      const [https, http] = ['https://app.test', 'http://app.test']
      expect(await flagsOf(https, https, open())).not.toContain(false)
      expect(await flagsOf(http, http, open())).not.toContain(true)
      expect(await flagsOf(https, http, open({ config: { useSecureCookies: true } }))).not.toContain(false)
      expect(await flagsOf(https, https, open({ config: { useSecureCookies: false } }))).not.toContain(true)
      expect(await flagsOf(https, 'http://inner.test', openCanonical(open, https))).not.toContain(false)
      expect(await flagsOf(http, 'https://inner.test', openCanonical(open, http))).not.toContain(true)
    },
  ),
]
