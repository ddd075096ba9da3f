import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDemo, type Demo } from '../../docs/examples/demo/demo.ts'
import { launchBrowser } from '../support/browser.ts'
import { recordFlows } from '../support/journeys/browsers.ts'
import { watch } from '../support/demo/watch-page.ts'

describe('the demo in a browser', () => {
  let demo: Demo
  let browser: Browser

  beforeAll(async () => {
    demo = await startDemo({ port: 0, logger: recordFlows({ error() {}, warn() {} }) })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.close()
  })

  /** Opens a new user agent. The test fails on a request to another machine and on any console error. */
  const browse = async (
    visit: (page: Page, context: BrowserContext) => Promise<void>,
    javaScriptEnabled = true,
  ) => {
    const context = await browser.newContext({ javaScriptEnabled })
    const seen = watch(context)
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    await visit(page, context)
    await context.close()
    expect(seen.strangers()).toEqual([])
    expect(seen.complaints()).toEqual([])
  }

  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()
  const pathOf = (page: Page) => new URL(page.url()).pathname

  /** Requests the protected page, and continues to the provider's form. */
  const begin = async (page: Page) => {
    await page.goto(`${demo.origin}/protected`)
    expect(pathOf(page)).toBe('/auth/signin')
    expect(await page.getByRole('status').innerText()).toBe('Please sign in to see this page.')
    await page.getByRole('button', { name: 'Sign in with Demo ID' }).click()
    await page.waitForURL(`${demo.issuer}/interaction/*`)
  }

  const isRefused = async (page: Page, path: string) => {
    await page.goto(`${demo.origin}${path}`)
    return pathOf(page) === '/auth/signin'
  }

  const signInAndOut = async (page: Page, context: BrowserContext) => {
    await page.goto(demo.origin)
    expect(await heading(page)).toBe('Sign in without an account')
    expect(await isRefused(page, '/profile')).toBe(true)

    await begin(page)
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.waitForURL(`${demo.origin}/protected`)
    expect(await heading(page)).toBe('For signed-in users only')
    const cookies = (await context.cookies(demo.origin)).filter(({ name }) =>
      name.startsWith('authjs.session'),
    )
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Lax' }])

    await page.getByRole('link', { name: 'Profile' }).click()
    const session = JSON.parse(await page.locator('#session').innerText()) as unknown
    expect(session).toMatchObject({ user: { name: 'Ada Lovelace', email: 'ada@example.com' } })
    await page.reload()
    expect(JSON.parse(await page.locator('#session').innerText())).toEqual(session)

    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await isRefused(page, '/profile')).toBe(true)
    expect(await isRefused(page, '/protected')).toBe(true)
    const after = await context.request.get(`${demo.origin}/auth/session`)
    expect(await after.json()).toBeNull()
  }

  it('ATN-011 RTE-003 SE-10 signs in at the provider, keeps the session across a reload, and signs out', () =>
    browse(signInAndOut))

  it('works without JavaScript', () => browse(signInAndOut, false))

  it('signs in another user by name', () =>
    browse(async (page) => {
      await begin(page)
      await page.getByLabel('Or sign in as').fill('<b>Zoë</b>')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.goto(`${demo.origin}/profile`)
      expect(await page.locator('.identity strong').innerText()).toBe('<b>Zoë</b>')
    }))

  it('TX-11 IL-04 returns a user who cancels to the sign-in page, which explains what to do', () =>
    browse(async (page) => {
      await begin(page)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.waitForURL(`${demo.origin}/auth/signin?error=OAuthCallbackError&code=access_denied`)
      expect(await page.getByRole('status').innerText()).toBe('Sign-in was cancelled.')
      expect(await page.content()).not.toContain('cancelled the sign-in')
      expect(await isRefused(page, '/protected')).toBe(true)
    }))

  it('TX-02 shows the error page for a response with a changed state', () =>
    browse(async (page, { request }) => {
      await begin(page)
      const chosen = await request.post(page.url(), { form: { user: 'ada' }, maxRedirects: 0 })
      const resumed = await request.get(chosen.headers().location ?? '', { maxRedirects: 0 })
      const back = new URL(resumed.headers().location ?? '')
      back.searchParams.set('state', 'changed')
      await page.goto(back.href)
      expect(pathOf(page)).toBe('/auth/error')
      expect(await heading(page)).not.toBe('')
      expect(await isRefused(page, '/protected')).toBe(true)
    }))
})
