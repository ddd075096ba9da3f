import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenPort } from '../../docs/examples/demo/serve.ts'
import { findInaccessible } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { watch } from '../support/demo/watch-page.ts'
import { siteFolder } from '../site/folder.ts'
import { serveSite } from '../site/serve-site.ts'

const pages: readonly (readonly [name: string, path: string])[] = [
  ['home', ''],
  ['guide', 'guides/embed.html'],
  ['flow', 'flows/callback.html'],
  ['topic', 'requirements/oauth-transactions.html'],
]
/** Pages that axe checks. The others are longer, and consist of the same parts. */
const judged: ReadonlySet<string> = new Set(['home', 'guide'])

describe('the documentation in a browser', () => {
  let site: OpenPort
  let browser: Browser
  let folder: string
  const seenGrounds = new Set<string>()

  beforeAll(async () => {
    // `npm test` has built it before this suite runs.
    if (!existsSync(siteFolder)) {
      const build = fileURLToPath(new URL('../site/build.ts', import.meta.url))
      const { status, stderr } = spawnSync(process.execPath, [build], { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
    }
    site = await serveSite(0)
    folder = process.env.SCREENSHOTS ?? (await mkdtemp(join(tmpdir(), 'authmachine-docs-')))
    await mkdir(folder, { recursive: true })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    console.log(`Screenshots of the documentation are in ${folder}`)
  })

  it.each(['light', 'dark'] as const)('is legible on a phone and on a desktop, %s', async (colorScheme) => {
    const context = await browser.newContext({ colorScheme })
    const seen = watch(context)
    const page = await context.newPage()
    const grounds = new Set<string>()
    for (const [name, path] of pages) {
      await page.goto(`${site.origin}/${path}`)
      // A script fills in the navigation.
      await page.locator('#tsd-nav-container a').first().waitFor({ state: 'attached' })
      const scrolling: number[] = []
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 720 })
        await page.screenshot({ path: join(folder, `docs-${name}-${colorScheme}-${width}.png`) })
        scrolling.push(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
      }
      grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      expect({ name, scrolling, inaccessible: judged.has(name) ? await findInaccessible(page) : [] }).toEqual(
        {
          name,
          scrolling: [0, 0],
          inaccessible: [],
        },
      )
    }
    expect(grounds.size).toBe(1)
    seenGrounds.add([...grounds].join())
    await context.close()
    expect(seen.strangers()).toEqual([])
    expect(seen.complaints()).toEqual([])
  })

  it('follows the colour scheme', () => {
    expect(seenGrounds.size).toBe(2)
  })

  it('links its home page to a guide, a diagram and a requirement in one click', async () => {
    const page = await browser.newPage()
    const follow = async (name: string) => {
      await page.goto(site.origin)
      await page.getByRole('main').getByRole('link', { name, exact: true }).click()
    }
    await follow('embed it in ten minutes')
    await page.getByRole('heading', { level: 1, name: 'Embed it in ten minutes' }).waitFor()
    await follow('callback')
    const drawing = page.getByRole('img', { name: 'Diagram of the callback flow' })
    expect(
      await drawing.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBeGreaterThan(300)
    // It is wider than the page, and starts scrolled to the beginning of the flow.
    expect(await drawing.evaluate((image) => image.closest('p')?.scrollLeft)).toBeGreaterThan(0)
    await follow('TX-05')
    await expectRequirement(page)
    await page.close()
  })

  it('finds a requirement by its id', async () => {
    const page = await browser.newPage()
    await page.goto(site.origin)
    await page.locator('#tsd-search-trigger').click()
    await page.locator('#tsd-search-input').fill('TX-05')
    await page.locator('#tsd-search-results a').first().click()
    await expectRequirement(page)
    await page.close()
  })
})

/** The page has an anchor for TX-05, its text, and the tests that prove it. */
async function expectRequirement(page: Page): Promise<void> {
  await page.waitForURL(/#tx-05$/)
  await page.locator('h2#tx-05').waitFor()
  const text = await page.getByRole('main').innerText()
  const [, section = ''] = text.split(/\nTX-05\n/)
  const [own = ''] = section.split(/\nTX-06\n/)
  expect(own).toContain('never satisfy the callback of provider B')
  expect(own).toMatch(/Tested by[^]*transactions\.ts/)
}
