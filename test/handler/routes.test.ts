import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { siteEnvironment } from '../../src/types/symbols.ts'
import { csrfOf, openApp, origin, signIn } from '../support/app.ts'
import { spread } from '../support/spread.ts'

const get = (path: string, init?: RequestInit) => new Request(`${origin}${path}`, init)
const shownPages = ['/auth/signin', '/auth/signout', '/auth/error', '/auth/verify-request']

describe('a path', () => {
  it('WIR-001 RTE-001 is served under the base path, for GET or POST', async () => {
    const app = openApp()
    const answers = {
      'GET /auth/providers': 200,
      'GET /auth/session': 200,
      'GET /auth/csrf': 200,
      'GET /auth/signin': 200,
      'GET /auth/signout': 200,
      'GET /auth/error': 200,
      'GET /auth/verify-request': 200,
      'GET /auth/callback/idp': 302,
      'POST /auth/callback/idp': 302,
      'POST /auth/signin/idp': 302,
      'POST /auth/signin': 302,
      'POST /auth/signout': 302,
      'POST /auth/session': 400,
    }
    for (const [line, status] of Object.entries(answers)) {
      const [method, path] = line.split(' ')
      expect((await app.handle(get(path ?? '', { method }))).status, line).toBe(status)
    }
  })

  it('CF-01 is not reported as missing if the base path is invalid', async () => {
    for (const basePath of ['/auth?x', '/in/../auth', 'auth', 7]) {
      const app = openApp({ config: { basePath: basePath as string } })
      const reply = await app.handle(get('/auth/session'))
      expect(reply.status, String(basePath)).toBe(500)
    }
  })

  it('HH-03 DEC-31b WIR-002 DEC-31c matches a route exactly, or gets 404 with the error page', async () => {
    const app = openApp()
    const cases = spread('unknown paths')
    const known = ['providers', 'session', 'csrf', 'signin', 'signout', 'error', 'verify-request']
    const twist: readonly (readonly [string, (action: string) => string])[] = [
      ['doubled slash', (action) => `/auth//${action}`],
      ['two trailing slashes', (action) => `/auth/${action}//`],
      ['an encoded slash', (action) => `/auth%2f${action}`],
      ['no slash', (action) => `/auth${action}`],
      ['capitals', (action) => `/auth/${action.toUpperCase()}`],
      ['a base path in capitals', (action) => `/AUTH/${action}`],
      ['an extra segment', (action) => `/auth/${action}/idp/more`],
      [
        'a provider that the action does not take',
        (action) => `/auth/${action === 'signin' ? 'error' : action}/idp`,
      ],
      ['an encoded letter', (action) => `/auth/%73${action.slice(1)}`],
      ['a suffix', (action) => `/auth/${action}.json`],
      ['another base path', (action) => `/api/auth/${action}`],
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...known), fc.constantFrom(...twist), async (action, [name, make]) => {
        const path = make(action)
        const answer = await app.handle(get(path))
        expect(answer.status, path).toBe(404)
        expect(answer.headers.get('content-type')).toBe('text/html')
        expect(await answer.text()).toContain('<title>Page not found</title>')
        expect(answer.headers.getSetCookie()).toEqual([])
        cases.count(name)
      }),
      { numRuns: 200 },
    )
    for (const [name] of twist) cases.atLeast(name, 3)
    cases.report()
  })

  it('DEC-31b HH-03 may end in one slash', async () => {
    const app = openApp()
    for (const path of ['/auth/session/', '/auth/csrf/', '/auth/providers/', '/auth/signin/'])
      expect((await app.handle(get(path))).status, path).toBe(200)
  })

  it('HH-05 WIR-002 DEC-31c must contain the exact id of a provider, or gets 404', async () => {
    const app = openApp()
    const ids = [
      'Idp',
      'IDP',
      'id%70',
      '%69dp',
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'other',
      'undefined',
    ]
    for (const id of ids)
      for (const [method, action] of [
        ['POST', 'signin'],
        ['GET', 'callback'],
        ['POST', 'callback'],
        ['GET', 'webauthn-options'],
      ]) {
        const answer = await app.handle(get(`/auth/${action}/${id}`, { method }))
        expect(answer.status, `${method} ${action} ${id}`).toBe(404)
        expect(answer.headers.get('content-type')).toBe('text/html')
      }
    expect(app.idp.log).toEqual([])
    expect(app.hops).toEqual([])
    expect(app.errors.every(({ name }) => name === 'UnknownAction')).toBe(true)
  })

  it('HH-05 CF-02 may contain a provider id that objects inherit', async () => {
    const id = '__proto__'
    const app = openApp({ provider: { id } })
    const providers = (await (await app.handle(get('/auth/providers'))).json()) as object
    expect(Object.keys(providers)).toEqual([id])
    const agent = app.agent()
    expect((await signIn(app, agent, id)).headers.get('location')).toBe(origin)
  })

  it('HH-05 matches the base path literally, not as a pattern', async () => {
    const app = openApp({ config: { basePath: '/a.th' } })
    expect((await app.handle(get('/a.th/session'))).status).toBe(200)
    expect((await app.handle(get('/auth/session'))).status).toBe(404)
  })
})

describe('a method', () => {
  it('HH-04 DEC-31a gets 405 with Allow if the route does not support it', async () => {
    const app = openApp()
    const cases = [
      ['POST', '/auth/providers', 'GET'],
      ['POST', '/auth/csrf', 'GET'],
      ['POST', '/auth/error', 'GET'],
      ['POST', '/auth/verify-request', 'GET'],
      ['GET', '/auth/signin/idp', 'POST'],
      ['HEAD', '/auth/session', 'GET, POST'],
      ['OPTIONS', '/auth/signin/idp', 'GET, POST'],
      ['PUT', '/auth/session', 'GET, POST'],
      ['PATCH', '/auth/anything', 'GET, POST'],
      ['DELETE', '/auth/session', 'GET, POST'],
    ] as const
    for (const [method, path, allow] of cases) {
      const answer = await app.handle(get(path, { method }))
      expect(answer.status, `${method} ${path}`).toBe(405)
      expect(answer.headers.get('allow'), `${method} ${path}`).toBe(allow)
    }
  })

  it('HH-04 TX-17 changes nothing if it is not supported', async () => {
    const app = openApp({ strategy: 'database' })
    const agent = app.agent()
    await signIn(app, agent)
    const before = { cookies: agent.cookies(), events: app.events.length, rows: app.rows.sessions() }
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'])
      for (const path of ['signout', 'session', 'signin/idp', 'callback/idp?code=x&state=y']) {
        const answer = await agent.send(`/auth/${path}`, { method })
        expect(answer.status, `${method} ${path}`).toBe(405)
        expect(answer.headers.getSetCookie()).toEqual([])
      }
    expect({ cookies: agent.cookies(), events: app.events.length, rows: app.rows.sessions() }).toEqual(before)
  })
})

describe('a request', () => {
  const json = (body: string, headers: Record<string, string> = {}) =>
    get('/auth/signin/idp', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })

  it('WIR-003 DEC-31f that cannot be parsed gets 400 with a short JSON message', async () => {
    const app = openApp()
    for (const body of ['{', '[]', 'null', '"text"', '5', '{"a":}', '\u0000']) {
      const answer = await app.handle(json(body))
      expect(answer.status, body).toBe(400)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(await answer.json()).toBe('Bad request.')
    }
    expect(app.errors.map(({ name }) => name)).toEqual(Array(7).fill('UnknownAction'))
    expect(app.hops).toEqual([])
  })

  it('LM-01 DEC-31d DEC-31f that is too long gets 413, 431 or 400 before it has any effect', async () => {
    const app = openApp()
    const body = new URLSearchParams({ csrfToken: 'x'.repeat(100 * 1024) })
    expect((await app.handle(get('/auth/signin/idp', { method: 'POST', body }))).status).toBe(413)
    expect((await app.handle(json('{', { 'content-length': '102401' }))).status).toBe(413)
    const cookie = `a=${'x'.repeat(64 * 1024)}`
    expect((await app.handle(get('/auth/session', { headers: { cookie } }))).status).toBe(431)
    const long = await app.handle(get(`/auth/signin?error=${'x'.repeat(16 * 1024)}`))
    expect(long.status).toBe(400)
    expect(await long.json()).toBe('Bad request.')
    expect(app.hops).toEqual([])
    expect(app.errors).toHaveLength(4)
  })

  it('WIR-009 is parsed as JSON or as a form by its content type, and otherwise has no body', async () => {
    const app = openApp()
    const statusOf = async (type: string | undefined, bodyOf: (csrfToken: string) => string | FormData) => {
      const agent = app.agent()
      const body = bodyOf(await csrfOf(agent))
      const cookie = Object.entries(agent.cookies()).map(([name, value]) => `${name}=${value}`)
      const headers = { cookie: cookie.join('; '), ...(type && { 'content-type': type }) }
      const answer = await app.handle(get('/auth/signin/idp', { method: 'POST', body, headers }))
      return new URL(answer.headers.get('location') ?? '').origin
    }
    const form = (csrfToken: string) => new URLSearchParams({ csrfToken }).toString()
    const text = (csrfToken: string) => JSON.stringify({ csrfToken })
    const multipart = (csrfToken: string) => {
      const data = new FormData()
      data.set('csrfToken', csrfToken)
      return data
    }
    expect(await statusOf('application/x-www-form-urlencoded', form)).toBe('https://idp.test')
    expect(await statusOf('application/x-www-form-urlencoded; charset=utf-8', form)).toBe('https://idp.test')
    expect(await statusOf('application/json', text)).toBe('https://idp.test')
    expect(await statusOf('Application/JSON;charset=UTF-8', text)).toBe('https://idp.test')
    for (const type of ['text/plain', 'application/xml', 'application/jsonp', 'text/application/json'])
      expect(await statusOf(type, text), type).toBe(origin)
    expect(await statusOf('text/plain', form)).toBe(origin)
    expect(await statusOf(undefined, multipart)).toBe(origin)
  })
})

describe('csrf', () => {
  it('WIR-010 WIR-013 returns a token of 64 hex characters, which is uncached and stays the same', async () => {
    const app = openApp()
    const agent = app.agent()
    const first = await agent.send('/auth/csrf')
    const { csrfToken } = (await first.json()) as { csrfToken: string }
    expect(csrfToken).toMatch(/^[0-9a-f]{64}$/)
    expect(first.headers.get('content-type')).toBe('application/json')
    const again = await agent.send('/auth/csrf')
    expect(await again.json()).toEqual({ csrfToken })
    expect(again.headers.getSetCookie()).toEqual([])
    for (const answer of [first, again, await agent.send('/auth/session')]) {
      expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-store')
      expect(answer.headers.get('expires')).toBe('0')
      expect(answer.headers.get('pragma')).toBe('no-cache')
    }
  })

  it('WIR-012 IL-07 providers lists id, name, type and URLs of each, in order, and sets no cookie', async () => {
    const secretive = { clientSecret: 'canary', style: { brandColor: '#fff' }, profile: () => ({ id: '1' }) }
    const idp = {
      id: 'idp',
      name: 'Idp',
      type: 'oidc',
      issuer: 'https://idp.test',
      clientId: 'client',
      ...secretive,
    }
    const zebra = {
      id: 'zebra',
      name: 'Zebra',
      type: 'oauth',
      issuer: 'https://idp.test',
      clientId: 'client',
      ...secretive,
    } as const
    const app = openApp({ providers: [zebra, idp as never] })
    const answer = await app.agent().send('/auth/providers')
    const text = await answer.text()
    const list = (id: string, name: string, type: string) =>
      `"${id}":{"id":"${id}","name":"${name}","type":"${type}","signinUrl":"${origin}/auth/signin/${id}","callbackUrl":"${origin}/auth/callback/${id}"}`
    expect(text).toBe(`{${list('zebra', 'Zebra', 'oauth')},${list('idp', 'Idp', 'oidc')}}`)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it('DEC-32d may be cached only if it does not depend on the host of a request', async () => {
    const keptBy = async (config: object) => {
      const app = openApp({ config })
      return (await app.agent().send('/auth/providers')).headers.get('cache-control')
    }
    expect(await keptBy({})).toBe('private, no-cache, no-store')
    expect(await keptBy({ [siteEnvironment]: { AUTH_URL: origin } })).toBeNull()
  })
})

describe('a rejection', () => {
  it.each([
    ['PUT', '/auth/providers', {}, 405],
    ['HEAD', '/auth/providers', {}, 405],
    ['GET', `/auth/providers?${'a&'.repeat(1001)}`, {}, 400],
    ['GET', '/auth/providers', { host: 'shop.example/x?' }, 400],
    ['GET', '/auth/providers', { cookie: 'a=1;'.repeat(501) }, 431],
    ['GET', '/auth/providers', { cookie: 'a'.repeat(65_537) }, 431],
    ['GET', '/auth/nowhere', {}, 404],
  ])('DEC-32d of a %s request is not cacheable: %#', async (method, path, headers, status) => {
    const answer = await openApp().agent().send(path, { method, headers })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-store')
  })
})

describe('any response', () => {
  it('IL-08 cannot be read by another origin', async () => {
    const app = openApp()
    const agent = app.agent()
    await signIn(app, agent)
    const headers = { origin: 'https://evil.test', 'access-control-request-method': 'POST' }
    const paths = [
      '/auth/session',
      '/auth/csrf',
      '/auth/providers',
      '/auth/nothing',
      '/auth/callback/idp',
      ...shownPages,
    ]
    for (const path of paths)
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await agent.send(path, { method, headers })
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
      }
  })
})
