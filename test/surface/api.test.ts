import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { AccessDenied, AuthError, CredentialsSignin, MissingCSRF } from '../../src/errors.ts'
import { Auth, raw, skipCSRFCheck } from '../../src/index.ts'
import type { AuthConfig, ResponseInternal } from '../../src/types/config.ts'
import { csrfOf, openApp, origin, secret, sessionOf, signIn, signOut, type App } from '../support/app.ts'
import { openAgent, type Agent } from '../support/browser-agent.ts'
import { freezeDeeply } from '../support/freeze.ts'
import { withEnvironment } from '../support/environment.ts'
import { sessionCookie } from '../support/session-cookie.ts'

const agentOf = (handle: (request: Request) => Promise<Response>) => openAgent(origin, handle)

/** Signs in, reads the session and signs out. */
async function live(app: App, agent: Agent): Promise<unknown> {
  await signIn(app, agent)
  const session = await sessionOf(agent)
  await signOut(agent)
  expect(await sessionOf(agent)).toBeNull()
  return session
}

/** A request to the application with the browser's cookies. */
function visit(agent: Agent, path = '/dashboard', method = 'GET'): Request {
  const cookie = Object.entries(agent.cookies()).map(([name, value]) => `${name}=${value}`)
  return new Request(new URL(path, origin), { method, headers: { cookie: cookie.join('; ') } })
}

describe('Auth', () => {
  it('CFG-001 RTE-001 serves all routes from one configuration', async () => {
    const app = openApp()
    const session = await live(
      app,
      agentOf((request) => Auth(request, app.config)),
    )
    expect(session).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } })
  })

  it('CFG-001 DEC-33a never writes to the configuration, even if it is frozen', async () => {
    for (const strategy of ['jwt', 'database'] as const) {
      const app = openApp({ strategy })
      const config = freezeDeeply(app.config)
      expect(
        await live(
          app,
          agentOf((request) => Auth(request, config)),
        ),
      ).toMatchObject({ user: { name: 'Ada' } })
      const { handler } = createAuth(config)
      expect(await live(app, agentOf(handler))).toMatchObject({ user: { name: 'Ada' } })
      expect(app.errors).toEqual([])
    }
  })

  it('DEC-33a derives its settings once per configuration object', async () => {
    const app = openApp()
    const ask = (config: AuthConfig) => Auth(new Request(`${origin}/auth/providers`), config)
    await ask(app.config)
    app.config.providers.length = 0
    expect(Object.keys((await (await ask(app.config)).json()) as object)).toEqual(['idp'])
    expect(await (await ask({ ...app.config })).json()).toEqual({})
  })
})

describe('createAuth', () => {
  it('RTE-001 RTE-003 exports handler, GET and POST, and returns the session of any request', async () => {
    const app = openApp()
    const { handler, GET, POST, getSession } = createAuth(app.config)
    const agent = agentOf((request) => (request.method === 'POST' ? POST : GET)(request))
    expect(await getSession(visit(agent))).toBeNull()
    await signIn(app, agent)
    expect(await getSession(visit(agent))).toEqual(await sessionOf(agent))
    expect(await getSession(visit(agent, '/any/where?x=1', 'DELETE'))).toMatchObject({
      user: { name: 'Ada' },
    })
    expect((await handler(new Request(`${origin}/auth/csrf`))).status).toBe(200)
  })

  it('RTE-003 SE-06 returns the cookies to send', async () => {
    const app = openApp({ strategy: 'database', config: { session: { maxAge: 100, updateAge: 10 } } })
    const { handler, getSessionWithCookies } = createAuth(app.config)
    const agent = agentOf(handler)
    await signIn(app, agent)
    expect(await getSessionWithCookies(visit(agent))).toMatchObject({
      session: { user: { name: 'Ada' } },
      cookies: [],
    })
    app.clock.advance(11)
    const extended = await getSessionWithCookies(visit(agent))
    expect(extended.session).toMatchObject({ user: { name: 'Ada' } })
    expect(extended.cookies).toHaveLength(1)
    expect(extended.cookies[0]).toContain(`${sessionCookie}=${agent.cookies()[sessionCookie]}`)
    app.clock.advance(101)
    const ended = await getSessionWithCookies(visit(agent))
    expect(ended.session).toBeNull()
    expect(ended.cookies[0]).toContain(`${sessionCookie}=;`)
  })

  it('CF-03 DEC-49a returns null for anything but a session, and rejects on failure', async () => {
    const sessions: [string, Partial<AuthConfig>][] = [
      ['an empty object', { callbacks: { session: () => ({}) as never } }],
      ['null', { callbacks: { session: () => null as never } }],
      ['a text', { callbacks: { session: () => 'ada' as never } }],
      ['a list', { callbacks: { session: () => ['ada'] as never } }],
    ]
    const failures: [string, Partial<AuthConfig>][] = [
      ['a throw', { callbacks: { session: explode } }],
      ['an exception in the jwt callback', { callbacks: { jwt: explode } }],
      ['a configuration error', { secret: ' ' }],
      ['an untrusted host', { trustHost: false }],
    ]
    for (const [what, own] of sessions) {
      const app = openApp()
      const agent = app.agent()
      await signIn(app, agent)
      expect(await sessionOf(agent), what).not.toBeNull()
      const { getSession } = createAuth({ ...app.config, ...own })
      expect(await getSession(visit(agent)), what).toBeNull()
    }
    for (const [what, own] of failures) {
      const app = openApp()
      const agent = app.agent()
      await signIn(app, agent)
      const { getSession } = createAuth({ ...app.config, ...own })
      await expect(getSession(visit(agent)), what).rejects.toThrow(AuthError)
    }
  })

  it('WIR-058 DEC-04d fills in options from the environment', async () => {
    const { config } = openApp()
    const { secret: _secret, trustHost: _trust, ...rest } = config
    const environment = {
      AUTH_SECRET: secret,
      AUTH_URL: 'https://canonical.test/api/auth',
      AUTH_IDP_ISSUER: 'unused',
    }
    const answer = await withEnvironment(environment, () =>
      createAuth(rest).GET(new Request('https://inner.test/api/auth/providers')),
    )
    expect(await answer.json()).toMatchObject({
      idp: { callbackUrl: 'https://canonical.test/api/auth/callback/idp' },
    })
    const untrusted = withEnvironment({ AUTH_SECRET: secret, NODE_ENV: 'production' }, () => createAuth(rest))
    expect((await untrusted.GET(new Request(`${origin}/auth/csrf`))).status).toBe(500)
  })

  it('RTE-003 uses the configured base path', async () => {
    for (const basePath of ['/', '/api/auth', '/api/auth/']) {
      const app = openApp({ config: { basePath } })
      const { handler, getSession } = createAuth(app.config)
      const path = basePath.replace(/\/$/, '')
      const agent = agentOf((request) =>
        handler(new Request(request.url.replace('/auth/', `${path}/`), request)),
      )
      const { csrfToken } = (await (await agent.send('/auth/csrf')).json()) as { csrfToken: string }
      const started = await agent.send('/auth/signin/idp', { form: { csrfToken } })
      const { parameters, redirectUri } = await app.idp.authorize(started.headers.get('location') ?? '')
      expect(redirectUri).toBe(`${origin}${path}/callback/idp`)
      await agent.send(`/auth/callback/idp?${parameters}`)
      expect(await getSession(visit(agent))).toMatchObject({ user: { name: 'Ada' } })
    }
  })
})

describe('raw mode', () => {
  const ask = (app: App, path: string, init?: RequestInit): Promise<ResponseInternal> =>
    Auth(new Request(new URL(path, origin), init), { ...app.config, raw })

  it('WIR-064 CFG-043 returns data: status, headers, body, redirect and cookies', async () => {
    const app = openApp()
    const csrf = await ask(app, '/auth/csrf')
    expect(csrf).not.toBeInstanceOf(Response)
    expect(csrf.status).toBe(200)
    expect(csrf.body).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(new Headers(csrf.headers).get('content-type')).toBe('application/json')
    expect(csrf.cookies).toEqual([
      {
        name: '__Host-authjs.csrf-token',
        value: expect.stringMatching(/^[0-9a-f]{64}\|[0-9a-f]{64}$/),
        options: { httpOnly: true, sameSite: 'lax', path: '/', secure: true },
      },
    ])
  })

  it('WIR-064 CFG-037 redirects as data', async () => {
    const app = openApp({ config: { skipCSRFCheck } })
    const answer = await ask(app, '/auth/signin/idp', { method: 'POST' })
    expect(answer.status).toBe(302)
    expect(answer.redirect).toMatch(/^https:\/\/idp\.test\/authorize\?/)
    const names = answer.cookies?.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['__Secure-authjs.pkce.code_verifier', '__Secure-authjs.nonce']),
    )
  })

  it('WIR-064 DEC-36b throws the errors of the library', async () => {
    const app = openApp()
    for (const path of ['/auth/signin/idp', '/auth/signout', '/auth/session'])
      await expect(ask(app, path, { method: 'POST' }), path).rejects.toThrow(MissingCSRF)
    const denying = openApp({ config: { callbacks: { signIn: () => false } } })
    const agent = denying.agent()
    const started = await agent.send('/auth/signin/idp', { form: { csrfToken: await csrfOf(agent) } })
    const { parameters } = await denying.idp.authorize(started.headers.get('location') ?? '')
    const cookie = Object.entries(agent.cookies()).map(([name, value]) => `${name}=${value}`)
    const back = ask(denying, `/auth/callback/idp?${parameters}`, { headers: { cookie: cookie.join('; ') } })
    await expect(back).rejects.toThrow(AccessDenied)
    await expect(back).rejects.toBeInstanceOf(AuthError)
    const provider = {
      id: 'pin',
      name: 'Pin',
      type: 'credentials',
      credentials: {},
      authorize: () => null,
    } as const
    const asking = openApp({ providers: [provider], config: { skipCSRFCheck } })
    await expect(ask(asking, '/auth/callback/pin', { method: 'POST' })).rejects.toThrow(CredentialsSignin)
  })

  it('WIR-064 WIR-006 does not throw if the client asked for the URL', async () => {
    const app = openApp()
    const headers = { 'x-auth-return-redirect': '1' }
    const answer = await ask(app, '/auth/signout', { method: 'POST', headers })
    expect(answer.redirect).toBe(`${origin}/auth/signin?error=MissingCSRF`)
  })
})

function explode(): never {
  throw new Error('the callback is broken')
}
