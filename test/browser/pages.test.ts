import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRequestListener } from '@remix-run/node-fetch-server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPort, type OpenPort } from '../../docs/examples/demo/serve.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import Auth0 from '../../src/providers/auth0.ts'
import Credentials from '../../src/providers/credentials.ts'
import GitHub from '../../src/providers/github.ts'
import Google from '../../src/providers/google.ts'
import { findInaccessible } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { recordFlows } from '../support/journeys/browsers.ts'
import { watch } from '../support/demo/watch-page.ts'

const pages: readonly (readonly [name: string, path: string])[] = [
  ['signin', 'signin'],
  ['signin-not-linked', 'signin?error=OAuthAccountNotLinked'],
  ['signout', 'signout'],
  ['error', 'error'],
  ['error-configuration', 'error?error=Configuration'],
  ['error-access-denied', 'error?error=AccessDenied'],
  ['error-verification', 'error?error=Verification'],
  ['verify-request', 'verify-request'],
  ['not-found', 'nothing'],
]
const hostile = `"><script>document.title='taken'</script>`

describe('the built-in pages in a browser', () => {
  let port: OpenPort
  let browser: Browser
  let folder: string

  beforeAll(async () => {
    port = await openPort('localhost', 0)
    const site = {
      secret: 'a secret for the page tests that is long enough',
      trustHost: true,
      debug: true,
      logger: recordFlows({ error() {}, warn() {} }),
    }
    const client = { clientId: 'id', clientSecret: 'secret' }
    const { handler } = createAuth({
      ...site,
      providers: [
        GitHub(client),
        Google({ ...client, style: { brandColor: '#4285f4', logo: 'https://logos.example/google.svg' } }),
        Auth0({ ...client, issuer: 'https://tenant.example' }),
        Credentials({
          name: 'Password',
          credentials: {
            username: { label: 'Name', required: true },
            password: { label: 'Password', type: 'password' },
          },
          authorize: () => null,
        }),
      ],
    })
    const hosts = createAuth({
      ...site,
      basePath: '/hostile',
      providers: [GitHub({ ...client, name: hostile })],
    })
    const framing = new Response('<iframe src="/auth/signin"></iframe>', {
      headers: { 'content-type': 'text/html' },
    })
    port.answer(
      createRequestListener(async (request) => {
        const { pathname } = new URL(request.url)
        if (pathname === '/framing') return framing.clone()
        return pathname.startsWith('/hostile') ? hosts.handler(request) : handler(request)
      }),
    )
    folder = process.env.SCREENSHOTS ?? (await mkdtemp(join(tmpdir(), 'authmachine-pages-')))
    await mkdir(folder, { recursive: true })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await port?.close()
    console.log(`Screenshots of the built-in pages are in ${folder}`)
  })

  it.each(['light', 'dark'] as const)(
    'DEC-32c CK-13 passes the accessibility checks on every page, %s',
    async (colorScheme) => {
      const context = await browser.newContext({ colorScheme })
      const seen = watch(context)
      const page = await context.newPage()
      for (const [name, path] of pages) {
        await page.goto(`${port.origin}/auth/${path}`)
        const scrolling: number[] = []
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: 720 })
          await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true })
          scrolling.push(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
        }
        const unreached = await findUnreached(page)
        const inaccessible = await findInaccessible(page)
        expect({ name, scrolling, unreached, inaccessible }).toEqual({
          name,
          scrolling: [0, 0],
          unreached: [],
          inaccessible: [],
        })
      }
      await context.close()
      expect(seen.strangers()).toEqual([])
      expect(seen.complaints()).toEqual([])
    },
  )

  it('IL-05 shows input as text', async () => {
    const page = await browser.newPage()
    await page.goto(
      `${port.origin}/hostile/signin?${new URLSearchParams({ error: hostile, callbackUrl: hostile })}`,
    )
    expect(await page.getByRole('button', { name: hostile }).innerText()).toContain(hostile)
    expect(await page.title()).toBe('Sign in')
    await page.close()
  })

  it('DEC-32a CK-13 cannot be shown in a frame', async () => {
    const page = await browser.newPage()
    const refusal = page.waitForEvent('console', {
      predicate: (message) => message.text().includes('frame-ancestors'),
      timeout: 10_000,
    })
    await page.goto(`${port.origin}/framing`)
    await refusal
    expect(await page.frames()[1]?.locator('h1').count()).toBe(0)
    await page.close()
  })
})

/** Controls that Tab does not reach, or that are not visible when focused. */
async function findUnreached(page: Page): Promise<readonly string[]> {
  const controls = page.locator('a[href], button, summary, input:not([type=hidden])')
  const names = await controls.evaluateAll((all) => all.map((each) => each.outerHTML))
  const shown = new Set<string>()
  for (const _ of names) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      if (!element) return undefined
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return {
        name: element.outerHTML,
        isShown: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
      }
    })
    if (focused?.isShown) shown.add(focused.name)
  }
  return names.filter((name) => !shown.has(name))
}
