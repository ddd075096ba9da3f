import { expect } from 'vitest'
import { csrfOf, issuer, sessionOf, signIn, visitProvider, type App } from '../../support/app.ts'
import { scenario } from '../scenario.ts'
import { checkCookies, cookiesOf, expectError, expectNotSignedIn, locationOf } from '../expectations.ts'

const formPost = {
  authorization: { params: { response_mode: 'form_post' } },
  checks: ['pkce', 'nonce', 'state'],
} as const
const noIss = { metadata: { authorization_response_iss_parameter_supported: false } }

function postingApp(open: (options: object) => App, strategy = 'database') {
  return open({ strategy, provider: { ...formPost, checks: [...formPost.checks] }, idp: noIss })
}

/** Provider responses through the browser: accepted in the requested response mode, and once. */
export const responseScenarios = [
  scenario('TX-12 DEC-08 a duplicate response parameter is rejected', async ({ open }) => {
    for (const name of ['code', 'state', 'iss', 'error', 'token', 'email']) {
      for (const mode of ['query', 'form_post'] as const) {
        const app =
          mode === 'query'
            ? open({ strategy: 'database', provider: { checks: ['state'] } })
            : postingApp(open)
        const agent = app.agent()
        const { parameters } = await visitProvider(app, agent)
        const value = parameters.get(name) ?? 'value'
        parameters.delete(name)
        parameters.append(name, value)
        parameters.append(name, name === 'iss' ? value : 'another')
        const response =
          mode === 'query'
            ? await agent.send(`/auth/callback/idp?${parameters}`)
            : await agent.send('/auth/callback/idp', { form: parameters, crossSite: true })
        expectError(response, 'InvalidCheck')
        expect(app.hops.at(-1)?.event, `${name} ${mode}`).toBe('response.ambiguous')
        expect(app.ended()).toBe('refused')
        expect(app.idp.requestsTo('token')).toEqual([])
        await expectNotSignedIn(app, agent)
      }
    }
  }),

  scenario('TX-15 WIR-020 a form_post response is accepted only as a form', async ({ open }) => {
    const app = postingApp(open)
    const agent = app.agent()
    const { parameters, mode } = await visitProvider(app, agent)
    expect(mode).toBe('form_post')
    const held = agent.cookies()
    expectError(await agent.send(`/auth/callback/idp?${parameters}`), 'InvalidCheck')
    expect(app.hops.at(-1)?.event).toBe('state.mismatched')
    for (const [name, value] of Object.entries(held))
      agent.set(`${name}=${value}; Path=/; Secure; SameSite=None`)
    expectError(await agent.send(`/auth/callback/idp?${parameters}`, { form: { a: 'b' } }), 'InvalidCheck')
    expect(app.hops.at(-1)?.event).toBe('state.mismatched')
    expect(app.ended()).toBe('refused')
    expect(app.idp.requestsTo('token')).toEqual([])
    await expectNotSignedIn(app, agent)
    const asked = await visitProvider(app, agent)
    const response = await agent.send('/auth/callback/idp', { form: asked.parameters, crossSite: true })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('https://app.test')
    expect(app.ended()).toBe('signedIn')
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  }),

  scenario(
    'TX-15 a posted response is rejected if the sign-in did not request form_post',
    async ({ open }) => {
      const app = open({ strategy: 'database', idp: noIss })
      const agent = app.agent()
      const { parameters } = await visitProvider(app, agent)
      expectError(await agent.send('/auth/callback/idp', { form: parameters }), 'InvalidCheck')
      expect(app.hops.at(-1)?.event).toBe('response.malformed')
      expect(app.ended()).toBe('refused')
      expect(app.idp.requestsTo('token')).toEqual([])
      await expectNotSignedIn(app, agent)
    },
  ),

  scenario(
    'WIR-020 the check cookies of a form_post provider are sent with its cross-site POST',
    async ({ open }) => {
      const agent = postingApp(open).agent()
      const started = await agent.send('/auth/signin/idp', { form: { csrfToken: await csrfOf(agent) } })
      const lines = cookiesOf(started)
      for (const name of Object.values(checkCookies))
        expect(lines.get(name)).toMatch(/; Secure; SameSite=None$/)
    },
  ),

  scenario(
    "TX-11 WIR-037 SEA-008 a provider's error ends the sign-in, and is quoted in the log only",
    async ({ open }) => {
      const said = async (misbehave: 'access-denied' | 'error-of-its-own') => {
        const app = open({ strategy: 'database', idp: { misbehave: [misbehave] } })
        const agent = app.agent()
        const response = await signIn(app, agent)
        const code = misbehave === 'access-denied' ? '&code=access_denied' : ''
        expectError(response, `OAuthCallbackError${code}`, '/auth/signin')
        expect(app.ended()).toBe('declined')
        expect(app.idp.requestsTo('token')).toEqual([])
        expect(JSON.stringify([...response.headers])).not.toMatch(/canary|script|evil/)
        expect(String(app.errors.at(-1))).toContain('saying "canary-description"')
        expect(String(app.errors.at(-1))).not.toMatch(/<script|evil/)
        await expectNotSignedIn(app, agent)
        return (app.errors.at(-1) as { cause?: { code?: string } } | undefined)?.cause?.code
      }
      expect(await said('access-denied')).toBe('access_denied')
      expect(await said('error-of-its-own')).toBe('other')
    },
  ),

  scenario('TX-11 WIR-037 an error of another transaction is ignored', async ({ open }) => {
    const app = open({
      strategy: 'database',
      provider: { checks: ['state'] },
      idp: { misbehave: ['access-denied'] },
    })
    const { parameters } = await visitProvider(app, app.agent())
    const victim = app.agent()
    expectError(await victim.send(`/auth/callback/idp?${parameters}`), 'InvalidCheck')
    expect(app.hops.at(-1)?.event).toBe('check.missing')
    await visitProvider(app, victim)
    expectError(await victim.send(`/auth/callback/idp?${parameters}`), 'InvalidCheck')
    expect(app.hops.at(-1)?.event).toBe('state.mismatched')
    expect(app.ended()).toBe('refused')
    await expectNotSignedIn(app, victim)
  }),

  scenario(
    'OI-20 OI-13 a response without a code is rejected, whatever else it contains',
    async ({ open }) => {
      const tokens = { id_token: 'e30.e30.e30', access_token: 'stolen', token_type: 'bearer' }
      for (const extra of [{}, tokens, { response: 'e30.e30.' }, { code: '' }]) {
        const app = open({ strategy: 'database' })
        const agent = app.agent()
        const { parameters } = await visitProvider(app, agent)
        parameters.delete('code')
        for (const [name, value] of Object.entries(extra)) parameters.set(name, value)
        expectError(await agent.send(`/auth/callback/idp?${parameters}`), 'InvalidCheck')
        expect(app.hops.at(-1)?.event).toBe('response.malformed')
        expect(app.ended()).toBe('refused')
        expect(app.idp.requestsTo('token')).toEqual([])
        expect(app.idp.requestsTo('userinfo')).toEqual([])
        await expectNotSignedIn(app, agent)
      }
    },
  ),

  scenario('DEC-12b cookies that were set before an error are sent with it', async ({ open }) => {
    const app = open({ idp: { misbehave: ['discovery:500'] } })
    const agent = app.agent()
    const csrfToken = await csrfOf(agent)
    const response = await agent.send('/auth/signin/idp', { form: { csrfToken, callbackUrl: '/here' } })
    expectError(response, 'Configuration')
    expect(app.ended()).toBe('failed')
    expect(agent.cookies()['__Secure-authjs.callback-url']).toBe('https%3A%2F%2Fapp.test%2Fhere')
    const denying = open({ config: { callbacks: { signIn: () => false } } })
    const other = denying.agent()
    const { parameters } = await visitProvider(denying, other)
    other.set('__Secure-authjs.callback-url=javascript:1; Path=/; Secure')
    await other.send(`/auth/callback/idp?${parameters}`)
    expect(denying.ended()).toBe('denied')
    expect(other.cookies()['__Secure-authjs.callback-url']).toBeUndefined()
  }),

  scenario(
    'TX-14 PRV-006 the redirect URI of the token request is that of the authorization request',
    async ({ open }) => {
      for (const token of [`${issuer}/token`, { url: `${issuer}/token`, params: { tenant: 'one' } }]) {
        const app = open({ provider: { token } })
        const agent = app.agent()
        await signIn(app, agent)
        const sent = new URL(app.idp.requestsTo('authorize')[0]?.url ?? '').searchParams.get('redirect_uri')
        expect(sent).toBe('https://app.test/auth/callback/idp')
        const request = app.idp.requestsTo('token')[0]
        expect(request?.parameters.get('redirect_uri')).toBe(sent)
        expect(request?.url).toBe(typeof token === 'string' ? token : 'https://idp.test/token?tenant=one')
        expect(app.ended()).toBe('signedIn')
      }
    },
  ),

  scenario('RD-07 no redirect contains a secret of the transaction', async ({ open }) => {
    const app = open({ provider: { checks: ['pkce', 'nonce', 'state'] } })
    const agent = app.agent()
    const { parameters } = await visitProvider(app, agent)
    const secrets = [...parameters.values()].filter((value) => value.length > 30)
    const done = await agent.send(`/auth/callback/idp?${parameters}`)
    const replayed = await agent.send(`/auth/callback/idp?${parameters}`)
    expect(secrets).toHaveLength(2)
    for (const secret of secrets)
      for (const response of [done, replayed]) expect(locationOf(response).href).not.toContain(secret)
    expect(locationOf(done).href).toBe('https://app.test/')
  }),
]
