import { expect } from 'vitest'
import { openAgent, type Agent } from '../../support/browser-agent.ts'
import { csrfOf, sessionOf, startSignIn, visitProvider, type App } from '../../support/app.ts'
import type { Stage } from '../scenario.ts'
import { scenario } from '../scenario.ts'
import { callbackUrlCookie, cookiesOf, eventsOf, locationOf, sessionCookie } from '../expectations.ts'

const heldCookie = '__Secure-authjs.state.response'
const users = ['ada', 'eve'].map((name) => ({
  sub: name,
  claims: { name, email: `${name}@example.com` },
}))

/** Eve is signed in. The provider posts its responses. */
async function openPosting(open: Stage['open'], options: Parameters<Stage['open']>[0] = {}) {
  const app = open({
    strategy: 'database',
    provider: {
      authorization: { params: { response_mode: 'form_post' } },
      checks: ['pkce', 'nonce', 'state'],
    },
    ...options,
    idp: { users, metadata: { authorization_response_iss_parameter_supported: false } },
  })
  const agent = app.agent()
  app.idp.choose('eve')
  await post(agent, (await visitProvider(app, agent)).parameters)
  expect(await sessionOf(agent)).toMatchObject({ user: { name: 'eve' } })
  app.idp.choose('ada')
  app.events.length = 0
  return { app, agent }
}

function post(agent: Agent, parameters: URLSearchParams) {
  return agent.send('/auth/callback/idp', { form: parameters, crossSite: true })
}

/** Starts a link as Eve, and posts the response. */
async function startLink(app: App, agent: Agent) {
  const { parameters } = await visitProvider(app, agent, 'idp', { link: 'true', callbackUrl: '/account' })
  return { parameters, posted: await post(agent, parameters) }
}

function expectNobodyElse(app: App) {
  expect(app.rows.users()).toHaveLength(1)
  expect(app.rows.accounts()).toHaveLength(1)
  expect(eventsOf(app)).toEqual([])
}

/** Responses that browsers post from another site, without the session and other Lax cookies. */
export const formPostScenarios = [
  scenario('WIR-023 the target of a form_post sign-in survives the built-in page', async ({ open }) => {
    const { app } = await openPosting(open)
    const agent = app.agent()
    await agent.send('/auth/signin?callbackUrl=/target')
    const form = { csrfToken: await csrfOf(agent), callbackUrl: 'https://app.test/target' }
    const started = await agent.send('/auth/signin/idp', { form })
    expect(cookiesOf(started).get(callbackUrlCookie)).toMatch(/target; .*SameSite=None$/)
    const { parameters } = await app.idp.authorize(locationOf(started).href)
    expect(locationOf(await post(agent, parameters)).href).toBe('https://app.test/target')
  }),

  scenario('AL-14 a posted response links the account after it was repeated as a GET', async ({ open }) => {
    for (const accountLinking of ['session', 'explicit'] as const) {
      for (const parallelSignIns of [false, true]) {
        const { app, agent } = await openPosting(open, { config: { accountLinking, parallelSignIns } })
        const { parameters, posted } = await startLink(app, agent)
        expect(app.ended()).toBe('repeated')
        expect(posted.headers.get('location')).toBe('https://app.test/auth/callback/idp')
        expect(cookiesOf(posted).get(heldCookie)).toMatch(/Max-Age=60; .*HttpOnly; Secure; SameSite=Lax$/)
        expect(JSON.stringify([...posted.headers])).not.toContain(parameters.get('code'))
        expectNobodyElse(app)
        const repeated = await agent.send('/auth/callback/idp')
        expect(locationOf(repeated).href).toBe('https://app.test/account')
        expect(app.ended()).toBe('signedIn')
        expect(eventsOf(app)).toEqual(['linkAccount', 'signIn'])
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'eve' } })
        expect(app.rows.users()).toHaveLength(1)
        expect(Object.keys(agent.cookies()).filter((name) => /state|nonce|pkce/.test(name))).toEqual([])
      }
    }
  }),

  scenario('AL-14 a link whose session has ended sends the browser to sign in', async ({ open }) => {
    const { app, agent } = await openPosting(open)
    await startLink(app, agent)
    agent.forget(sessionCookie)
    const repeated = await agent.send('/auth/callback/idp')
    const { pathname, searchParams } = locationOf(repeated)
    expect([pathname, searchParams.get('error')]).toEqual(['/auth/signin', 'SessionRequired'])
    expect(searchParams.get('callbackUrl')).toBe('https://app.test/account')
    expect(app.ended()).toBe('stale')
    expectNobodyElse(app)
    expect(Object.keys(agent.cookies())).not.toContain(heldCookie)
  }),

  scenario('AL-14 a repeated response is opened for a minute', async ({ open }) => {
    const { app, agent } = await openPosting(open)
    await startLink(app, agent)
    const held = agent.cookies()[heldCookie]
    app.clock.advance(61_000)
    await agent.send('/auth/callback/idp')
    expect(app.ended()).toBe('refused')
    agent.set(`${heldCookie}=${held}; Path=/; Secure`)
    await agent.send('/auth/callback/idp')
    expect(app.ended()).toBe('refused')
    expectNobodyElse(app)
  }),

  scenario('AL-14 a response that is too long to be repeated links nothing', async ({ open }) => {
    const { app, agent } = await openPosting(open)
    const { parameters } = await visitProvider(app, agent, 'idp', { link: 'true', callbackUrl: '/account' })
    parameters.set('user', 'x'.repeat(5000))
    expect(locationOf(await post(agent, parameters)).searchParams.get('error')).toBe('SessionRequired')
    expect(app.ended()).toBe('stale')
    expectNobodyElse(app)
  }),

  scenario('AL-14 AL-07 a known account signs in its owner without the session', async ({ open }) => {
    const { app, agent } = await openPosting(open)
    app.idp.choose('eve')
    await startLink(app, agent)
    agent.forget(sessionCookie)
    expect(locationOf(await agent.send('/auth/callback/idp')).pathname).toBe('/account')
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.users()).toHaveLength(1)
  }),

  scenario('WIR-035 a redirect proxy forwards a posted response as a query', async ({ open }) => {
    const preview = 'https://preview.test'
    const { app, agent } = await openPosting(open, {
      config: { redirectProxyUrl: 'https://app.test/auth', redirectProxy: { allow: [preview] } },
    })
    const own = openAgent(preview, app.handle)
    const asked = locationOf(await startSignIn(own))
    expect(asked.searchParams.get('redirect_uri')).toBe('https://app.test/auth/callback/idp')
    const { parameters } = await app.idp.authorize(asked.href)
    const hop = await post(agent, parameters)
    expect([hop.status, app.ended()]).toEqual([302, 'forwarded'])
    await own.send(hop.headers.get('location') ?? '')
    expect(app.ended()).toBe('signedIn')
    expect(await sessionOf(own)).toMatchObject({ user: { name: 'ada' } })
  }),
]
