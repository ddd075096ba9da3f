import { createRequestListener } from '@remix-run/node-fetch-server'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPort, type OpenPort } from '../../docs/examples/demo/serve.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import type { AuthClient } from '../../src/client/create-auth-client.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import Credentials from '../../src/providers/credentials.ts'
import Passkey from '../../src/providers/passkey.ts'
import { bundleClient } from '../client/bundle.ts'
import { launchBrowser } from '../support/browser.ts'
import { recordFlows } from '../support/journeys/browsers.ts'
import { watch } from '../support/demo/watch-page.ts'
import { openAuthenticators, plugIn } from '../support/virtual-authenticator.ts'

/** An application's page. It shows who is signed in, and exposes the client as a global variable. */
const html = `<!doctype html><title>Home</title><link rel="icon" href="data:,"><p id="who">?</p>
<script type="module">
  import { createAuthClient } from '/client.js'
  globalThis.client = createAuthClient()
  client.watchSession((session) => (document.querySelector('#who').textContent = session?.user?.email ?? session?.user?.name ?? 'nobody'))
</script>`

/** The global variable of the page above. */
declare const client: AuthClient

describe('the client in a browser', () => {
  let port: OpenPort
  let browser: Browser

  beforeAll(async () => {
    const { code } = await bundleClient()
    const auth = createAuth({
      secret: 'a secret for the client tests that is long enough',
      trustHost: true,
      adapter: memoryAdapter(),
      session: { strategy: 'jwt' },
      experimental: { enableWebAuthn: true },
      providers: [
        Passkey({}),
        Credentials({
          credentials: { pin: {} },
          authorize: ({ pin }) => (pin === '1234' ? { id: 'bob', email: 'bob@example.com' } : null),
        }),
      ],
      debug: true,
      logger: recordFlows({ error() {}, warn() {} }),
    })
    port = await openPort('localhost', 0)
    port.answer(
      createRequestListener(async (request) => {
        const { pathname } = new URL(request.url)
        if (pathname.startsWith('/auth/')) return auth.handler(request)
        return pathname === '/client.js'
          ? new Response(code, { headers: { 'content-type': 'text/javascript' } })
          : new Response(html, { headers: { 'content-type': 'text/html' } })
      }),
    )
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await port?.close()
  })

  /** Opens a new user agent. The test fails on any console error. */
  async function browse(visit: (context: BrowserContext) => Promise<void>): Promise<void> {
    const context = await browser.newContext()
    const seen = watch(context)
    await visit(context)
    await context.close()
    expect(seen.strangers()).toEqual([])
    expect(seen.complaints()).toEqual([])
  }

  async function openTab(context: BrowserContext, path = '/'): Promise<Page> {
    const page = await context.newPage()
    await page.goto(`${port.origin}${path}`)
    return page
  }

  const shows = (page: Page, who: string) => page.locator('#who', { hasText: who }).waitFor()

  it('EMB-001 EMB-003 signs in and out, and the other tab follows', () =>
    browse(async (context) => {
      const [here, there] = [await openTab(context), await openTab(context, '/other')]
      await shows(here, 'nobody')
      await shows(there, 'nobody')
      const refused = await here.evaluate(() =>
        client.signIn('credentials', { pin: '4321', redirect: false }),
      )
      expect(refused).toMatchObject({ ok: false, error: 'CredentialsSignin' })
      await here.evaluate(() => void client.signIn('credentials', { pin: '1234', redirectTo: '/welcome' }))
      await here.waitForURL(`${port.origin}/welcome`)
      await shows(here, 'bob@example.com')
      await shows(there, 'bob@example.com')
      await there.evaluate(() => client.signOut({ redirect: false }))
      await shows(there, 'nobody')
      await shows(here, 'nobody')
    }))

  it('EMB-005 registers a passkey, and signs in with it', () =>
    browse(async (context) => {
      const page = await openTab(context)
      await plugIn(await openAuthenticators(page))
      const made = await page.evaluate(() =>
        client.registerPasskey({ email: 'ada@example.com', redirect: false }),
      )
      expect(made).toMatchObject({ ok: true })
      await shows(page, 'ada@example.com')
      await page.evaluate(() => client.signOut({ redirect: false }))
      await shows(page, 'nobody')
      await page.evaluate(() => void client.signInWithPasskey({ redirectTo: '/welcome' }))
      await page.waitForURL(`${port.origin}/welcome`)
      await shows(page, 'ada@example.com')
    }))
})
