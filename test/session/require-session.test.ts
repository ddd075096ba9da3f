import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { maxCallbackUrl } from '../../src/http/limits.ts'
import { csrfOf, openApp, origin, signIn, type AppOptions } from '../support/app.ts'
import type { RequiredAuthentication } from '../../src/types/authentication.ts'
import { withEnvironment } from '../support/environment.ts'
import { enrol, enterCode, codeOf, withFactor } from '../support/second-factor.ts'
import { heldSession, sessionCookie } from '../support/session-cookie.ts'

const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

function open(options: AppOptions = {}) {
  const app = openApp(options)
  const agent = app.agent()
  const { requireSession } = createAuth(app.config)
  /** Requests a protected page with the agent's session. */
  const ask = (path = '/members?page=2', { accept = html, method = 'GET' } = {}) => {
    const held = heldSession(agent)
    const headers = { accept, ...(held && { cookie: `${sessionCookie}=${held}` }) }
    return requireSession(new Request(origin + path, { method, headers }))
  }
  const refused = async (...asked: Parameters<typeof ask>) => {
    const answer = await ask(...asked)
    if (!(answer instanceof Response)) throw new Error('Access was granted')
    return answer
  }
  return { app, agent, ask, refused }
}

describe('requireSession', () => {
  it('EMB-006 returns the session of a user, with the cookies that extend it', async () => {
    for (const strategy of ['jwt', 'database'] as const) {
      const { app, agent, ask } = open({ strategy, config: { session: { updateAge: 0 } } })
      await signIn(app, agent)
      app.clock.advance(60)
      const found = await ask()
      if (found instanceof Response) throw new Error('Access was refused')
      expect(found.session.user).toMatchObject({ name: 'Ada' })
      expect(found.cookies.join()).toContain(`${sessionCookie}=`)
    }
  })

  it('EMB-006 DEC-32d redirects browsers to sign in, and tells caches not to store it', async () => {
    const answer = await open().refused()
    expect(answer.status).toBe(303)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.headers.get('vary')).toBe('Accept, Cookie')
    const location = new URL(answer.headers.get('location') ?? '', origin)
    expect(location.pathname).toBe('/auth/signin')
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: 'SessionRequired',
      callbackUrl: '/members?page=2',
    })
  })

  it('EMB-006 HH-02 redirects to the canonical origin, if there is one', () =>
    withEnvironment({ AUTH_URL: 'https://canonical.test' }, async () => {
      const answer = await open().refused()
      expect(answer.headers.get('location')).toMatch(/^https:\/\/canonical\.test\/auth\/signin\?/)
    }))

  it('HH-01 DEC-49a rejects if the host is not trusted', async () => {
    await expect(open({ config: { trustHost: false } }).refused()).rejects.toMatchObject({
      type: 'UntrustedHost',
    })
  })

  it('EMB-006 does not return to a posted form', async () => {
    const answer = await open().refused('/members', { method: 'POST' })
    expect(answer.headers.get('location')).toBe(`${origin}/auth/signin?error=SessionRequired`)
  })

  it('EMB-006 responds with 401 to clients that do not accept HTML', async () => {
    for (const accept of [
      '*/*',
      'application/json',
      '',
      'application/json, text/plain;q=0.5',
      'text/htmlx',
    ]) {
      const answer = await open().refused('/members', { accept })
      expect(answer.status, accept).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Cookie')
      expect(answer.headers.get('location')).toBeNull()
      expect(await answer.json()).toEqual({ error: 'SessionRequired' })
    }
    for (const accept of ['text/html', 'application/xhtml+xml;q=0.5, */*', 'text/plain, TEXT/HTML;q=0.9'])
      expect((await open().refused('/members', { accept })).status, accept).toBe(303)
  })

  it('EMB-006 refuses an expired session, and clears its cookie', async () => {
    const { app, agent, refused } = open({ strategy: 'database', config: { session: { maxAge: 10 } } })
    await signIn(app, agent)
    app.clock.advance(11)
    const answer = await refused()
    expect(answer.status).toBe(303)
    expect(answer.headers.getSetCookie().join()).toMatch(new RegExp(`${sessionCookie}=;.*Max-Age=0`))
  })

  it('EMB-006 refuses a session without a user', async () => {
    for (const user of [undefined, null]) {
      const callbacks = { session: ({ session }: { session: object }) => ({ ...session, user }) as never }
      const { app, agent, refused } = open({ config: { callbacks } })
      await signIn(app, agent)
      expect((await refused()).status).toBe(303)
    }
  })

  it('EMB-007 returns to the page after the sign-in', async () => {
    const { app, agent, refused } = open({ config: { basePath: '/auth' } })
    await agent.send((await refused()).headers.get('location') ?? '')
    expect((await signIn(app, agent)).headers.get('location')).toBe(`${origin}/members?page=2`)
  })

  it('EMB-007 leads back to no page whose URL is too long to be kept', async () => {
    const { refused } = open()
    const location = async (length: number) =>
      (await refused(`/${'a'.repeat(length - 1)}`)).headers.get('location') ?? ''
    expect(await location(maxCallbackUrl)).toContain('callbackUrl=')
    expect(await location(maxCallbackUrl + 1)).not.toContain('callbackUrl')
  })

  it.each(['//evil.test/members', '///evil.test', '/\\evil.test', '//evil.test//members'])(
    'EMB-007 never returns to another host: %s',
    async (path) => {
      // Even a site with an open redirect callback does not redirect to this path.
      const redirect = ({ url, baseUrl }: { url: string; baseUrl: string }) => new URL(url, baseUrl).href
      const { app, agent, refused } = open({ config: { callbacks: { redirect } } })
      await agent.send((await refused(path)).headers.get('location') ?? '')
      expect(await csrfOf(agent)).toBeTruthy()
      const end = (await signIn(app, agent)).headers.get('location') ?? ''
      expect(new URL(end).origin).toBe(origin)
    },
  )
})

describe('requireSession with a second factor', () => {
  function openWith(strategy: 'database' | 'jwt-stored') {
    const app = openApp({ strategy, config: withFactor({ rememberFor: 86_400 }) })
    const agent = app.agent()
    const { requireSession } = createAuth(app.config)
    const ask = async (required: RequiredAuthentication, accept = html) => {
      const headers = { accept, cookie: `${sessionCookie}=${heldSession(agent)}` }
      const found = await requireSession(new Request(`${origin}/pay`, { headers }), required)
      return found instanceof Response ? found : found.session
    }
    return { app, agent, ask }
  }

  it.each(['database', 'jwt-stored'] as const)(
    'SF-14 SF-08 demands a recent sign-in and the second factor (%s)',
    async (strategy) => {
      const { app, agent, ask } = openWith(strategy)
      await signIn(app, agent)
      expect(await ask({ freshness: 60 })).toMatchObject({ user: { name: 'Ada' } })
      const refused = await ask({ factor: true })
      if (!(refused instanceof Response)) throw new Error('Access was granted')
      expect(refused.status).toBe(303)
      expect(refused.headers.get('location')).toBe(`${origin}/auth/factor?callbackUrl=%2Fpay`)
      const other = await ask({ factor: true }, '*/*')
      if (!(other instanceof Response)) throw new Error('Access was granted')
      expect([other.status, await other.json()]).toEqual([401, { error: 'insufficient_user_authentication' }])
      const { secret } = await enrol(app, agent)
      expect(await ask({ factor: true, freshness: 60 })).toMatchObject({ user: { name: 'Ada' } })
      app.clock.advance(31)
      const late = await ask({ freshness: 60 })
      if (!(late instanceof Response)) throw new Error('Access was granted')
      expect(late.headers.get('location')).toContain('/auth/signin?error=SessionRequired')
      expect(await ask({ factor: true })).not.toBeInstanceOf(Response)
      await enterCode(agent, codeOf(secret, app.clock.now()))
      expect(await ask({ factor: true, freshness: 60 })).not.toBeInstanceOf(Response)
    },
  )

  it('SF-14 refuses sessions whose authentication is unknown', async () => {
    const { app, agent, ask } = openWith('database')
    await signIn(app, agent)
    const [row] = app.rows.sessions()
    await app.store.createSession({ ...row, sessionToken: 'b'.repeat(64) } as Parameters<
      typeof app.store.createSession
    >[0])
    agent.set(`${sessionCookie}=${'b'.repeat(64)}; Path=/; Secure`)
    expect(await ask({})).toMatchObject({ user: { name: 'Ada' } })
    expect(await ask({ freshness: 1_000_000 })).toBeInstanceOf(Response)
  })

  it('SF-14 rejects if the configuration has no second factor', async () => {
    const { app, agent } = open({ strategy: 'database' })
    await signIn(app, agent)
    const { requireSession } = createAuth(app.config)
    const headers = { cookie: `${sessionCookie}=${heldSession(agent)}` }
    await expect(requireSession(new Request(`${origin}/pay`, { headers }), { factor: true })).rejects.toThrow(
      'secondFactor',
    )
  })
})
