import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { createProvider } from '../../docs/examples/demo/provider.ts'
import { openPort, type OpenPort } from '../../docs/examples/demo/serve.ts'
import { launchBrowser } from '../support/browser.ts'
import { watch } from '../support/demo/watch-page.ts'
import { apps } from './apps.ts'

/** The PIN of everybody at the examples, a literal in the configuration of their provider. */
export const pin = '2718-2818'

/** An example as it is served, and a browser. */
export interface Stage {
  readonly origin: () => string
  /** A new user agent; whatever it does, it asks no other machine and has nothing to complain of. */
  readonly browse: (
    options: { readonly javaScriptEnabled: boolean },
    visit: (page: Page, context: BrowserContext) => Promise<void>,
  ) => Promise<void>
  /** At the provider: says who one is. */
  readonly chooseAda: (page: Page) => Promise<void>
  readonly directory: string
}

/** Serves an example for the tests of a file, with an OpenID provider beside it. */
export function openStage(name: string, basePath = '/auth'): Stage {
  const app = apps.find((each) => each.name === name)
  const directory = fileURLToPath(new URL(`../../docs/examples/${name}/`, import.meta.url))
  return openStageAt(directory, app?.serve ?? [], basePath)
}

/** Serves an application for the tests of a file, by what Node runs in its directory. */
export function openStageAt(directory: string, serve: readonly string[], basePath: string): Stage {
  let provider: OpenPort
  let browser: Browser
  let child: ChildProcess | undefined
  let origin = ''

  beforeAll(async () => {
    provider = await openPort('127.0.0.1', 0)
    origin = await findFreeOrigin()
    const secret = randomBytes(32).toString('base64url')
    const redirectUris = [`${origin}${basePath}/callback/demo`]
    const clients = [{ client_id: 'example', client_secret: secret, redirect_uris: redirectUris }]
    provider.answer(await createProvider({ issuer: provider.origin, clients }))
    child = spawn(process.execPath, [...serve], {
      cwd: directory,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        NEXT_TELEMETRY_DISABLED: '1',
        PORT: new URL(origin).port,
        ORIGIN: origin,
        AUTH_URL: origin,
        AUTH_SECRET: randomBytes(32).toString('base64url'),
        AUTH_DEMO_ISSUER: provider.origin,
        AUTH_DEMO_ID: 'example',
        AUTH_DEMO_SECRET: secret,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await untilItPrints(child, origin)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    const ended = new Promise((resolve) => child?.once('exit', resolve) ?? resolve(undefined))
    child?.kill()
    if (child?.exitCode === null) await ended
    await provider?.close()
  })

  return {
    origin: () => origin,
    directory,
    async chooseAda(page) {
      await page.waitForURL(`${provider.origin}/**`)
      await page.locator('button[name=user]', { hasText: 'Ada' }).click()
    },
    async browse({ javaScriptEnabled }, visit) {
      const context = await browser.newContext({ javaScriptEnabled })
      const seen = watch(context)
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      await visit(page, context)
      await context.close()
      expect(seen.strangers()).toEqual([])
      // A script that is refused is answered so.
      expect(seen.complaints().filter((text) => !text.includes('status of 403'))).toEqual([])
    },
  }
}

/** A port that nobody listens at; the system hands out others first before it gives this one again. */
async function findFreeOrigin(): Promise<string> {
  const port = await openPort('localhost', 0)
  await port.close()
  return port.origin
}

/** What a server prints first says that it listens. */
async function untilItPrints(child: ChildProcess, origin: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => {
      if (text.includes(origin)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The application ended with ${code}`)))
    child.once('error', reject)
  })
}
