import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/create-auth.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { openApp, signIn, type AppOptions } from '../support/app.ts'
import { heldSession, sessionCookie } from '../support/session-cookie.ts'
import { unreachable, watching } from '../support/watch-store.ts'

/** Somebody who is signed in asks another page of the application. */
async function visitor(options: AppOptions = {}) {
  const app = openApp(options)
  const agent = app.agent()
  await signIn(app, agent)
  const request = new Request('https://app.test/account?a=1', {
    method: 'POST',
    body: 'not for the session route',
    headers: { cookie: `${sessionCookie}=${heldSession(agent)}` },
  })
  return { app, agent, request }
}

const ask = ({ config }: { config: AuthConfig }, request: Request) => createAuth(config).getSession(request)

describe('getSession', () => {
  it('SE-22 answers the session of a request', async () => {
    for (const strategy of ['jwt', 'database'] as const) {
      const { app, request } = await visitor({ strategy })
      expect(await ask(app, request)).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } })
    }
  })

  it('SE-22 gives the cookies to send along in its second form', async () => {
    const { app, request } = await visitor()
    const { session, cookies } = await createAuth(app.config).getSessionWithCookies(request)
    expect(session).toMatchObject({ user: { name: 'Ada' } })
    expect(cookies.join()).toMatch(new RegExp(`^${sessionCookie}=ey`))
  })

  it('SE-22 answers null to a request without a session, or with one that is over', async () => {
    const { app, request } = await visitor({ config: { session: { maxAge: 10 } } })
    expect(await ask(app, new Request('https://app.test/'))).toBeNull()
    expect(
      await ask(app, new Request('https://app.test/', { headers: { cookie: `${sessionCookie}=x` } })),
    ).toBeNull()
    app.clock.advance(10)
    expect(await ask(app, request)).toBeNull()
  })

  it('SE-22 answers null for a status other than 200, whatever its body', async () => {
    const { app, request } = await visitor()
    const broken = { ...app.config, callbacks: { jwt: unreachable } }
    const route = new Request('https://app.test/auth/session', { headers: request.headers })
    expect((await createAuth(broken).handler(route)).status).toBe(503)
    expect(await ask({ config: broken }, request)).toBeNull()
    // A configuration that cannot work: 500, with an object for a body.
    const untrusted = { ...app.config, trustHost: false }
    const answer = await createAuth(untrusted).handler(new Request('https://app.test/auth/session'))
    expect([answer.status, await answer.json()]).toEqual([500, { message: expect.any(String) }])
    expect(await ask({ config: untrusted }, request)).toBeNull()
  })

  it('SE-22 answers null when the store fails, or the session callback gives nothing to speak of', async () => {
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
    expect(await ask(app, request)).toBeNull()
  })

  it('SE-22 answers null for what the handler throws, such as a request without a usable URL', async () => {
    const { app, request } = await visitor()
    const odd = Object.defineProperty(request.clone(), 'url', { get: () => 'not a url' })
    expect(await ask(app, odd)).toBeNull()
  })
})
