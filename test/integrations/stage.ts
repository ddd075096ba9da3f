import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { createProvider } from '../../docs/examples/demo/provider.ts'
import { openPort, type OpenPort } from '../../docs/examples/demo/serve.ts'
import { launchBrowser } from '../support/browser.ts'
import { watch } from '../support/demo/watch-page.ts'
import { findApp, type App } from './apps.ts'
import { top } from './run.ts'
import { findFreeOrigin, serveApp, type Served } from './serve-app.ts'

/** The PIN of every user of the examples, a literal in their provider's configuration. */
export const pin = '2718-2818'

/** Browsers with and without JavaScript. */
export const scripted = { javaScriptEnabled: true } as const
export const plain = { javaScriptEnabled: false } as const

/** A served example, and a browser, which starts when a test first uses it. */
export interface Stage {
  readonly origin: () => string
  readonly basePath: string
  /** Opens a new user agent. The test fails on a request to another machine and on any console error. */
  readonly browse: (
    options: { readonly javaScriptEnabled: boolean },
    visit: (page: Page, context: BrowserContext) => Promise<void>,
  ) => Promise<void>
  /** Signs in as Ada at the provider. */
  readonly chooseAda: (page: Page) => Promise<void>
  readonly directory: string
  /** The text that the server has written to stderr. */
  readonly errors: () => string
}

/** Serves an example for the tests of a file, with an OpenID provider. */
export function openStage(name: string): Stage {
  return openStageOf(findApp(name))
}

interface StageOptions {
  /** Hides the errors of the application, for a test that causes many. */
  readonly isQuiet?: boolean
  /** Further environment variables of the application. */
  readonly environment?: Readonly<Record<string, string>>
}

/** The same for any application. */
export function openStageOf(app: App, { isQuiet, environment: more }: StageOptions = {}): Stage {
  const { basePath = '/auth' } = app
  let provider: OpenPort
  let browser: Promise<Browser> | undefined
  let served: Served | undefined
  let origin = ''

  beforeAll(async () => {
    provider = await openPort('127.0.0.1', 0)
    origin = await findFreeOrigin()
    const secret = randomBytes(32).toString('base64url')
    const redirectUris = [`${origin}${basePath}/callback/demo`]
    const clients = [{ client_id: 'example', client_secret: secret, redirect_uris: redirectUris }]
    provider.answer(await createProvider({ issuer: provider.origin, clients }))
    const environment = {
      AUTH_SECRET: randomBytes(32).toString('base64url'),
      AUTH_DEMO_ISSUER: provider.origin,
      AUTH_DEMO_ID: 'example',
      AUTH_DEMO_SECRET: secret,
      ...more,
    }
    served = serveApp(app, origin, environment, isQuiet)
    await served.ready
  })
  afterAll(async () => {
    await (await browser)?.close()
    await served?.end()
    await provider?.close()
  })

  return {
    origin: () => origin,
    basePath,
    directory: join(top, app.directory),
    errors: () => served?.errors() ?? '',
    async chooseAda(page) {
      await page.waitForURL(`${provider.origin}/**`)
      await page.locator('button[name=user]', { hasText: 'Ada' }).click()
    },
    async browse({ javaScriptEnabled }, visit) {
      browser ??= launchBrowser()
      const context = await (
        await browser
      ).newContext({
        javaScriptEnabled,
        extraHTTPHeaders: { ...app.proxy?.headers },
      })
      const seen = watch(context)
      const page = await context.newPage()
      page.setDefaultTimeout(30_000)
      await visit(page, context)
      await context.close()
      expect(seen.strangers()).toEqual([])
      // Chromium logs a refused request of a script, and a request that ends because the user leaves the page.
      const isMeant = (text: string) => /status of (400|401|403)|Failed to fetch/.test(text)
      expect(seen.complaints().filter((text) => !isMeant(text))).toEqual([])
    },
  }
}
