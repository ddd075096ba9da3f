import { expect } from 'vitest'
import { csrfOf, issuer, sessionOf, signIn, startSignIn } from '../../support/app.ts'
import { reveal } from '../../support/sealed.ts'
import { scenario } from '../scenario.ts'
import { checkCookies, locationOf } from '../expectations.ts'

const endpoints = { token: `${issuer}/token`, userinfo: `${issuer}/userinfo` }
/** An OAuth provider with only its endpoints configured. */
const plainOAuth = {
  type: 'oauth',
  issuer: undefined,
  authorization: `${issuer}/authorize`,
  ...endpoints,
} as const

const reserved = [
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
]

/** The request to the provider, and its protection. */
export const authorizationRequestScenarios = [
  scenario('PRV-005 an authorization endpoint is a URL, with or without parameters', async ({ open }) => {
    const text = open({ provider: { authorization: `${issuer}/authorize?prompt=consent` } })
    const handler = open({
      provider: {
        authorization: { url: `${issuer}/login`, params: { prompt: 'login', claims: { userinfo: {} } } },
      },
    })
    const asText = locationOf(await startSignIn(text.agent()))
    const asHandler = locationOf(await startSignIn(handler.agent()))
    expect(asText.href).toContain('https://idp.test/authorize?prompt=consent&')
    expect(asHandler.origin + asHandler.pathname).toBe('https://idp.test/login')
    expect(asHandler.searchParams.get('prompt')).toBe('login')
    expect(asHandler.searchParams.get('claims')).toBe('{"userinfo":{}}')
    expect(handler.ended()).toBe('sentToProvider')
  }),

  scenario(
    'WIR-033 PRV-012 an authorization request names the client and the redirect URI',
    async ({ open }) => {
      const app = open({ provider: { authorization: { params: { prompt: 'consent', display: 'page' } } } })
      const { searchParams } = locationOf(
        await startSignIn(app.agent(), 'idp', {}, '?prompt=none&login_hint=ada'),
      )
      expect(Object.fromEntries(searchParams)).toEqual({
        response_type: 'code',
        client_id: 'client',
        redirect_uri: 'https://app.test/auth/callback/idp',
        scope: 'openid profile email',
        prompt: 'none',
        display: 'page',
        login_hint: 'ada',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
        nonce: expect.stringMatching(/^[\w-]{43}$/),
      })
    },
  ),

  scenario('TX-23 a request is pushed if the provider demands it', async ({ open }) => {
    const app = open({ idp: { metadata: { require_pushed_authorization_requests: true } } })
    const agent = app.agent()
    const sent = locationOf(await startSignIn(agent))
    expect([...sent.searchParams.keys()]).toEqual(['client_id', 'request_uri'])
    expect(app.ended()).toBe('sentToProvider')
    const { parameters } = await app.idp.authorize(sent.href)
    await agent.send(`/auth/callback/idp?${parameters}`)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  }),

  scenario('TX-23 a rejected push starts no sign-in', async ({ open }) => {
    const metadata = { require_pushed_authorization_requests: true }
    const app = open({ idp: { metadata, misbehave: ['push:500'] } })
    const shown = locationOf(await startSignIn(app.agent()))
    expect(shown.href).toBe('https://app.test/auth/signin?error=Configuration')
    expect(app.ended()).toBe('failed')
    expect(app.errors.map(({ name }) => name)).toEqual(['OAuthSignInError'])
  }),

  scenario('WIR-032 a configured scope is kept, and a missing one gets the default', async ({ open }) => {
    const scopeAt = async (authorization?: string) => {
      const response = await startSignIn(open({ provider: { authorization } }).agent())
      return locationOf(response).searchParams.get('scope')
    }
    expect(await scopeAt()).toBe('openid profile email')
    expect(await scopeAt(`${issuer}/authorize`)).toBe('openid profile email')
    expect(await scopeAt(`${issuer}/authorize?scope=openid`)).toBe('openid')
    expect(await scopeAt(`${issuer}/authorize?scope=`)).toBe('')
  }),

  scenario(
    'DEC-06a PRV-015 PRV-029 TX-09 pkce protects oauth providers, and pkce with nonce protects oidc providers',
    async ({ open }) => {
      const oidc = open()
      const ofOidc = locationOf(await startSignIn(oidc.agent())).searchParams
      expect(ofOidc.get('code_challenge_method')).toBe('S256')
      expect(ofOidc.get('nonce')).toMatch(/^[\w-]{43}$/)
      expect(ofOidc.has('state')).toBe(false)
      const oauth = open({ provider: { type: 'oauth' } })
      const ofOauth = locationOf(await startSignIn(oauth.agent())).searchParams
      expect(ofOauth.get('code_challenge_method')).toBe('S256')
      expect(ofOauth.has('nonce')).toBe(false)
      expect(ofOauth.has('state')).toBe(false)
    },
  ),

  scenario('DEC-06b TX-09 a state is added unless the server is known to support S256', async ({ open }) => {
    const unknown = open({ provider: plainOAuth })
    const silent = open({ idp: { metadata: { code_challenge_methods_supported: undefined } } })
    const plain = open({ idp: { metadata: { code_challenge_methods_supported: ['plain'] } } })
    for (const app of [unknown, silent, plain]) {
      const agent = app.agent()
      const response = await startSignIn(agent)
      const { searchParams } = locationOf(response)
      expect(searchParams.get('state')).toMatch(/^eyJ/)
      expect(searchParams.get('code_challenge_method')).toBe('S256')
      expect(Object.keys(agent.cookies())).toContain(checkCookies.state)
      const { parameters } = await app.idp.authorize(response.headers.get('location') ?? '')
      parameters.set('state', 'another')
      await agent.send(`/auth/callback/idp?${parameters}`)
      expect(app.ended()).toBe('refused')
    }
  }),

  scenario('PRV-014 an oauth provider may request state, pkce, or both', async ({ open }) => {
    const checksOf = async (checks: ('state' | 'pkce')[]) => {
      const agent = open({ provider: { type: 'oauth', checks } }).agent()
      await startSignIn(agent)
      const held = Object.keys(agent.cookies())
      return Object.entries(checkCookies).flatMap(([check, name]) => (held.includes(name) ? [check] : []))
    }
    expect(await checksOf(['state'])).toEqual(['state'])
    expect(await checksOf(['pkce'])).toEqual(['pkce'])
    expect(await checksOf(['state', 'pkce'])).toEqual(['state', 'pkce'])
    const wrong = open({ provider: { type: 'oauth', checks: ['nonce'] as never } })
    expect((await wrong.agent().send('/auth/csrf')).status).toBe(500)
  }),

  scenario('DEC-06d ATN-005 the check "none" switches all checks off', async ({ open }) => {
    const app = open({ provider: { checks: ['none'] } })
    const agent = app.agent()
    const { searchParams } = locationOf(await startSignIn(agent))
    for (const name of ['state', 'nonce', 'code_challenge', 'code_challenge_method'])
      expect(searchParams.has(name), name).toBe(false)
    expect(Object.keys(agent.cookies()).toSorted()).toEqual([
      '__Host-authjs.csrf-token',
      '__Secure-authjs.callback-url',
    ])
    await signIn(app, agent)
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('DEC-06e configured checks replace the default', async ({ open }) => {
    const app = open({
      providers: [
        {
          id: 'idp',
          name: 'Idp',
          type: 'oidc',
          issuer,
          checks: ['pkce', 'state'],
          options: { clientId: 'client', clientSecret: 'client-secret', checks: ['nonce'] },
        },
      ],
    })
    const { searchParams } = locationOf(await startSignIn(app.agent()))
    expect(searchParams.has('nonce')).toBe(true)
    expect(searchParams.has('code_challenge')).toBe(false)
    expect(searchParams.has('state')).toBe(false)
  }),

  scenario('DEC-07a DEC-07c TX-13 a sign-in request cannot set protected parameters', async ({ open }) => {
    for (const name of reserved) {
      const app = open({ provider: { checks: ['pkce', 'nonce', 'state'] } })
      const agent = app.agent()
      const clean = locationOf(await startSignIn(agent)).searchParams
      const agentOfBody = app.agent()
      expect(app.warnings).not.toContain('ignored-parameter')
      const byQuery = locationOf(await startSignIn(agent, 'idp', {}, `?${name}=planted&${name}=again`))
      expect(app.warnings).toContain('ignored-parameter')
      const byBody = locationOf(await startSignIn(agentOfBody, 'idp', { [name]: 'planted' }))
      for (const { searchParams } of [byQuery, byBody]) {
        expect([...searchParams.keys()].toSorted(), name).toEqual([...clean.keys()].toSorted())
        expect([...searchParams.values()], name).not.toContain('planted')
        expect([...searchParams.values()], name).not.toContain('again')
      }
    }
  }),

  scenario('DEC-07b any other parameter reaches the provider', async ({ open }) => {
    const app = open()
    const query = '?prompt=login&ui_locales=de&resource=a&resource=b&callbackUrl=/here'
    const { searchParams } = locationOf(await startSignIn(app.agent(), 'idp', {}, query))
    expect(searchParams.get('prompt')).toBe('login')
    expect(searchParams.get('ui_locales')).toBe('de')
    expect(searchParams.getAll('resource')).toEqual(['a', 'b'])
    expect(searchParams.has('callbackUrl')).toBe(false)
    expect(app.warnings).not.toContain('ignored-parameter')
  }),

  scenario('TX-08 each sign-in has its own checks, which nobody else can read', async ({ open }) => {
    const app = open({ provider: { checks: ['pkce', 'nonce', 'state'] } })
    const agent = app.agent()
    const seen = new Set<string>()
    for (let times = 0; times < 3; times++) {
      const response = await startSignIn(agent)
      const { searchParams } = locationOf(response)
      for (const name of ['state', 'nonce', 'code_challenge']) seen.add(searchParams.get(name) ?? '')
      await agent.send(
        `/auth/callback/idp?${(await app.idp.authorize(locationOf(response).href)).parameters}`,
      )
      const verifier = app.idp.requestsTo('token').at(-1)?.parameters.get('code_verifier') ?? ''
      expect(verifier).toMatch(/^[\w-]{43,}$/)
      const readable = JSON.stringify([response.headers.getSetCookie(), response.headers.get('location')])
      expect(readable).not.toContain(verifier)
      expect(JSON.stringify([app.debugs, app.errors.map(String)])).not.toContain(verifier)
      seen.add(verifier)
    }
    expect(seen.size).toBe(12)
    expect(app.ended()).toBe('signedIn')
  }),

  scenario(
    'WIR-034 ATN-004 the state is sealed, and does not reveal where the sign-in started',
    async ({ open }) => {
      const app = open({ provider: { checks: ['state'] } })
      const response = await startSignIn(app.agent())
      const state = locationOf(response).searchParams.get('state') ?? ''
      expect(state.split('.')).toHaveLength(5)
      expect(await reveal(app, state, 'encodedState')).toEqual({
        random: expect.stringMatching(/^[\w-]{43}$/),
        iat: expect.any(Number),
        exp: app.clock.now() / 1000 + 900,
        jti: expect.any(String),
      })
    },
  ),

  scenario(
    'WIR-019 WIR-024 check cookies are sealed for their provider, and last 900 seconds',
    async ({ open }) => {
      const app = open({ provider: { checks: ['pkce', 'nonce', 'state'] } })
      const agent = app.agent()
      const response = await startSignIn(agent)
      const { searchParams } = locationOf(response)
      const lines = response.headers.getSetCookie()
      for (const [check, name] of Object.entries(checkCookies)) {
        const line = lines.find((each) => each.startsWith(`${name}=`)) ?? ''
        expect(line).toContain('; Expires=Tue, 01 Jan 2030 00:15:00 GMT')
        expect(line.includes('; Max-Age=900')).toBe(check !== 'nonce')
        expect(line).toMatch(/; HttpOnly; Secure; SameSite=Lax$/)
        const sealed = await reveal(app, agent.cookies()[name] ?? '', name)
        expect(sealed).toMatchObject({ provider: 'idp', exp: app.clock.now() / 1000 + 900 })
        if (check !== 'pkce') expect(sealed).toMatchObject({ value: searchParams.get(check) })
      }
    },
  ),

  scenario('ATN-004 a sign-in does not read tokens from the browser', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    await csrfOf(agent)
    await agent.send('/auth/callback/idp?id_token=e30.e30.e30&access_token=stolen&token_type=bearer')
    expect(app.ended()).toBe('refused')
    expect(app.idp.log).toEqual([])
  }),
]
