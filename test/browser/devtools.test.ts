import { createRequestListener } from '@remix-run/node-fetch-server'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDemo, type Demo } from '../../docs/examples/demo/demo.ts'
import { openPort, type OpenPort } from '../../docs/examples/demo/serve.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createDevtools } from '../../src/devtools.ts'
import Credentials from '../../src/providers/credentials.ts'
import { skipCSRFCheck } from '../../src/types/symbols.ts'
import { findInaccessible } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { recordFlows } from '../support/journeys/browsers.ts'
import { watch } from '../support/demo/watch-page.ts'

const patience = { timeout: 20_000 }

let browser: Browser
let demo: Demo

beforeAll(async () => {
  browser = await launchBrowser()
  demo = await startDemo({ port: 0, logger: recordFlows({ error() {}, warn() {} }) })
})
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

/** Opens a user agent that may not contact other machines. The test fails on any console error. */
async function browse(
  visit: (context: BrowserContext) => Promise<void>,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<void> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(patience.timeout)
  const seen = watch(context)
  await visit(context)
  await context.close()
  expect(seen.strangers()).toEqual([])
  expect(seen.complaints()).toEqual([])
}

/** Opens the live trace of a site, once it receives updates. */
async function openTrace(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${origin}/devtools`)
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  return page
}

/** Goes to the demo's provider, and leaves the page at its sign-in form. */
async function begin(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${demo.origin}/protected`)
  await page.getByRole('button', { name: 'Sign in with Demo ID' }).click()
  await page.waitForURL(`${demo.issuer}/interaction/*`)
  return page
}

/** Signs in with a response whose state was changed, and ends at the error page. */
async function failByState(context: BrowserContext): Promise<Page> {
  const page = await begin(context)
  const chosen = await context.request.post(page.url(), { form: { user: 'ada' }, maxRedirects: 0 })
  const resumed = await context.request.get(chosen.headers().location ?? '', { maxRedirects: 0 })
  const back = new URL(resumed.headers().location ?? '')
  back.searchParams.set('state', 'changed')
  await page.goto(back.href)
  return page
}

/** Accessibility and layout problems of a page on a phone and on a desktop. */
async function findFaults(page: Page): Promise<unknown> {
  const scrolling: number[] = []
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 720 })
    scrolling.push(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
  }
  return { scrolling, inaccessible: await findInaccessible(page) }
}

const nothing = { scrolling: [0, 0], inaccessible: [] }

const lit = (page: Page, place: string) => page.locator(`.drawing .state[data-state="${place}"]`)

describe('the live trace of the demo', () => {
  it('is linked from the demo, and shows a sign-in as it happens', () =>
    browse(async (context) => {
      const home = await context.newPage()
      await home.goto(demo.origin)
      await home.getByRole('link', { name: 'Live trace', exact: true }).click()
      expect(new URL(home.url()).pathname).toBe('/devtools')
      const trace = await openTrace(context, demo.origin)
      await trace.evaluate(() => void (document.title = 'not reloaded'))
      const rowsOf = (flow: string) => trace.locator(`.run[data-flow=${flow}]`)
      const [begun, back] = [await rowsOf('sign-in').count(), await rowsOf('callback').count()]
      const page = await begin(context)
      await expect.poll(() => rowsOf('sign-in').count(), patience).toBe(begun + 1)
      expect(await rowsOf('sign-in').first().innerText()).toContain('sentToProvider')
      expect(await rowsOf('callback').count()).toBe(back)
      await page.getByRole('button', { name: 'Ada Lovelace' }).click()
      await page.waitForURL(`${demo.origin}/protected`)
      await expect.poll(() => rowsOf('callback').count(), patience).toBe(back + 1)
      const row = rowsOf('callback').first()
      expect(await row.innerText()).toContain('signedIn')
      expect(await row.getAttribute('class')).toBe('run success')
      expect(await trace.title()).toBe('not reloaded')
      // The read before the sign-in is routine; the one after it shows the new session.
      expect(await rowsOf('session').first().innerText()).toContain('presented')
      expect(await rowsOf('session').first().isVisible()).toBe(true)
      expect(await rowsOf('session').last().isVisible()).toBe(false)
      await trace.getByLabel('Hide routine session reads and passkey options').uncheck()
      expect(await rowsOf('session').last().isVisible()).toBe(true)

      const group = trace.locator('.group').filter({ has: row })
      expect(await group.getByRole('heading', { level: 2 }).innerText()).toBe('Sign-in with demo')
      expect(await group.locator('.outcome').innerText()).toBe('The browser has a new session.')
      const flows = await group.locator('.run').evaluateAll((runs) => runs.map(({ dataset }) => dataset.flow))
      expect(flows.slice(0, 3)).toEqual(['sign-in', 'callback', 'session'])

      await row.getByRole('link').click()
      expect(await trace.getByRole('heading', { level: 1 }).innerText()).toMatch(/^callback\s+signedIn$/)
      expect(await trace.locator('.siblings .run').count()).toBe(flows.length)
      expect(await trace.locator('.failure').count()).toBe(0)
      for (const place of ['readingResponse', 'exchangingCode', 'verifyingIdToken', 'admitting', 'signedIn'])
        expect(await lit(trace, place).getAttribute('class'), place).toMatch(/ lit$/)
      expect(await lit(trace, 'refused').getAttribute('class')).not.toContain('lit')
      expect(await lit(trace, 'exchangingCode').locator('.note').textContent()).toMatch(/^\d+ · [\d.]+ m?s$/)
      expect(await trace.locator('.path .hop').count()).toBeGreaterThan(10)
    }))

  it('DEC-37d shows a failed run from the error page, with the failing state highlighted and in view', () =>
    browse(async (context) => {
      const page = await failByState(context)
      expect(new URL(page.url()).pathname).toBe('/auth/error')
      await page.getByRole('link', { name: 'Show the trace' }).click()
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^callback\s+refused$/)
      const failure = page.locator('.failure')
      expect(await failure.getByRole('heading').innerText()).toBe('It ended in checkingResponse')
      for (const text of ['state.mismatched', 'What to do', 'InvalidCheck', 'TX-02'])
        expect(await failure.innerText()).toContain(text)
      const failing = lit(page, 'checkingResponse')
      expect(await failing.getAttribute('class')).toContain('lit failing refusal')
      expect(await failing.locator('.note').textContent()).toContain('failed')
      const strokes = await Promise.all(
        ['checkingResponse', 'openingChecks', 'exchangingCode'].map((place) =>
          lit(page, place)
            .locator('.box')
            .evaluate((box) => getComputedStyle(box).stroke),
        ),
      )
      expect(new Set(strokes).size).toBe(3)
      const isInSight = await failing.evaluate((state) => {
        const [part, whole] = [state, state.closest('figure')].map((each) => each?.getBoundingClientRect())
        return part && whole && part.top >= whole.top && part.bottom <= whole.bottom
      })
      expect(isInSight).toBe(true)
      await lit(page, 'openingChecks').getByRole('link', { name: 'TX-05' }).click()
      await page.locator('#requirement-TX-05').waitFor()
      expect(await page.locator('#requirement-TX-05').isVisible()).toBe(true)
    }))

  it('filters groups by words and by failure', () =>
    browse(async (context) => {
      await failByState(context)
      const page = await begin(context)
      await page.getByRole('button', { name: 'Ada Lovelace' }).click()
      await page.waitForURL(`${demo.origin}/protected`)
      const trace = await openTrace(context, demo.origin)
      const shown = trace.locator('.group').filter({ visible: true })
      const failed = shown.filter({ hasText: 'refused' })
      await shown.filter({ hasText: 'signedIn' }).first().waitFor()
      const all = await shown.count()

      await trace.getByRole('searchbox', { name: 'Filter' }).fill('CALLBACK/demo refused')
      expect(await shown.count()).toBeLessThan(all)
      expect(await shown.count()).toBe(await failed.count())
      expect(await shown.filter({ hasText: 'signedIn' }).count()).toBe(0)
      await trace.getByRole('searchbox', { name: 'Filter' }).fill('no such run')
      expect(await shown.count()).toBe(0)
      expect(await trace.getByText('The filter hides all runs.').isVisible()).toBe(true)
      await trace.getByRole('searchbox', { name: 'Filter' }).fill('')
      expect(await shown.count()).toBe(all)
      expect(await trace.getByText('The filter hides all runs.').isVisible()).toBe(false)

      await trace.getByLabel('Only failures').check()
      expect(await shown.filter({ hasText: 'refused' }).count()).toBeGreaterThan(0)
      expect(await shown.filter({ hasText: 'signedIn' }).count()).toBe(0)
    }))

  it.each(['light', 'dark'] as const)('has accessible pages, %s', (colorScheme) =>
    browse(
      async (context) => {
        const failed = await failByState(context)
        const page = await context.newPage()
        const trace = await failed.getByRole('link', { name: 'Show the trace' }).getAttribute('href')
        for (const path of ['/devtools', trace]) {
          await page.goto(`${demo.origin}${path}`)
          await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
          await page.evaluate(() => {
            for (const each of document.querySelectorAll('details')) each.open = true
          })
          expect(await findFaults(page), `${path}`).toEqual(nothing)
        }
        expect(await findFaults(failed)).toEqual(nothing)
      },
      { colorScheme },
    ),
  )

  it('shows the state at load time without JavaScript', () =>
    browse(
      async (context) => {
        const page = await failByState(context)
        await page.goto(`${demo.origin}/devtools`)
        await page.locator('.run.refusal').first().getByRole('link').click()
        expect(await page.locator('.failure').innerText()).toContain('state.mismatched')
        expect(await lit(page, 'checkingResponse').count()).toBe(1)
      },
      { javaScriptEnabled: false },
    ))
})

describe('the live trace of a site with a strict content security policy', () => {
  let port: OpenPort
  /** Lets the waiting sign-in continue. */
  let goOn: () => void

  beforeAll(async () => {
    port = await openPort('localhost', 0)
    const devtools = createDevtools()
    const wait = new Promise<void>((resolve) => (goOn = resolve))
    const { handler } = createAuth(
      devtools.watch({
        secret: 'a secret for the devtools tests that is long enough',
        trustHost: true,
        skipCSRFCheck,
        debug: true,
        logger: recordFlows({ error() {}, warn() {} }),
        providers: [Credentials({ authorize: () => wait.then(() => null) })],
      }),
    )
    port.answer(
      createRequestListener(async (request) => {
        if (!new URL(request.url).pathname.startsWith('/devtools')) return handler(request)
        const response = await devtools.handle(request)
        response.headers.append(
          'Content-Security-Policy',
          "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; require-trusted-types-for 'script'",
        )
        return response
      }),
    )
  })
  afterAll(() => port?.close())

  it('DEC-37f works, and shows a run while it is in progress and after it has ended', () =>
    browse(async (context) => {
      const list = await openTrace(context, port.origin)
      const signIn = context.request.post(`${port.origin}/auth/callback/credentials`, {
        form: { password: 'wrong' },
        maxRedirects: 0,
      })
      const row = list.locator('.run', { hasText: 'in authorizing' })
      await row.waitFor()
      const page = await context.newPage()
      await page.goto(new URL((await row.getByRole('link').getAttribute('href')) ?? '', port.origin).href)
      await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
      expect(await lit(page, 'authorizing').locator('.note').textContent()).toMatch(/^\d+ · under way$/)
      goOn()
      expect((await signIn).status()).toBe(302)
      await page.locator('.failure').waitFor()
      expect(await lit(page, 'authorizing').getAttribute('class')).toContain('failing')
      await list.locator('.run.refusal', { hasText: 'declined' }).waitFor()
      expect(await list.locator('.run').count()).toBe(1)
      await list.getByRole('button', { name: 'Clear' }).click()
      await list.getByText('No flow has run yet').waitFor()
      await context.request.post(`${port.origin}/auth/callback/credentials`, { form: {}, maxRedirects: 0 })
      await list.locator('.run.refusal', { hasText: 'declined' }).waitFor()
      expect(await list.locator('.run').count()).toBe(1)
      const [background, stroke] = await Promise.all([
        list.locator('.bar').evaluate((bar) => getComputedStyle(bar).backgroundColor),
        lit(page, 'authorizing')
          .locator('.box')
          .evaluate((box) => getComputedStyle(box).strokeWidth),
      ])
      expect([background, stroke]).toEqual(['rgb(255, 255, 255)', '3.6px'])
    }))
})
