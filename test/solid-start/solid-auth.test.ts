import { describe, expect, it } from 'vitest'
import {
  getSession,
  getSessionWithCookies,
  loadSession,
  SolidAuth,
  type SolidAuthConfig,
} from '../../src/integrations/solid-start.ts'
import GitHub from '../../src/providers/github.ts'
import { raw } from '../../src/types/symbols.ts'
import { openApp, origin, secret } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { withEnvironment } from '../support/environment.ts'

/** A SolidStart application with handlers on a catch-all route. */
function open(more: Partial<SolidAuthConfig> = {}) {
  const app = openApp()
  const config: SolidAuthConfig = { ...app.config, ...more }
  const handlers = SolidAuth(config)
  const answer = async (request: Request) => {
    const given = await handlers[request.method === 'POST' ? 'POST' : 'GET']({ request })
    return given ?? new Response('not an auth route', { status: 404 })
  }
  const agent = openAgent(origin, answer)
  const page = () => new Request(`${origin}/members`, { headers: { cookie: cookieHeader(agent.cookies()) } })
  const signIn = async (prefix = '/api/auth') => {
    const { csrfToken } = (await (await agent.send(`${prefix}/csrf`)).json()) as { csrfToken: string }
    const started = await agent.send(`${prefix}/signin/idp`, { form: { csrfToken } })
    const { parameters } = await app.idp.authorize(started.headers.get('location') ?? '')
    return agent.send(`${prefix}/callback/idp?${parameters}`)
  }
  return { app, config, handlers, agent, page, signIn }
}

const cookieHeader = (cookies: Record<string, string>) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

describe('SolidAuth', () => {
  it('INT-014 CFG-006 accepts the configuration, and returns handlers for the routes under /api/auth', async () => {
    const { handlers, agent, signIn } = open()
    expect(Object.keys(handlers)).toEqual(['GET', 'POST'])
    expect((await signIn()).headers.get('location')).toBe(origin)
    expect(await (await agent.send('/api/auth/session')).json()).toMatchObject({ user: { name: 'Ada' } })
  })

  it('RTE-002 CFG-006 has its routes under the configured prefix', async () => {
    for (const prefix of ['/sign', '/sign/', '/a/b']) {
      const { config, agent, page, signIn } = open({ prefix })
      const path = prefix.replace(/\/$/, '')
      await signIn(path)
      expect(await (await agent.send(`${path}/providers`)).json()).toMatchObject({
        idp: { callbackUrl: `${origin}${path}/callback/idp` },
      })
      expect((await agent.send('/api/auth/session')).status).toBe(404)
      expect(await getSession(page(), config)).toMatchObject({ user: { name: 'Ada' } })
    }
  })

  it('INT-015 DEC-31f returns undefined for other paths, and 404 to a POST', async () => {
    const { GET, POST } = open().handlers
    const paths =
      '/api/auth /api/auth/ /api/auth/other /api/auth/session/x /api/authors/session / /auth/session'
    for (const path of paths.split(' ')) {
      expect(await GET({ request: new Request(origin + path) }), path).toBeUndefined()
      const refused = await POST({ request: new Request(origin + path, { method: 'POST' }) })
      expect(refused.status, path).toBe(404)
    }
    const response = await GET({ request: new Request(`${origin}/api/auth/webauthn-options`) })
    expect(response).toBeInstanceOf(Response)
    expect(await GET({ request: new Request(`${origin}/api/auth/account`) })).toBeInstanceOf(Response)
    const posted = await POST({ request: new Request(`${origin}/api/auth/session`, { method: 'POST' }) })
    expect(posted).toBeInstanceOf(Response)
    const again = await open({ raw }).handlers.GET({ request: new Request(`${origin}/api/auth/session`) })
    expect(again).toBeInstanceOf(Response)
  })

  it('INT-016 returns the session of a request, or null', async () => {
    const { config, page, signIn } = open()
    expect(await getSession(page(), config)).toBeNull()
    await signIn()
    expect(await getSession(page(), config)).toMatchObject({ user: { email: 'ada@example.com' } })
    const { session, cookies } = await getSessionWithCookies(page(), config)
    expect(session).toMatchObject({ user: { name: 'Ada' } })
    expect(cookies.join()).toContain('session-token=')
  })

  it('INT-016 adds the cookies that extend a session to the response of an event', async () => {
    const { config, page, signIn } = open()
    await signIn()
    const event = { request: page(), response: { headers: new Headers({ 'set-cookie': 'theme=dark' }) } }
    expect(await loadSession(event, config)).toMatchObject({ user: { name: 'Ada' } })
    const [theme, session] = event.response.headers.getSetCookie()
    expect(theme).toBe('theme=dark')
    expect(session).toContain('session-token=')
    expect(await loadSession(undefined, config)).toBeNull()
  })

  it('CK-05 CK-08 replaces session cookies that the same event has set before', async () => {
    let size = 10
    const jwt = ({ token }: { token: object }) => ({ ...token, pad: 'x'.repeat(size) })
    const { agent, config, handlers, page, signIn } = open({ callbacks: { jwt } })
    await signIn()
    const { csrfToken = '' } = (await (await agent.send('/api/auth/csrf')).json()) as { csrfToken?: string }
    const headers = new Headers({ 'set-cookie': 'theme=dark' })
    for (size of [10, 6000]) await loadSession({ request: page(), response: { headers } }, config)
    const names = headers.getSetCookie().map((cookie) => cookie.split('=')[0])
    const pieces = ['', '.0', '.1', '.2'].map((end) => `__Secure-authjs.session-token${end}`)
    expect(names).toEqual(['theme', ...pieces])
    const { headers: sent } = page()
    const request = new Request(`${origin}/api/auth/signout`, {
      method: 'POST',
      headers: { cookie: sent.get('cookie') ?? '' },
      body: new URLSearchParams({ csrfToken }),
    })
    const answer = await handlers.POST({ request, response: { headers } })
    expect(answer?.headers.getSetCookie().join()).toContain('__Secure-authjs.session-token=;')
    expect(headers.getSetCookie()).toEqual(['theme=dark'])
  })

  it('EMB-015 forbids caching of events that carry the session, and of no others', async () => {
    const { config, page, signIn } = open()
    const read = async () => {
      const headers = new Headers({ 'cache-control': 'public, max-age=60' })
      await loadSession({ request: page(), response: { headers } }, config)
      return headers.get('cache-control')
    }
    expect(await read()).toBe('public, max-age=60')
    await signIn()
    expect(await read()).toBe('private, no-cache, no-store')
  })

  it('INT-017 reads its secret from AUTH_SECRET', () =>
    withEnvironment({ AUTH_SECRET: secret }, async () => {
      const { config, page, signIn } = open({ secret: undefined })
      await signIn()
      expect(await getSession(page(), config)).toMatchObject({ user: { name: 'Ada' } })
      expect(await getSession(page(), { ...config, secret })).toMatchObject({ user: { name: 'Ada' } })
      expect(config.secret).toBeUndefined()
    }))

  it('DEC-36c INT-017 reads no provider credentials from the environment', () =>
    withEnvironment({ AUTH_GITHUB_ID: 'found', AUTH_GITHUB_SECRET: 'found-secret' }, async () => {
      for (const [provider, id] of [
        [GitHub, ''],
        [GitHub({ clientId: 'given', clientSecret: 'secret' }), 'given'],
      ] as const) {
        const { agent } = open({ providers: [provider] })
        const { csrfToken } = (await (await agent.send('/api/auth/csrf')).json()) as { csrfToken: string }
        const answer = await agent.send('/api/auth/signin/github', { form: { csrfToken } })
        const location = new URL(answer.headers.get('location') ?? '', origin)
        expect(location.searchParams.get('client_id') ?? '').toBe(id)
      }
    }))
})
