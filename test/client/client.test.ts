import { brotliCompressSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAuthClient } from '../../src/client.ts'
import { skipCSRFCheck } from '../../src/types/symbols.ts'
import { issuer, openApp, origin, sessionOf, signIn, type AppOptions } from '../support/app.ts'
import { mailProvider, type Mail } from '../support/mail.ts'
import { idp, pinProvider } from '../support/providers.ts'
import { bundleClient } from './bundle.ts'
import { openPage } from './tabs.ts'

function open(options: AppOptions = {}, basePath?: string) {
  const app = openApp({ providers: [idp, pinProvider()], ...options })
  const agent = app.agent()
  const page = openPage(agent)
  return { app, agent, page, client: createAuthClient({ basePath }) }
}

afterEach(() => void vi.unstubAllGlobals())

describe('the client', () => {
  it('EMB-001 signs in with credentials, and stays on the page if `redirect` is false', async () => {
    const { agent, page, client } = open()
    const outcome = await client.signIn('credentials', { name: 'Ada', pin: '1234', redirect: false })
    expect(outcome).toEqual({ ok: true, url: `${origin}/members` })
    expect(page.location.href).toBe(`${origin}/members`)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    expect(await client.getSession()).toMatchObject({ user: { name: 'Ada' } })
  })

  it('EMB-001 returns the error that the server reported', async () => {
    const { client } = open()
    const refused = await client.signIn('credentials', { pin: 'wrong', redirect: false })
    expect(refused).toMatchObject({ ok: false, error: 'CredentialsSignin', code: 'credentials' })
    const locked = await client.signIn('credentials', { pin: 'locked', redirect: false })
    expect(locked).toMatchObject({ ok: false, error: 'CredentialsSignin', code: 'locked' })
    expect(await client.getSession()).toBeNull()
  })

  it('EMB-001 RL-02 returns the error of an attempt over the rate limit', async () => {
    const { client, page } = open({ config: { callbacks: { rateLimit: () => ({ retryAfter: 60 }) } } })
    const url = `${origin}/auth/error?error=RateLimited&retryAfter=60`
    const limited = await client.signIn('credentials', { pin: '1234', redirect: false })
    expect(limited).toEqual({ ok: false, url, error: 'RateLimited' })
    await client.signIn('credentials', { pin: '1234' })
    expect(page.location.href).toBe(url)
  })

  it('EMB-001 CD-09 requests a mailed code, and signs in with it', async () => {
    const mails: Mail[] = []
    const providers = [mailProvider(mails, { method: 'code' })]
    const { client, agent } = open({ strategy: 'database', providers })
    const asked = await client.signIn('mail', {
      email: 'ada@example.com',
      redirectTo: '/welcome',
      redirect: false,
    })
    expect(asked).toEqual({ ok: true, url: `${origin}/auth/verify-request?provider=mail&type=email` })
    const code = mails[0]?.token ?? ''
    const missed = await client.signIn('mail', {
      code: code === '000000' ? '000001' : '000000',
      redirect: false,
    })
    expect(missed).toMatchObject({ ok: false, error: 'Verification', attempts: 4 })
    expect(await client.signIn('mail', { code, redirect: false })).toEqual({
      ok: true,
      url: `${origin}/welcome`,
    })
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    const used = await client.signIn('mail', { code, redirect: false })
    expect(used).toEqual({
      ok: false,
      url: `${origin}/auth/error?error=Verification`,
      error: 'Verification',
    })
    // A form for a link may have a field of this name.
    await client.signIn('mail', { email: 'bob@example.com', code: 'INVITED', redirect: false })
    expect(mails).toHaveLength(2)
  })

  it('EMB-001 succeeds on a page that shows an earlier error, and at a destination with an error parameter', async () => {
    const { page, client } = open({ config: { pages: { signIn: '/login' } } })
    page.location.href = '/login?error=CredentialsSignin&code=credentials'
    const refused = await client.signIn('credentials', { pin: 'wrong', redirect: false })
    expect(refused).toMatchObject({ ok: false, url: page.location.href, error: 'CredentialsSignin' })
    const own = await client.signIn('credentials', { pin: '1234', redirect: false })
    expect(own).toEqual({ ok: true, url: page.location.href })
    const redirectTo = `${origin}/docs?error=404`
    expect(await client.signIn('credentials', { pin: '1234', redirectTo })).toEqual({
      ok: true,
      url: redirectTo,
    })
    expect(await client.signOut({ redirectTo, redirect: false })).toEqual({ ok: true, url: redirectTo })
  })

  it('EMB-001 rejects a response that leads nowhere, and goes nowhere', async () => {
    const { page, client } = open()
    const served = fetch
    const bodies = ['null', '{}', '[]', '{"url":5}', '{"url":"http://["}', '{"url":"javascript:alert(1)"}']
    for (const body of bodies) {
      vi.stubGlobal('fetch', async (url: string, init?: RequestInit) =>
        init?.method === 'POST' ? new Response(body) : served(url, init),
      )
      await expect(client.signOut(), body).rejects.toThrow('/auth/signout returned no http or https URL')
      expect(page.location.href).toBe(`${origin}/members`)
    }
  })

  it('EMB-001 navigates to the provider, with extra parameters', async () => {
    const { page, client } = open()
    await client.signIn('idp', { redirectTo: '/welcome' }, { login_hint: 'ada' })
    const target = new URL(page.location.href)
    expect(target.origin).toBe(issuer)
    expect(target.searchParams.get('login_hint')).toBe('ada')
  })

  it('DEC-38 EMB-001 requests to link the identity to the signed-in user', async () => {
    const { app, agent, page, client } = open({
      strategy: 'database',
      providers: [idp],
      config: { accountLinking: 'explicit' },
    })
    app.idp.choose('eve')
    await signIn(app, agent)
    app.idp.choose('bob')
    await client.signIn('idp', { link: true })
    const { parameters } = await app.idp.authorize(page.location.href)
    await agent.send(`/auth/callback/idp?${parameters}`)
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'eve@example.com' } })
    expect(app.rows.accounts().map(({ userId }) => userId)).toEqual(Array(2).fill(app.rows.users()[0]?.id))
  })

  it('EMB-001 navigates to the destination of the sign-in, and without a provider to the sign-in page', async () => {
    const { page, client } = open()
    await client.signIn('credentials', { name: 'Ada', pin: '1234', redirectTo: '/welcome' })
    expect(page.location.href).toBe(`${origin}/welcome`)
    await client.signIn()
    expect(page.location.href).toBe(
      `${origin}/auth/signin?callbackUrl=${encodeURIComponent(`${origin}/welcome`)}`,
    )
  })

  it('EMB-001 reloads the current page if only the fragment differs', async () => {
    const { page, client } = open()
    await client.signIn('credentials', { pin: '1234', redirectTo: `${origin}/members#top` })
    expect(page.reloads()).toBe(1)
    await client.signOut({ redirectTo: `${origin}/#top` })
    expect(page.reloads()).toBe(1)
  })

  it('EMB-001 rejects a provider that the server does not list', async () => {
    const { client } = open()
    expect(Object.keys(await client.getProviders())).toEqual(['idp', 'credentials'])
    await expect(client.signIn('other')).rejects.toThrow('There is no provider with the id "other"')
  })

  it('EMB-001 signs out', async () => {
    const { app, agent, page, client } = open()
    await signIn(app, agent)
    expect(await client.getSession()).toMatchObject({ user: { name: 'Ada' } })
    expect(await client.signOut({ redirectTo: '/bye' })).toEqual({ ok: true, url: `${origin}/bye` })
    expect(page.location.href).toBe(`${origin}/bye`)
    expect(await client.getSession()).toBeNull()
  })

  it('EMB-001 updates the session, and returns the new one', async () => {
    const { app, agent, client } = open({
      config: {
        callbacks: {
          jwt: ({ token, trigger, session }) =>
            trigger === 'update' ? Object.assign(token, session) : token,
        },
      },
    })
    await signIn(app, agent)
    expect(await client.updateSession({ name: 'Countess' })).toMatchObject({ user: { name: 'Countess' } })
    expect(await client.getSession()).toMatchObject({ user: { name: 'Countess' } })
  })

  it('EMB-001 needs no CSRF token if the server does not check it', async () => {
    const { client } = open({ config: { skipCSRFCheck } })
    expect(await client.getCsrfToken()).toBeUndefined()
    expect(await client.signIn('credentials', { pin: '1234', redirect: false })).toMatchObject({ ok: true })
    expect(await openClientWithCsrf().getCsrfToken()).toMatch(/^[0-9a-f]{64}$/)
  })

  it('EMB-001 reports that the server cannot return the session at the moment', async () => {
    const broken = () => Promise.reject(new Error('down'))
    const { app, agent, client } = open({ config: { callbacks: { session: broken } } })
    await signIn(app, agent)
    await expect(client.getSession()).rejects.toThrow('/auth/session returned status 503')
  })

  it('EMB-002 sends no request outside its base path', async () => {
    const { page, client } = open({ config: { basePath: '/api/auth' } }, '/api/auth/')
    await client.getProviders()
    await client.getCsrfToken()
    await client.signIn('credentials', { name: 'Ada', pin: '1234', redirect: false })
    await client.updateSession({})
    await client.getSession()
    await client.signOut({ redirect: false })
    await client.signIn()
    expect(page.location.href).toMatch(/\/api\/auth\/signin\?/)
    expect(new Set(page.asked)).toEqual(
      new Set([
        'GET /api/auth/providers',
        'GET /api/auth/csrf',
        'POST /api/auth/callback/credentials',
        'POST /api/auth/session',
        'GET /api/auth/session',
        'POST /api/auth/signout',
      ]),
    )
  })

  it('EMB-004 is smaller than 3000 bytes, and has no dependencies', async () => {
    const chunk = await bundleClient()
    expect(chunk.imports).toEqual([])
    const strangers = chunk.moduleIds.filter((id) => !/\/src\/client(\.ts$|\/)/.test(id))
    expect(strangers).toEqual([])
    expect(chunk.code).toContain('X-Auth-Return-Redirect')
    expect(brotliCompressSync(chunk.code).length).toBeLessThan(3000)
  })
})

function openClientWithCsrf() {
  return open().client
}
