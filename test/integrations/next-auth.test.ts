import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createRequestListener } from '@remix-run/node-fetch-server'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, type Rolldown } from 'vite'
import { createProvider } from '../../docs/examples/demo/provider.ts'
import { openPort, type OpenPort } from '../../docs/examples/demo/serve.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import Credentials from '../../src/providers/credentials.ts'
import { launchBrowser } from '../support/browser.ts'
import { watch } from '../support/demo/watch-page.ts'

/** The exports of `next-auth/react`, and the result of its useSession, as fuzz/peers/next-auth/page.js exposes them. */
declare const client: {
  readonly getCsrfToken: () => Promise<string>
  readonly getProviders: () => Promise<Readonly<Record<string, { readonly type: string }>>>
  readonly getSession: () => Promise<{ readonly user: { readonly name: string } } | null>
  readonly signIn: (provider?: string, options?: object, authorizationParams?: object) => Promise<unknown>
  readonly signOut: (options?: object) => Promise<unknown>
  readonly update: (data?: object) => Promise<unknown>
}

/** Bundles the client with React, as a page loads it. */
async function bundlePage(): Promise<string> {
  const root = fileURLToPath(new URL('../../fuzz/peers/next-auth/', import.meta.url))
  const variables = ['NEXTAUTH_URL', 'NEXTAUTH_URL_INTERNAL', 'VERCEL_URL']
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    define: Object.fromEntries(variables.map((name) => [`process.env.${name}`, 'undefined'])),
    build: { write: false, rolldownOptions: { input: `${root}page.js` } },
  })) as Rolldown.RolldownOutput
  return output[0].code
}

const pin = '2718-2818'
let code = ''

beforeAll(async () => void (code = await bundlePage()))

describe.each(['/api/auth', '/auth'])('the next-auth client at %s', (basePath) => {
  let site: OpenPort
  let provider: OpenPort
  let browser: Browser

  beforeAll(async () => {
    provider = await openPort('127.0.0.1', 0)
    site = await openPort('localhost', 0)
    const clientSecret = randomBytes(32).toString('base64url')
    const redirect_uris = [`${site.origin}${basePath}/callback/demo`]
    const clients = [{ client_id: 'site', client_secret: clientSecret, redirect_uris }]
    provider.answer(await createProvider({ issuer: provider.origin, clients }))
    const auth = createAuth({
      basePath,
      secret: randomBytes(32).toString('base64url'),
      trustHost: true,
      providers: [
        {
          id: 'demo',
          name: 'Demo ID',
          type: 'oidc',
          issuer: provider.origin,
          clientId: 'site',
          clientSecret,
        },
        Credentials({
          credentials: { name: {}, pin: {} },
          authorize: (given) => (given.pin === pin ? { id: 'grace', name: String(given.name) } : null),
        }),
      ],
      callbacks: {
        jwt: ({ token, trigger, session }) => (trigger === 'update' ? Object.assign(token, session) : token),
      },
      logger: { error() {}, warn() {} },
    })
    site.answer(
      createRequestListener(async (request) => {
        const { pathname, searchParams } = new URL(request.url)
        if (pathname.startsWith(`${basePath}/`)) return auth.handler(request)
        return pathname === '/page.js'
          ? new Response(code, { headers: { 'content-type': 'text/javascript' } })
          : new Response(writePage(searchParams.has('required')), {
              headers: { 'content-type': 'text/html' },
            })
      }),
    )
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    await provider?.close()
  })

  /** Without a base path the client uses /api/auth. */
  function writePage(isRequired: boolean): string {
    const named = basePath === '/api/auth' ? '' : ` data-base-path="${basePath}"`
    return `<!doctype html><title>Home</title><link rel="icon" href="data:,">
      <body${named}${isRequired ? ' data-required="true"' : ''}><main></main>
      <script type="module" src="/page.js"></script>`
  }

  /** Opens a new user agent. The test fails on a request to another machine and on any console error. */
  async function browse(visit: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
    const context = await browser.newContext()
    const seen = watch(context)
    await visit(await openTab(context, '/'), context)
    await context.close()
    expect(seen.strangers()).toEqual([])
    // The client fetches the session twice, and logs an error if the page is left in between.
    expect(seen.complaints().filter((text) => !text.includes('Failed to fetch'))).toEqual([])
  }

  async function openTab(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage()
    await page.goto(site.origin + path)
    await page.locator('#who', { hasNotText: '?' }).waitFor()
    return page
  }

  const shows = (page: Page, who: string) => page.getByText(who, { exact: true }).waitFor()
  const nameAt = (page: Page) =>
    page.evaluate(() => client.getSession().then((session) => session?.user.name))
  const enterPin = (page: Page, typed: string) =>
    page.evaluate(
      (given) => client.signIn('credentials', { name: 'Grace', pin: given, redirect: false }),
      typed,
    )

  it('WIR-001 WIR-006 WIR-010 WIR-012 ERR-006 signs in with credentials and out without leaving the page', () =>
    browse(async (page) => {
      await shows(page, 'nobody')
      expect(await nameAt(page)).toBeUndefined()
      expect(await page.evaluate(() => client.getCsrfToken())).toMatch(/^[0-9a-f]{64}$/)
      expect(await page.evaluate(() => client.getProviders())).toMatchObject({
        demo: { type: 'oidc', signinUrl: `${site.origin}${basePath}/signin/demo` },
        credentials: { type: 'credentials' },
      })
      expect(await enterPin(page, 'wrong')).toMatchObject({ error: 'CredentialsSignin', code: 'credentials' })
      await shows(page, 'nobody')
      expect(await enterPin(page, pin)).toMatchObject({ ok: true, status: 200 })
      await shows(page, 'Grace')
      expect(await page.evaluate(() => client.signOut({ redirect: false }))).toEqual({
        url: `${site.origin}/`,
      })
      await shows(page, 'nobody')
      expect(await nameAt(page)).toBeUndefined()
    }))

  it('WIR-006 navigates to the callbackUrl after a sign-in with credentials, and after a sign-out', () =>
    browse(async (page) => {
      const sign = (given: string) =>
        page.evaluate(
          (typed) => void client.signIn('credentials', { name: 'Grace', pin: typed, redirectTo: '/welcome' }),
          given,
        )
      await sign('wrong')
      await page.waitForURL((url) => url.pathname === `${basePath}/signin`)
      expect(new URL(page.url()).searchParams.get('error')).toBe('CredentialsSignin')
      await page.goto(site.origin)
      await shows(page, 'nobody')
      await sign(pin)
      await page.waitForURL(`${site.origin}/welcome`)
      await shows(page, 'Grace')
      await page.evaluate(() => void client.signOut({ redirectTo: '/bye' }))
      await page.waitForURL(`${site.origin}/bye`)
      await shows(page, 'nobody')
    }))

  it('WIR-006 WIR-012 signs in with OpenID Connect, with extra parameters', () =>
    browse(async (page) => {
      const asked = page.waitForRequest((request) => request.url().startsWith(`${provider.origin}/auth`))
      await page.evaluate(() => void client.signIn('demo', { redirectTo: '/welcome' }, { login_hint: 'ada' }))
      expect(new URL((await asked).url()).searchParams.get('login_hint')).toBe('ada')
      await page.locator('button[name=user]', { hasText: 'Ada' }).click()
      await page.waitForURL(`${site.origin}/welcome`)
      await shows(page, 'Ada Lovelace')
    }))

  it('WIR-014 opens the sign-in page without a provider, and where a session is required', () =>
    browse(async (page) => {
      const callbackUrl = `${site.origin}/?required`
      await page.goto(callbackUrl, { waitUntil: 'commit' })
      await page.waitForURL((url) => url.pathname === `${basePath}/signin`)
      const { searchParams } = new URL(page.url())
      expect(Object.fromEntries(searchParams)).toEqual({ error: 'SessionRequired', callbackUrl })
      await page.goto(site.origin)
      await page.locator('#who').waitFor()
      await page.evaluate(() => void client.signIn())
      await page.getByRole('button', { name: /Demo ID/ }).click()
      await page.locator('button[name=user]', { hasText: 'Ada' }).click()
      await page.waitForURL(`${site.origin}/`)
      await shows(page, 'Ada Lovelace')
    }))

  it('CBK-011 updates the session with data, and fetches it again', () =>
    browse(async (page) => {
      await enterPin(page, pin)
      await shows(page, 'Grace')
      const updated = await page.evaluate(() => client.update({ name: 'Countess' }))
      expect(updated).toMatchObject({ user: { name: 'Countess' } })
      await shows(page, 'Countess')
      expect(await page.evaluate(() => client.update())).toMatchObject({ user: { name: 'Countess' } })
      await page.reload()
      await shows(page, 'Countess')
    }))

  it('WIR-006 updates other tabs after a sign-in and a sign-out', () =>
    browse(async (here, context) => {
      const there = await openTab(context, '/other')
      await shows(there, 'nobody')
      // It notifies other tabs of a page's initial session, and of sign-outs.
      await enterPin(here, pin)
      await here.reload()
      await shows(there, 'Grace')
      await shows(here, 'Grace')
      await there.evaluate(() => client.signOut({ redirect: false }))
      await shows(there, 'nobody')
      await shows(here, 'nobody')
    }))
})
