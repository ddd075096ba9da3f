import { createRequestListener } from '@remix-run/node-fetch-server'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPort, type OpenPort } from '../../docs/examples/demo/serve.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import Credentials from '../../src/providers/credentials.ts'
import type { ReactAuth } from '../../src/react.ts'
import type { AppProps } from '../react/app.ts'
import { bundlePage, type ReactPage } from '../react/bundle-page.ts'
import { launchBrowser } from '../support/browser.ts'
import { watch } from '../support/demo/watch-page.ts'
import { react18 } from './apps.ts'

/** The globals of test/react/in-browser.ts. */
declare const client: ReactAuth
declare const reported: readonly string[]
declare const show: (session: object | null) => void

const versions = [
  { name: 'React 19', packages: 'node_modules' },
  { name: 'React 18', packages: `${react18.directory}/node_modules` },
]

describe.each(versions)('authmachine/react on $name', ({ packages }) => {
  let page: ReactPage
  let port: OpenPort
  let browser: Browser
  let isDown = false

  beforeAll(async () => {
    page = await bundlePage(packages)
    const auth = createAuth({
      secret: 'a secret for the tests of React, long enough',
      trustHost: true,
      providers: [
        Credentials({
          credentials: { name: {} },
          authorize: ({ name }) => ({ id: String(name), name: String(name) }),
        }),
      ],
    })
    port = await openPort('localhost', 0)
    port.answer(
      createRequestListener(async (request) => {
        const { pathname, searchParams } = new URL(request.url)
        if (isDown && pathname === '/auth/session') return new Response('null', { status: 503 })
        if (pathname.startsWith('/auth/')) return auth.handler(request)
        const script = { headers: { 'content-type': 'text/javascript' } }
        if (pathname === '/page.js') return new Response(page.script, script)
        const props = {
          suspends: searchParams.has('suspends'),
          ...(searchParams.has('session') && { session: await auth.getSession(request) }),
        }
        return new Response(write(props), { headers: { 'content-type': 'text/html' } })
      }),
    )
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await port?.close()
  })

  const write = (props: AppProps) => `<!doctype html><title>Home</title><link rel="icon" href="data:,">
    <main>${page.render(props)}</main>
    <script id="props" type="application/json">${JSON.stringify(props)}</script>
    <script type="module" src="/page.js"></script>`

  /** Opens a new user agent. The test fails on a request to another machine and on any console error. */
  async function browse(visit: (tab: Page, context: BrowserContext) => Promise<void>): Promise<void> {
    const context = await browser.newContext()
    const seen = watch(context)
    const tab = await context.newPage()
    tab.setDefaultTimeout(10_000)
    await visit(tab, context)
    await context.close()
    expect(seen.strangers()).toEqual([])
    expect(seen.complaints().filter((text) => !text.includes('503'))).toEqual([])
  }

  const go = (tab: Page, query = '') => tab.goto(`${port.origin}/${query}`)
  const shows = (tab: Page, who: string) => tab.locator('#who', { hasText: who }).waitFor()
  const enter = (tab: Page, name: string) =>
    tab.evaluate((given) => client.signIn('credentials', { name: given, redirect: false }), name)

  it('EMB-001 fetches the session, and follows sign-ins and sign-outs', () =>
    browse(async (tab) => {
      await go(tab)
      await shows(tab, 'nobody')
      expect(await enter(tab, 'Grace')).toMatchObject({ ok: true })
      await shows(tab, 'Grace')
      await tab.evaluate(() => client.signOut({ redirect: false }))
      await shows(tab, 'nobody')
      expect(await tab.evaluate(() => reported)).toEqual([])
    }))

  it.each(['?session', '?session&suspends'])('EMB-026 hydrates what the server rendered: %s', (query) =>
    browse(async (tab) => {
      await go(tab)
      await enter(tab, 'Grace')
      const html = await (await go(tab, query))?.text()
      expect(html).toContain('<p id="who">Grace</p>')
      await tab.waitForLoadState('networkidle')
      await shows(tab, 'Grace')
      expect(await tab.evaluate(() => reported)).toEqual([])
    }),
  )

  it('EMB-003 updates other tabs', () =>
    browse(async (here, context) => {
      const there = await context.newPage()
      await go(here)
      await go(there, '?session')
      await shows(there, 'nobody')
      await enter(here, 'Grace')
      await shows(there, 'Grace')
      await there.evaluate(() => client.signOut({ redirect: false }))
      await shows(here, 'nobody')
    }))

  it('shows a session that the server sends later', () =>
    browse(async (tab) => {
      await go(tab, '?session')
      await tab.waitForLoadState('networkidle')
      await tab.evaluate(() => show({ user: { name: 'Ada' }, expires: '2030-01-01T00:00:00.000Z' }))
      await shows(tab, 'Ada')
      await tab.evaluate(() => show(null))
      await shows(tab, 'nobody')
    }))

  /** Sends a form as a server action does: the client does not notice. */
  const act = (tab: Page, path: string, fields: Record<string, string>) =>
    tab.evaluate(
      async ([action, given]) => {
        const csrfToken = (await client.getCsrfToken()) ?? ''
        await fetch(action, { method: 'POST', body: new URLSearchParams({ ...given, csrfToken }) })
        // The server renders the page again.
        show(await client.getSession())
      },
      [path, fields] as const,
    )

  it.each(['', '?session'])('EMB-003 notices the end of a session that the server sent later: /%s', (query) =>
    browse(async (here, context) => {
      const there = await context.newPage()
      for (const tab of [here, there]) await go(tab, query)
      for (const tab of [here, there]) await tab.waitForLoadState('networkidle')
      await act(here, '/auth/callback/credentials', { name: 'Grace' })
      await shows(here, 'Grace')
      await there.evaluate(() => client.signOut({ redirect: false }))
      await shows(here, 'nobody')
    }),
  )

  it('EMB-003 notices the session that follows a sign-out on the server', () =>
    browse(async (here, context) => {
      const there = await context.newPage()
      await go(here)
      await enter(here, 'Grace')
      for (const tab of [here, there]) await go(tab, '?session')
      for (const tab of [here, there]) await tab.waitForLoadState('networkidle')
      await act(here, '/auth/signout', {})
      await shows(here, 'nobody')
      await enter(there, 'Grace')
      await shows(here, 'Grace')
    }))

  it('suspends until the session is known, and fetches it again after an error', () =>
    browse(async (tab) => {
      await go(tab)
      await enter(tab, 'Grace')
      expect(await (await go(tab, '?suspends'))?.text()).toContain('<p id="fallback">Loading</p>')
      await shows(tab, 'Grace')
      await tab.evaluate(() => client.signOut({ redirect: false }))
      await shows(tab, 'nobody')
      isDown = true
      await go(tab, '?suspends')
      await tab.locator('#retry', { hasText: 'status 503' }).waitFor()
      isDown = false
      await tab.locator('#retry').click()
      await shows(tab, 'nobody')
    }))
})
