import { createRequestListener } from '@remix-run/node-fetch-server'
import { URI } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPort, type OpenPort } from '../../docs/examples/demo/serve.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import Credentials from '../../src/providers/credentials.ts'
import Passkey from '../../src/providers/passkey.ts'
import { launchBrowser } from '../support/browser.ts'
import { watch } from '../support/demo/watch-page.ts'
import { recordFlows } from '../support/journeys/browsers.ts'
import { withFactor } from '../support/second-factor.ts'
import { openAuthenticators, plugIn } from '../support/virtual-authenticator.ts'

/** Reads the QR code as a phone does: from the pixels that the browser shows, in a dark colour scheme. */
async function scan(page: Page): Promise<string> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const screenshot = await page.locator('svg.qr').screenshot()
  const image = await page.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]))
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
      context?.drawImage(bitmap, 0, 0)
      const { width, height } = bitmap
      return { width, height, data: [...(context?.getImageData(0, 0, width, height).data ?? [])] }
    },
    [...screenshot],
  )
  return decodeQR({ ...image, data: Uint8Array.from(image.data) })
}

describe('a passkey as the second factor, in a browser', () => {
  let port: OpenPort
  let browser: Browser

  beforeAll(async () => {
    const adapter = memoryAdapter()
    await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
    const { handler } = createAuth({
      secret: 'a secret for the passkey tests that is long enough',
      trustHost: true,
      adapter,
      session: { strategy: 'database' },
      experimental: { enableWebAuthn: true },
      providers: [
        Credentials({ credentials: {}, authorize: () => ({ id: 'ada', email: 'ada@example.com' }) }),
        Passkey({ enableConditionalUI: false }),
      ],
      ...withFactor(),
      debug: true,
      logger: recordFlows({ error() {}, warn() {} }),
    })
    const home = () =>
      new Response('<title>Home</title><h1>Home</h1>', { headers: { 'content-type': 'text/html' } })
    port = await openPort('localhost', 0)
    port.answer(
      createRequestListener(async (request) =>
        new URL(request.url).pathname.startsWith('/auth/') ? handler(request) : home(),
      ),
    )
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await port?.close()
  })

  const enter = async (page: Page) => {
    await page.goto(`${port.origin}/auth/signin`)
    await page.getByRole('button', { name: 'Sign in with Credentials' }).click()
  }

  const amrOf = async (page: Page) => {
    const session = (await (await page.request.get(`${port.origin}/auth/session`)).json()) as {
      amr?: string[]
    }
    return session?.amr
  }

  const enrol = async (page: Page) => {
    await page.goto(`${port.origin}/auth/factor-enrolment`)
    const scanned = await scan(page)
    expect(scanned).toBe(await page.getByRole('link', { name: 'open it in an app' }).getAttribute('href'))
    const totp = URI.parse(scanned)
    await page.getByLabel('Code').fill('period' in totp ? totp.generate() : '')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor()
  }

  it('SF-17 finishes a sign-in with one press, and shows the button only if it works', async () => {
    const context = await browser.newContext()
    const seen = watch(context)
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    const authenticator = await plugIn(await openAuthenticators(page))
    await enter(page)
    await page.waitForURL(`${port.origin}/`)
    await page.goto(`${port.origin}/auth/signin`)
    await page.locator('#passkey-form').getByLabel('Email').fill('ada@example.com')
    await page.getByRole('button', { name: 'Register with Passkey' }).click()
    await page.waitForURL(`${port.origin}/`)
    await enrol(page)
    await context.clearCookies()
    await enter(page)
    await page.waitForURL(`${port.origin}/auth/factor`)
    const button = page.getByRole('button', { name: 'Use a passkey instead' })
    await authenticator.verify(false)
    await button.click()
    await page.getByRole('alert').waitFor()
    await authenticator.verify(true)
    await button.click()
    await page.waitForURL(`${port.origin}/`)
    expect(await amrOf(page)).toEqual(['pwd', 'pop', 'mfa'])
    await context.close()
    expect(seen.strangers()).toEqual([])
    expect(seen.complaints()).toEqual([])

    const plain = await browser.newContext({ javaScriptEnabled: false })
    const other = await plain.newPage()
    await enter(other)
    await other.waitForURL(`${port.origin}/auth/factor`)
    expect(await other.getByRole('button').allInnerTexts()).toEqual(['Continue'])
    await plain.close()
  })
})
