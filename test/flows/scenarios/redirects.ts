import { expect } from 'vitest'
import { csrfOf, sessionOf, signIn, visitProvider, type App } from '../../support/app.ts'
import type { Agent, Sent } from '../../support/browser-agent.ts'
import { pinProvider } from '../../support/providers.ts'
import type { Stage } from '../scenario.ts'
import { scenario } from '../scenario.ts'
import {
  callbackUrlCookie,
  checkCookies,
  cookiesOf,
  csrfCookie,
  locationOf,
  sessionCookie,
} from '../expectations.ts'

/** The targets of an attacker. */
const foreign = [
  'https://evil.test/',
  '//evil.test/',
  '\\\\evil.test',
  '/\\evil.test',
  '///evil.test',
  '/\t/evil.test',
  'https:\n//evil.test',
  'https://app.test@evil.test/',
  'https://app.test:pw@app.test/',
  'https://app.test.evil.test/',
  'https://evilapp.test/',
  'https://app.test:444/',
  'http://app.test/',
  'https://evil\u3002test/',
  'hTTps://evil.test',
]
const noUrls = [
  'javascript:alert(1)',
  'data:text/html,x',
  'blob:https://app.test/1',
  'file:///etc/passwd',
  'myapp://x',
]

/** The ways in which a target can be planted. */
const sources = {
  body: (target: string): Sent & { query?: string } => ({ form: { callbackUrl: target } }),
  json: (target: string) => ({ json: { callbackUrl: target } }),
  query: (target: string) => ({ form: {}, query: `?callbackUrl=${encodeURIComponent(target)}` }),
  referer: (target: string) => ({ form: {}, headers: { referer: encodeURI(target) } }),
}

/** Sends a legitimate POST with additional members. */
async function post(
  agent: Agent,
  path: string,
  { query = '', form, json, ...sent }: Sent & { query?: string },
) {
  const csrfToken = await csrfOf(agent)
  const body = json ? { json: { ...json, csrfToken } } : { form: { ...(form as object), csrfToken } }
  return agent.send(path + query, { ...sent, ...body })
}

/** Signs in from start to end. @returns the address at which the browser arrives */
async function land(app: App, agent: Agent, sent: Sent & { query?: string }): Promise<string> {
  const started = await post(agent, '/auth/signin/idp', sent)
  const { parameters } = await app.idp.authorize(locationOf(started).href)
  const response = await agent.send(`/auth/callback/idp?${parameters}`)
  expect(app.ended()).toBe('signedIn')
  return response.headers.get('location') ?? ''
}

async function landBy(open: Stage['open'], source: keyof typeof sources, target: string): Promise<string> {
  const app = open()
  return land(app, app.agent(), sources[source](target))
}

const page = (name: string) => ({ config: { pages: { [name]: '/own?a=1' } } })

/** The final redirect target of a browser. */
export const redirectScenarios = [
  scenario(
    'RD-01 RD-02 RD-03 RD-10 a foreign redirect target is replaced by our own origin',
    async ({ open }) => {
      for (const source of ['body', 'json', 'query', 'referer'] as const)
        for (const target of source === 'body' ? [...foreign, ...noUrls] : foreign.slice(0, 3))
          expect(new URL(await landBy(open, source, target)).origin, `${source} ${target}`).toBe(
            'https://app.test',
          )
    },
  ),

  scenario('RD-01 RD-02 RD-05 a planted cookie is replaced by our own origin as well', async ({ open }) => {
    for (const target of [...foreign, ...noUrls]) {
      const app = open()
      const agent = app.agent()
      const { parameters } = await visitProvider(app, agent)
      agent.set(`${callbackUrlCookie}=${encodeURIComponent(target)}; Path=/; Secure`)
      const response = await agent.send(`/auth/callback/idp?${parameters}`)
      expect(app.ended()).toBe('signedIn')
      expect(locationOf(response).origin, target).toBe('https://app.test')
    }
  }),

  scenario('RD-01 a target on our own origin is followed', async ({ open }) => {
    expect(await landBy(open, 'body', '/here?x=1#y')).toBe('https://app.test/here?x=1#y')
    expect(await landBy(open, 'json', 'https://app.test/there')).toBe('https://app.test/there')
    expect(await landBy(open, 'query', '/query')).toBe('https://app.test/query')
    expect(await landBy(open, 'referer', 'https://app.test/where-i-was')).toBe('https://app.test')
    expect(await landBy(open, 'body', '/ümlaut')).toBe('https://app.test/%C3%BCmlaut')
    const app = open()
    const both = { form: { callbackUrl: '/body' }, query: '?callbackUrl=/query' }
    expect(await land(app, app.agent(), both)).toBe('https://app.test/body')
  }),

  scenario('RD-03 FI-07 a redirect callback can only return http(s) URLs', async ({ open }) => {
    const landing = (redirect: () => string) => {
      const app = open({ config: { callbacks: { redirect } } })
      return land(app, app.agent(), sources.body('/here'))
    }
    for (const target of noUrls) {
      expect(await landing(() => target)).toBe('https://app.test')
      const app = open({ config: { callbacks: { redirect: () => target } } })
      const left = await post(app.agent(), '/auth/signout', sources.body('/here'))
      expect(left.headers.get('location')).toBe('https://app.test')
    }
    expect(await landing(() => 'https://elsewhere.test/x')).toBe('https://elsewhere.test/x')
    expect(
      await landing(() => {
        throw new Error('no redirect today')
      }),
    ).toBe('https://app.test')
  }),

  scenario(
    'WIR-054 the redirect callback decides where to go if nobody asked for a target',
    async ({ open }) => {
      const redirect = ({ url, baseUrl }: { url: string; baseUrl: string }) =>
        url.startsWith(`${baseUrl}/shop/`) ? url : `${baseUrl}/shop/`
      const app = open({ providers: [pinProvider()], config: { callbacks: { redirect } } })
      const form = { name: 'ada', pin: '1234' }
      const entered = await post(app.agent(), '/auth/callback/credentials', { form })
      expect(entered.headers.get('location')).toBe('https://app.test/shop/')
      const left = await post(app.agent(), '/auth/signout', { form: {} })
      expect(left.headers.get('location')).toBe('https://app.test/shop/')
    },
  ),

  scenario('RD-04 an invalid redirect target does not abort the request', async ({ open }) => {
    const none: unknown[] = [
      7,
      null,
      true,
      {},
      ['/a'],
      '',
      ' ',
      'http://[',
      '%',
      '\u0000',
      `/${'x'.repeat(3000)}`,
      '\ud800',
    ]
    for (const target of none) {
      const app = open({ strategy: 'database' })
      const agent = app.agent()
      expect(await land(app, agent, { json: { callbackUrl: target } })).toMatch(
        /^https:\/\/app\.test(?:\/|$)/,
      )
      const out = await post(agent, '/auth/signout', { json: { callbackUrl: target } })
      expect([out.status, app.ended()]).toEqual([302, 'signedOut'])
      expect(locationOf(out).origin).toBe('https://app.test')
      expect(app.rows.sessions()).toEqual([])
    }
  }),

  scenario('RD-05 no cookie content prevents a sign-in', async ({ open }) => {
    const names = [callbackUrlCookie, csrfCookie, sessionCookie, ...Object.values(checkCookies)]
    for (const value of ['garbage', '%', '%00', '%0d%0aX:%20y', 'x'.repeat(3000), 'http://[', 'a.b.c.d.e']) {
      for (const strategy of ['jwt', 'database'] as const) {
        const app = open({ strategy })
        const agent = app.agent()
        for (const name of names) agent.set(`${name}=${value}; Path=/; Secure`)
        expect((await agent.send('/auth/signin')).status).toBe(200)
        expect(await sessionOf(agent)).toBeNull()
        expect(agent.cookies()[sessionCookie]).toBeUndefined()
        await signIn(app, agent)
        expect(app.ended()).toBe('signedIn')
        expect(await sessionOf(agent)).not.toBeNull()
        expect(Object.values(agent.cookies())).not.toContain(value)
      }
    }
  }),

  scenario('RD-05 a poisoned callback URL cookie is replaced when it is read', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    const { parameters } = await visitProvider(app, agent)
    agent.set(`${callbackUrlCookie}=javascript:1; Path=/; Secure`)
    const response = await agent.send(`/auth/callback/idp?${parameters}`)
    expect(cookiesOf(response).get(callbackUrlCookie)).toMatch(/=; Max-Age=0; Path=\//)
    expect(app.errors.at(-1)).toMatchObject({ type: 'InvalidCallbackUrl' })
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('RD-08 built-in pages get no injected parameters', async ({ open }) => {
    const query = `?callbackUrl=https://evil.test&error=AccessDenied&extra=1&code=c&state=s`
    const at = async (options: object, path: string) =>
      (
        await open(options)
          .agent()
          .send(path + query)
      ).headers.get('location')
    expect(await at(page('error'), '/auth/error')).toBe('https://app.test/own?a=1&error=AccessDenied')
    expect(await at(page('signIn'), '/auth/signin')).toBe(
      'https://app.test/own?a=1&callbackUrl=https%3A%2F%2Fapp.test&error=AccessDenied',
    )
    const app = open({ strategy: 'database', ...page('newUser') })
    expect(await land(app, app.agent(), sources.body('https://evil.test'))).toBe(
      'https://app.test/own?a=1&callbackUrl=https%3A%2F%2Fapp.test',
    )
  }),

  scenario('RD-07 RD-08 a provider error is shown by name only, on custom pages too', async ({ open }) => {
    const app = open({ idp: { misbehave: ['access-denied'] }, ...page('signIn') })
    const agent = app.agent()
    const response = await signIn(app, agent, 'idp', { callbackUrl: 'https://evil.test' })
    expect(response.headers.get('location')).toBe(
      'https://app.test/own?a=1&error=OAuthCallbackError&code=access_denied',
    )
    expect(app.ended()).toBe('declined')
  }),

  scenario('RD-09 RD-01 a sign-out redirects to our own origin', async ({ open }) => {
    for (const [source, build] of Object.entries(sources)) {
      for (const target of [...foreign.slice(0, 8), ...noUrls]) {
        const app = open()
        const agent = app.agent()
        await signIn(app, agent)
        const response = await post(agent, '/auth/signout', build(target))
        expect(app.ended()).toBe('signedOut')
        expect(locationOf(response).origin, `${source} ${target}`).toBe('https://app.test')
        expect(await sessionOf(agent)).toBeNull()
      }
    }
  }),
]
