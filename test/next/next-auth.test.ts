import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { AuthError } from '../../src/errors.ts'
import { createNextAuth } from '../../src/next.ts'
import Credentials from '../../src/providers/credentials.ts'
import GitHub from '../../src/providers/github.ts'
import { skipCSRFCheck } from '../../src/types/symbols.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { issuer, openApp, origin, secret, sessionOf, signIn, type AppOptions } from '../support/app.ts'
import { mailProvider, type Mail } from '../support/mail.ts'
import { idp, pinProvider } from '../support/providers.ts'
import { withPasskeys } from '../support/webauthn/app.ts'
import { inPrefetch, inRequest } from './next-app.ts'

vi.mock('next/headers', async () => (await import('./next-app.ts')).nextHeaders)
vi.mock('next/navigation', async () => (await import('./next-app.ts')).nextNavigation)
vi.mock('next/server', async () => (await import('./next-app.ts')).nextServer)

function open(options: AppOptions = {}) {
  const app = openApp({ providers: [idp, pinProvider()], ...options })
  return { app, agent: app.agent(), next: createNextAuth(createAuth(app.config)) }
}

async function openSignedIn(options: AppOptions = {}) {
  const opened = open(options)
  await signIn(opened.app, opened.agent)
  return opened
}

describe('auth', () => {
  it.each(['jwt', 'database'] as const)(
    'returns the session of the current request: %s',
    async (strategy) => {
      const { agent, next } = await openSignedIn({ strategy })
      const { value, cookies } = await inRequest(agent, next.auth, { setsCookies: false })
      expect(value).toMatchObject({ user: { name: 'Ada' } })
      expect(cookies).toEqual([])
    },
  )

  it('returns null without a session', async () => {
    const { agent, next } = open()
    expect((await inRequest(agent, next.auth)).value).toBeNull()
  })

  it('EMB-030 reads neither the clock nor randomness while Next.js prefetches a page', async () => {
    const agent = open().agent
    // Uses the clock of the runtime instead of the test's.
    const next = createNextAuth(
      createAuth({ basePath: '/auth', secret, trustHost: true, providers: [pinProvider()] }),
    )
    await inRequest(agent, () => next.signIn('credentials', { name: 'Grace', pin: '1234', redirect: false }))
    const prefetched = await inPrefetch(agent, next.auth)
    expect(prefetched).toMatchObject({ reads: [], value: { user: { name: 'Grace' } } })
  })

  it.each(['u@evil.com', 'app.test/auth?', 'a b', ''])(
    'rejects the Host header %j with a message that names it',
    async (host) => {
      const { agent, next } = open()
      for (const act of [next.auth, () => next.signIn(), () => next.signOut()])
        await expect(inRequest<unknown>(agent, act, { headers: { host } })).rejects.toThrow(
          'The Host header must be host[:port]',
        )
    },
  )

  it('EMB-022 sees the cookies that were changed earlier in the request', async () => {
    const { agent, next } = await openSignedIn()
    const seen = await inRequest(agent, async () => {
      const before = await next.auth()
      await next.signOut({ redirect: false })
      const between = await next.auth()
      await next.signIn('credentials', { name: 'Grace', pin: '1234', redirect: false })
      return [before, between, await next.auth()].map((session) => session?.user?.name)
    })
    expect(seen.value).toEqual(['Ada', undefined, 'Grace'])
  })

  it('EMB-022 reads cookies that were sent twice as the routes do', async () => {
    const { agent, next } = await openSignedIn()
    const [[name, value] = ['', '']] = Object.entries(agent.cookies()).filter(([each]) =>
      each.includes('session'),
    )
    const cookie = `${name}=${value}; ${name}=planted`
    expect((await inRequest(agent, next.auth, { headers: { cookie } })).value).toMatchObject({
      user: { name: 'Ada' },
    })
  })

  it('EMB-022 reads no cookie from the value of another', async () => {
    const { app, agent, next } = open()
    agent.set('theme=dark%3B%20__Secure-authjs.session-token%3Dplanted; Path=/; Secure')
    await signIn(app, agent)
    expect((await inRequest(agent, next.auth)).value).toMatchObject({ user: { name: 'Ada' } })
  })

  it('EMB-023 does not extend a session that is due', async () => {
    const session = { maxAge: 100, updateAge: 10 }
    const { app, agent, next } = await openSignedIn({ strategy: 'database', config: { session } })
    const before = (await sessionOf(agent))?.expires
    app.clock.advance(20)
    expect((await inRequest(agent, next.auth)).value).toMatchObject({ expires: before })
    const request = new Request(`${origin}/members`, { headers: { cookie: writeCookie(agent.cookies()) } })
    expect((await next.proxy(request)).headers.getSetCookie().join()).toContain('session-token=')
  })

  it('has the types of the configuration', () => {
    const next = createNextAuth(
      createAuth({
        providers: [GitHub],
        callbacks: { session: ({ session }) => ({ expires: session.expires, role: 'admin' }) },
      }),
    )
    expectTypeOf(next.auth).returns.resolves.toEqualTypeOf<{ role: string; expires: string } | null>()
    expectTypeOf(next.update).returns.resolves.toEqualTypeOf<{ role: string; expires: string } | null>()
    expectTypeOf(next.signIn).parameter(0).toEqualTypeOf<'github' | undefined>()
  })

  it('rejects a wrapper around the instance', () => {
    const { app } = open()
    expect(() => createNextAuth({ ...createAuth(app.config) })).toThrow(
      'needs the result of `createAuth` itself',
    )
  })
})

const writeCookie = (cookies: Readonly<Record<string, string>>) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

describe('signIn', () => {
  it('EMB-021 signs in with the fields of a form, and redirects', async () => {
    const { agent, next } = open()
    const form = new FormData()
    const fields = { name: 'Grace', pin: '1234', redirectTo: '/members', $ACTION_ID_1: '' }
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const { redirect, cookies } = await inRequest(agent, () => next.signIn('credentials', form))
    expect(redirect).toBe(`${origin}/members`)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Grace' } })
    const session = cookies.find((line) => line.startsWith('__Secure-authjs.session-token='))
    expect(session).toMatch(/; Path=\/; Expires=.*; HttpOnly; Secure; SameSite=Lax$/)
  })

  it('returns the outcome if `redirect` is false', async () => {
    const { agent, next } = open()
    const enter = (pin: string) =>
      inRequest(agent, () => next.signIn('credentials', { name: 'Grace', pin, redirect: false }))
    expect((await enter('locked')).value).toMatchObject({
      ok: false,
      error: 'CredentialsSignin',
      code: 'locked',
    })
    expect((await enter('1234')).value).toEqual({ ok: true, url: `${origin}/` })
  })

  it('EMB-025 redirects by an exception, which a catch without a rethrow turns into a sign-in without a redirect', async () => {
    const { agent, next } = open()
    const thrown: unknown[] = []
    const enter = async () => {
      try {
        await next.signIn('credentials', { name: 'Grace', pin: '1234', redirectTo: '/members' })
      } catch (error) {
        thrown.push(error)
      }
    }
    expect((await inRequest(agent, enter)).redirect).toBeUndefined()
    expect(thrown).toMatchObject([{ url: `${origin}/members` }])
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Grace' } })
  })

  it('redirects to the provider, with extra parameters, and the browser comes back', async () => {
    const { app, agent, next } = open()
    const { redirect = '' } = await inRequest(agent, () =>
      next.signIn('idp', { redirectTo: '/members' }, { login_hint: 'ada' }),
    )
    expect(new URL(redirect).origin).toBe(issuer)
    expect(new URL(redirect).searchParams.get('login_hint')).toBe('ada')
    const { parameters } = await app.idp.authorize(redirect)
    const returned = await agent.send(`/auth/callback/idp?${parameters}`)
    expect(returned.headers.get('location')).toBe(`${origin}/members`)
  })

  it('EMB-025 returns to the page of the request, and to no other site', async () => {
    const { agent, next } = open()
    const enter = (redirectTo: string | undefined, headers = {}) =>
      inRequest(
        agent,
        () => next.signIn('credentials', { name: 'Grace', pin: '1234', ...(redirectTo && { redirectTo }) }),
        { headers },
      ).then(({ redirect }) => redirect)
    expect(await enter(undefined, { referer: `${origin}/cart?step=2` })).toBe(`${origin}/cart?step=2`)
    expect(await enter(undefined, { referer: 'https://evil.test/' })).toBe(origin)
    for (const url of ['https://evil.test/', '//evil.test', 'javascript:alert(1)'])
      expect(await enter(url), url).toBe(origin)
  })

  it('RD-11 RD-12 keeps the target on a sign-in page of the application, also after a wrong password', async () => {
    const { agent, next } = open({ config: { pages: { signIn: '/login' } } })
    const page = `${origin}/login?callbackUrl=${encodeURIComponent(`${origin}/orders/7`)}`
    const enter = (pin: string, referer: string) =>
      inRequest(agent, () => next.signIn('credentials', { name: 'Grace', pin }), { headers: { referer } })
    const { redirect: refused = '' } = await enter('wrong', page)
    expect(new URL(refused).pathname).toBe('/login')
    expect(new URL(refused).searchParams.get('callbackUrl')).toBe(`${origin}/orders/7`)
    expect((await enter('1234', refused)).redirect).toBe(`${origin}/orders/7`)
  })

  it('opens the sign-in page without a provider', async () => {
    const { agent, next } = open()
    const { redirect } = await inRequest(agent, () => next.signIn(undefined, { redirectTo: '/cart' }))
    expect(redirect).toBe('/auth/signin?callbackUrl=%2Fcart')
  })

  it('signs in with a mailed code', async () => {
    const mails: Mail[] = []
    const providers = [mailProvider(mails, { method: 'code' })]
    const { agent, next } = open({ strategy: 'database', providers })
    const send = (fields: Record<string, string>) =>
      inRequest(agent, () => next.signIn('mail', { ...fields, redirect: false }))
    expect((await send({ email: 'ada@example.com' })).value).toMatchObject({ ok: true })
    expect((await send({ code: mails[0]?.token ?? '' })).value).toMatchObject({ ok: true })
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  it('passes on the fields of a form, and none that Next.js adds', async () => {
    const seen: unknown[] = []
    const provider = Credentials({
      credentials: { name: {} },
      async authorize(_, request) {
        seen.push(await request.json())
        return null
      },
    })
    const { agent, next } = open({ providers: [provider] })
    const form = new FormData()
    for (const name of ['name', '$ACTION_ID_1', '$ACTION_REF_2']) form.set(name, 'x')
    await inRequest(agent, () => next.signIn('credentials', form))
    expect(seen).toEqual([{ name: 'x', callbackUrl: '/', csrfToken: expect.any(String) as string }])
  })

  it('rejects unknown providers and passkeys', async () => {
    const { agent, next } = open(withPasskeys())
    await expect(inRequest(agent, () => next.signIn('nobody'))).rejects.toThrow(
      'no provider with the id "nobody"',
    )
    await expect(inRequest(agent, () => next.signIn('passkey'))).rejects.toThrow('Passkeys need the browser')
  })

  it('fails in a server component, as any change of cookies does', async () => {
    const { agent, next } = open()
    const enter = () => next.signIn('credentials', { name: 'Grace', pin: '1234' })
    await expect(inRequest(agent, enter, { setsCookies: false })).rejects.toThrow('Server Action')
  })

  it('works without the CSRF check', async () => {
    const { agent, next } = open({ config: { skipCSRFCheck } })
    const enter = () => next.signIn('credentials', { name: 'Grace', pin: '1234', redirect: false })
    expect((await inRequest(agent, enter)).value).toMatchObject({ ok: true })
  })
})

describe('a request that another site started', () => {
  it.each<[string, Pick<AuthConfig, 'skipCSRFCheck'>]>([
    ['cross-site', {}],
    ['same-site', {}],
    ['cross-site', { skipCSRFCheck }],
    ['same-site', { skipCSRFCheck }],
  ])('EMB-020 changes nothing: %s, %o', async (site, csrf) => {
    const jwt = ({ token, session }: { token: object; session?: object }) => ({ ...token, ...session })
    const { app, agent } = await openSignedIn({ config: { callbacks: { jwt } } })
    const next = createNextAuth(createAuth({ ...app.config, ...csrf }))
    const sent = { headers: { 'sec-fetch-site': site } }
    const signedIn = await inRequest(
      agent,
      () => next.signIn('credentials', { name: 'Eve', pin: '1234', redirect: false }),
      sent,
    )
    const url = `${origin}/auth/signin?error=MissingCSRF`
    expect(signedIn.value).toEqual({ ok: false, url, error: 'MissingCSRF' })
    const signedOut = await inRequest(agent, () => next.signOut({ redirect: false }), sent)
    expect(signedOut.value).toMatchObject({ ok: false, error: 'MissingCSRF' })
    await expect(inRequest(agent, () => next.update({ name: 'Eve' }), sent)).rejects.toThrow('status 400')
    expect(signedIn.cookies).toEqual([])
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    expect(app.errors.map(({ name }) => name)).toEqual(['MissingCSRF', 'MissingCSRF', 'MissingCSRF'])
  })

  it.each(['same-origin', 'none'])('EMB-020 is not assumed with Sec-Fetch-Site: %s', async (site) => {
    const { agent, next } = await openSignedIn()
    const sent = { headers: { 'sec-fetch-site': site } }
    const { redirect } = await inRequest(agent, () => next.signOut({ redirectTo: '/bye' }), sent)
    expect(redirect).toBe(`${origin}/bye`)
    expect(await sessionOf(agent)).toBeNull()
  })
})

describe('update', () => {
  it('EMB-021 passes data to the jwt callback, and sets the new session', async () => {
    const { agent, next } = await openSignedIn({
      config: {
        callbacks: {
          jwt: ({ token, trigger, session }) =>
            trigger === 'update' ? { ...token, name: (session as { name: string }).name } : token,
        },
      },
    })
    const { value } = await inRequest(agent, () => next.update({ name: 'Countess' }))
    expect(value).toMatchObject({ user: { name: 'Countess' } })
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Countess' } })
  })

  it('returns null without a session', async () => {
    const { agent, next } = open()
    expect((await inRequest(agent, () => next.update({ name: 'Eve' }))).value).toBeNull()
  })
})

describe('handlers', () => {
  it('handle the routes', async () => {
    const { next } = open()
    const response = await next.handlers.GET(new Request(`${origin}/auth/providers`))
    expect(Object.keys((await response.json()) as object)).toEqual(['idp', 'credentials'])
    expect(next.handlers.POST).toBe(next.handlers.GET)
  })
})

describe('proxy', () => {
  const get = (path: string, cookies = {}, accept = 'text/html') =>
    new Request(`${origin}${path}`, { headers: { accept, cookie: writeCookie(cookies) } })

  it('EMB-024 requires a user, except on the routes of the library', async () => {
    const { next } = open()
    const refused = await next.proxy(get('/members?page=2'))
    expect(refused.status).toBe(303)
    expect(refused.headers.get('location')).toContain('/auth/signin?error=SessionRequired&callbackUrl=')
    expect((await next.proxy(get('/members', {}, '*/*'))).status).toBe(401)
    for (const path of ['/auth/signin', '/auth/callback/idp'])
      expect((await next.proxy(get(path))).headers.get('x-middleware-next')).toBe('1')
    expect((await next.proxy(get('/authors'))).status).toBe(303)
  })

  it('EMB-024 requires a user if the base path is "/"', async () => {
    const { next } = open({ config: { basePath: '/' } })
    const seen: string[] = []
    const proxy = next.createProxy(({ url }) => void seen.push(url))
    const send = async (path: string) => [(await next.proxy(get(path))).status, await proxy(get(path))]
    for (const path of ['/members', '/', '/account', '/signin/members', '/password', '/session/x'])
      expect(await send(path), path).toMatchObject([303, { status: 200 }])
    expect(seen).toHaveLength(6)
    for (const path of ['/signin', '/callback/idp', '/session'])
      expect(await send(path), path).toMatchObject([200, { status: 200 }])
    expect(seen).toHaveLength(6)
  })

  it('EMB-024 requires a user on pages of the application under the base path', async () => {
    const { next } = open()
    for (const path of ['/auth', '/auth/admin', '/auth/account', '/auth/factor', '/auth/signin/admin'])
      expect((await next.proxy(get(path))).status, path).toBe(303)
    const { next: more } = open({ config: { accountPage: true }, strategy: 'database' })
    expect((await more.proxy(get('/auth/account'))).headers.get('x-middleware-next')).toBe('1')
  })

  it.each([{ basePath: '' }, { basePath: 'auth' }, { trustHost: false }])(
    'EMB-024 passes no request on if the configuration is faulty: %o',
    async (config) => {
      const { next } = open({ config })
      const proxy = next.createProxy(() => undefined)
      for (const path of ['/members', '/auth/signin', '/signin']) {
        await expect(next.proxy(get(path)), path).rejects.toThrow(AuthError)
        await expect(proxy(get(path)), path).rejects.toThrow(AuthError)
      }
    },
  )

  it('EMB-024 passes requests of a user on, with the cookies that extend the session', async () => {
    const { agent, next } = await openSignedIn()
    const { status, headers } = await next.proxy(get('/members', agent.cookies()))
    expect([status, headers.get('x-middleware-next')]).toEqual([200, '1'])
    expect(headers.getSetCookie().join()).toMatch(/^__Secure-authjs\.session-token=ey/)
    expect(headers.get('cache-control')).toContain('no-store')
  })

  it('lets the application decide', async () => {
    const { agent, next } = await openSignedIn()
    const seen: unknown[] = []
    const proxy = next.createProxy((request, session) => {
      seen.push([new URL(request.url).pathname, session?.user?.name])
      return request.url.endsWith('/old') ? Response.redirect(`${origin}/new`) : undefined
    })
    const moved = await proxy(get('/old', agent.cookies()))
    expect([moved.status, moved.headers.get('location')]).toEqual([302, `${origin}/new`])
    expect(moved.headers.getSetCookie()).toHaveLength(1)
    expect((await proxy(get('/', {}))).headers.get('x-middleware-next')).toBe('1')
    await proxy(get('/auth/session', agent.cookies()))
    expect(seen).toEqual([
      ['/old', 'Ada'],
      ['/', undefined],
    ])
  })
})
