import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createVisitor, type Visitor } from '../../docs/examples/demo/visitor.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import type { AuthConfig } from '../../src/types.ts'
import { clientMethods, openRealStage, type RealStage } from '../support/oidc/real-stage.ts'

const strategies: Readonly<Record<string, () => Partial<AuthConfig>>> = {
  jwt: () => ({}),
  database: () => ({ adapter: memoryAdapter() }),
}

const ada = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  image: expect.stringMatching(/\/avatar\/ada$/) as string,
}

describe('a real OpenID provider', () => {
  let stage: RealStage
  const times: number[] = []

  beforeAll(async () => {
    stage = await openRealStage()
  })
  afterAll(async () => {
    await stage.close()
    const [fastest, slowest] = [Math.min(...times), Math.max(...times)].map(Math.round)
    console.log(`${times.length} sign-ins and sign-outs at a real provider: ${fastest} to ${slowest} ms each`)
  })

  const route = (path: string) => `${stage.origin}/auth/${path}`
  const readSession = (visitor: Visitor) => visitor.readJson(route('session'))

  const post = async (visitor: Visitor, path: string) => {
    const { csrfToken } = (await visitor.readJson(route('csrf'))) as { csrfToken: string }
    return visitor.post(route(path), { csrfToken, callbackUrl: `${stage.origin}/wanted` })
  }

  /** Authenticates at the provider. @returns the URL to which the provider redirects the browser */
  const answer = async (visitor: Visitor, form: Record<string, string>) => {
    const asked = await post(visitor, 'signin/real')
    expect(asked.url).toContain(`${stage.issuer}/interaction/`)
    const chosen = await visitor.send(asked.url, { method: 'POST', body: new URLSearchParams(form) })
    const resumed = await visitor.send(chosen.headers.get('location') ?? '')
    return new URL(resumed.headers.get('location') ?? '')
  }

  const codesSpent = () => stage.requests().filter((request) => request.includes('/token'))

  const checksIn = async ({ jar }: Visitor) =>
    (await jar.getCookies(stage.origin)).filter(({ key }) => /state|nonce|pkce/.test(key))

  for (const strategy of Object.keys(strategies)) {
    it.each(clientMethods)(
      `DEC-10b ATN-010 RTE-003 SE-10 signs in, reads the session and signs out, with %s and ${strategy} sessions`,
      async (method) => {
        const begun = performance.now()
        stage.configure(method, strategies[strategy]?.())
        const visitor = createVisitor()
        expect(await readSession(visitor)).toBeNull()
        const { url } = await post(visitor, 'signin/real')
        const arrived = await visitor.post(url, { user: 'ada' })
        expect(arrived).toMatchObject({ url: `${stage.origin}/wanted`, status: 200 })

        const scheme = method === 'client_secret_basic' ? 'Basic' : 'without'
        expect(codesSpent()).toEqual([`POST /token ${scheme}`])

        const session = await readSession(visitor)
        expect(session).toEqual({ user: ada, expires: expect.any(String) as string })
        const cookie = (await visitor.jar.getCookies(stage.origin)).find(({ key }) => /session/.test(key))
        expect(cookie?.httpOnly).toBe(true)
        expect(cookie?.value).toMatch(
          strategy === 'jwt' ? /^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/ : /^[\da-f]{64}$/,
        )
        expect(await checksIn(visitor)).toEqual([])

        await post(visitor, 'signout')
        expect(await readSession(visitor)).toBeNull()
        if (strategy === 'database' && cookie) {
          await visitor.jar.setCookie(cookie, stage.origin)
          expect(await readSession(visitor)).toBeNull()
        }
        times.push(performance.now() - begun)
      },
    )
  }

  it.each(clientMethods)('TX-23 signs in with a pushed authorization request, with %s', async (method) => {
    stage.configure(method, {}, stage.pushing(method))
    const visitor = createVisitor()
    const { csrfToken } = (await visitor.readJson(route('csrf'))) as { csrfToken: string }
    const form = new URLSearchParams({ csrfToken })
    const started = await visitor.send(route('signin/real'), { method: 'POST', body: form })
    const sent = new URL(started.headers.get('location') ?? '')
    expect([...sent.searchParams.keys()]).toEqual(['client_id', 'request_uri'])
    await visitor.open((await answer(visitor, { user: 'ada' })).href)
    expect(await readSession(visitor)).toMatchObject({ user: ada })
  })

  it('TX-23 shows the sign-in page and logs the reason if the provider rejects the pushed request', async () => {
    stage.configure(
      'client_secret_basic',
      {},
      { ...stage.pushing('client_secret_basic'), clientSecret: 'wrong' },
    )
    const visitor = createVisitor()
    const { url } = await post(visitor, 'signin/real')
    expect(url).toBe(`${route('signin')}?error=Configuration`)
    expect(stage.errors()).toEqual([
      expect.stringMatching(/the pushed authorization request returned 401 with the error "invalid_client"/),
    ])
  })

  it('OI-25 signs in with a max_age that the provider keeps', async () => {
    const authorization = { params: { scope: 'openid profile email', max_age: 60 } }
    stage.configure('client_secret_basic', {}, { authorization })
    const visitor = createVisitor()
    await visitor.open((await answer(visitor, { user: 'ada' })).href)
    expect(await readSession(visitor)).toMatchObject({ user: ada })
  })

  it('PRV-030 reads the user from the userinfo endpoint only with idToken: false', async () => {
    for (const [idToken, times] of [
      [false, 1],
      [true, 0],
    ] as const) {
      stage.configure('client_secret_basic', {}, { idToken })
      const visitor = createVisitor()
      await visitor.open((await answer(visitor, { user: 'grace' })).href)
      expect(await readSession(visitor)).toMatchObject({ user: { name: 'Grace Hopper' } })
      expect(stage.requests().filter((request) => request === 'GET /me Bearer')).toHaveLength(times)
    }
  })

  it('SEA-008 SEA-010 logs a wrong client secret, with the options to check', async () => {
    stage.configure('client_secret_basic', {}, { clientSecret: 'not the one' })
    const visitor = createVisitor()
    const shown = await visitor.open((await answer(visitor, { user: 'ada' })).href)
    expect(shown.url).toBe(`${route('error')}?error=Configuration`)
    expect(stage.errors()).toEqual([expect.stringContaining('returned 401 with the error "invalid_client"')])
    expect(stage.errors()[0]).toMatch(
      /saying "client authentication failed"\. Check clientId and clientSecret/,
    )
  })

  it('SEA-008 SEA-010 logs a redirect URI that differs from the one of the request', async () => {
    stage.configure('client_secret_basic')
    const visitor = createVisitor()
    const back = await answer(visitor, { user: 'ada' })
    // The code returns to the site under the name of a proxy, as after a change of redirectProxyUrl.
    stage.configure('client_secret_basic', {}, { redirectProxyUrl: 'http://127.0.0.1:1/auth' })
    await visitor.open(back.href)
    expect(stage.errors()).toEqual([expect.stringContaining('with the error "invalid_grant"')])
    expect(stage.errors()[0]).toContain('the redirect_uri differs from that of the request. Check AUTH_URL')
  })

  it('SEA-008 SEA-010 logs a scope that the client may not request', async () => {
    stage.configure(
      'client_secret_basic',
      {},
      { authorization: { params: { scope: 'openid admin', resource: 'nonsense' } } },
    )
    const visitor = createVisitor()
    const asked = await post(visitor, 'signin/real')
    expect(asked.url).toContain('error=')
    expect(stage.errors()).toEqual([expect.stringMatching(/the error "invalid_/)])
  })

  it('TX-11 DEC-12a returns a user who refuses to the sign-in page, without a session or checks', async () => {
    stage.configure('client_secret_basic')
    const visitor = createVisitor()
    const back = await answer(visitor, { cancel: 'yes' })
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(await checksIn(visitor)).not.toEqual([])
    const shown = await visitor.open(back.href)
    expect(shown.url).toBe(`${route('signin')}?error=OAuthCallbackError&code=access_denied`)
    expect(await readSession(visitor)).toBeNull()
    expect(await checksIn(visitor)).toEqual([])
    expect(codesSpent()).toEqual([])
  })

  it('TX-01 ATN-004 gives no session to a browser that did not start the sign-in', async () => {
    stage.configure('client_secret_basic')
    const back = await answer(createVisitor(), { user: 'ada' })
    const thief = createVisitor()
    await thief.open(back.href)
    expect(await readSession(thief)).toBeNull()
    expect(codesSpent()).toEqual([])
  })

  it('TX-02 gives no session for a changed state, and does not redeem the code', async () => {
    stage.configure('client_secret_basic')
    const visitor = createVisitor()
    const back = await answer(visitor, { user: 'ada' })
    const state = back.searchParams.get('state') ?? ''
    back.searchParams.set('state', state.slice(0, -1) + (state.endsWith('A') ? 'B' : 'A'))
    await visitor.open(back.href)
    expect(await readSession(visitor)).toBeNull()
    expect(codesSpent()).toEqual([])
  })

  it('accepts a response once', async () => {
    stage.configure('client_secret_basic')
    const visitor = createVisitor()
    const back = await answer(visitor, { user: 'ada' })
    const held = await checksIn(visitor)
    await visitor.open(back.href)
    await post(visitor, 'signout')
    for (const cookie of held) await visitor.jar.setCookie(cookie, stage.origin)
    await visitor.open(back.href)
    expect(await readSession(visitor)).toBeNull()
  })
})
