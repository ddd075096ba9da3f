import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { openApp, signIn, type AppOptions } from '../support/app.ts'
import { heldSession, sessionCookie } from '../support/session-cookie.ts'
import { unreachable, watching } from '../support/watch-store.ts'

/** A signed-in user requests another page of the application. */
async function visitor(options: AppOptions = {}) {
  const app = openApp(options)
  const agent = app.agent()
  await signIn(app, agent)
  const request = new Request('https://app.test/account?a=1', {
    method: 'POST',
    body: 'this request is not for the session route',
    headers: { cookie: `${sessionCookie}=${heldSession(agent)}` },
  })
  return { app, agent, request }
}

const ask = ({ config }: { config: AuthConfig }, request: Request) => createAuth(config).getSession(request)

describe('getSession', () => {
  it('SE-22 returns the session of a request', async () => {
    for (const strategy of ['jwt', 'database'] as const) {
      const { app, request } = await visitor({ strategy })
      expect(await ask(app, request)).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } })
    }
  })

  it('SE-22 also returns the cookies to send, as getSessionWithCookies', async () => {
    const { app, request } = await visitor()
    const { session, cookies } = await createAuth(app.config).getSessionWithCookies(request)
    expect(session).toMatchObject({ user: { name: 'Ada' } })
    expect(cookies.join()).toMatch(new RegExp(`^${sessionCookie}=ey`))
  })

  it('DEC-49b returns the cookies that clear an expired session', async () => {
    const { app, request } = await visitor({ config: { session: { maxAge: 10 } } })
    app.clock.advance(10)
    const { session, cookies } = await createAuth(app.config).getSessionWithCookies(request)
    expect(session).toBeNull()
    expect(cookies.join()).toMatch(new RegExp(`^${sessionCookie}=; Max-Age=0`))
  })

  it('DEC-21c waits for the session event', async () => {
    const { app, request } = await visitor()
    let isDone = false
    const events = {
      session: async () => void (isDone = await new Promise((end) => setTimeout(end, 5, true))),
    }
    await ask({ config: { ...app.config, events } }, request)
    expect(isDone).toBe(true)
  })

  it('SE-22 returns null for a request without a session, or with an expired one', async () => {
    const { app, request } = await visitor({ config: { session: { maxAge: 10 } } })
    expect(await ask(app, new Request('https://app.test/'))).toBeNull()
    expect(
      await ask(app, new Request('https://app.test/', { headers: { cookie: `${sessionCookie}=x` } })),
    ).toBeNull()
    app.clock.advance(10)
    expect(await ask(app, request)).toBeNull()
  })

  it('DEC-49a rejects with the error of a failing callback, while the session route responds with 503', async () => {
    const { app, request } = await visitor()
    const broken = { ...app.config, callbacks: { jwt: unreachable } }
    const route = new Request('https://app.test/auth/session', { headers: request.headers })
    expect((await createAuth(broken).handler(route)).status).toBe(503)
    await expect(ask({ config: broken }, request)).rejects.toMatchObject({ type: 'JWTSessionError' })
    await expect(createAuth(broken).requireSession(request)).rejects.toMatchObject({
      type: 'JWTSessionError',
    })
  })

  it('DEC-49a rejects with a configuration error', async () => {
    const { app, request } = await visitor()
    const untrusted = { ...app.config, trustHost: false }
    await expect(ask({ config: untrusted }, request)).rejects.toMatchObject({ type: 'UntrustedHost' })
  })

  it('DEC-49a rejects when the store fails, and SE-22 returns null if there is no session', async () => {
    let broken = false
    const wrap = watching([], (store) => ({
      getSessionAndUser: (id) => (broken ? unreachable() : (store.getSessionAndUser?.(id) ?? null)),
    }))
    const { app, request } = await visitor({ strategy: 'database', wrap })
    for (const body of ['null', '{}', '"text"', '0', 'true', 'false']) {
      const config = { ...app.config, callbacks: { session: () => JSON.parse(body) } }
      expect([body, await ask({ config }, request)]).toEqual([body, null])
    }
    broken = true
    await expect(ask(app, request)).rejects.toMatchObject({ type: 'SessionTokenError' })
  })

  it('DEC-49b reads the session whatever the path, method, query and Host header of the request are', async () => {
    const { app, request } = await visitor()
    const { headers } = request
    headers.set('host', 'app.test/auth/callback?')
    const odd = new Request(`https://app.test//auth//signin/x?${'a=1&'.repeat(2000)}`, {
      method: 'PUT',
      headers,
    })
    expect(await ask(app, odd)).toMatchObject({ user: { name: 'Ada' } })
  })

  it('SE-22 returns null for a request with too many cookies', async () => {
    const { app, request } = await visitor()
    request.headers.set('cookie', `${request.headers.get('cookie')}; ${'a=1; '.repeat(5000)}`)
    expect(await ask(app, request)).toBeNull()
  })

  it('DEC-49b seals no token in getSession, which sends none', async () => {
    const { app, request } = await visitor()
    let sealed = 0
    const jwt = { ...app.config.jwt, encode: () => `token ${++sealed}` }
    const auth = createAuth({ ...app.config, jwt })
    expect(await auth.getSession(request)).toMatchObject({ user: { name: 'Ada' } })
    expect(sealed).toBe(0)
    expect((await auth.getSessionWithCookies(request)).cookies.join()).toContain('token%201')
  })

  /** Returns the expiries that the application writes to the row of a session. */
  function recordExpiries() {
    const written: unknown[] = []
    const wrap = watching([], (store) => ({
      updateSession: (session) => {
        written.push(session.expires)
        return store.updateSession?.(session) ?? null
      },
    }))
    return { written, wrap }
  }

  it('EMB-023 SE-07 leaves a session that is due to a request whose cookies are sent', async () => {
    const { written, wrap } = recordExpiries()
    const session = { maxAge: 100, updateAge: 10 }
    const { app, request } = await visitor({ strategy: 'database', wrap, config: { session } })
    const before = new Date(app.clock.now() + 100_000)
    app.clock.advance(20)
    expect(await ask(app, request)).toMatchObject({ expires: before.toISOString() })
    expect(written).toEqual([])
    const after = new Date(app.clock.now() + 100_000)
    const { cookies } = await createAuth(app.config).getSessionWithCookies(request)
    expect(written).toEqual([after])
    expect(cookies.join()).toContain(after.toUTCString())
  })

  it('DEC-17c shortens a row that exceeds the current maxAge', async () => {
    const { written, wrap } = recordExpiries()
    const { app, request } = await visitor({ strategy: 'database', wrap })
    const last = new Date(app.clock.now() + 100_000)
    const lowered = { ...app.config, session: { strategy: 'database', maxAge: 100 } } as const
    expect(await ask({ config: lowered }, request)).toMatchObject({ expires: last.toISOString() })
    expect(written).toEqual([last])
  })

  it('DEC-49b fires the session event, and creates no Response', async () => {
    const { app, request } = await visitor()
    const received: unknown[] = []
    const events = { session: (message: unknown) => void received.push(message) }
    expect(await ask({ config: { ...app.config, events } }, request)).not.toBeNull()
    expect(received).toHaveLength(1)
  })
})
