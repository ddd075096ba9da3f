import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenPort } from '../../docs/examples/demo/serve.ts'
import { siteFolder } from '../../docs/site/folder.ts'
import { serveSite } from '../../docs/site/serve-site.ts'
import { findInaccessible } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { watch } from '../support/demo/watch-page.ts'

const pages: readonly (readonly [name: string, path: string])[] = [
  ['home', ''],
  ['guide', 'guides/embed.html'],
  ['flow', 'flows/callback.html'],
  ['topic', 'requirements/oauth-transactions.html'],
  ['reference', 'api/authmachine/client.html'],
]
/** Pages that axe checks. The others are longer, and consist of the same parts. */
const judged: ReadonlySet<string> = new Set(['home', 'guide', 'reference'])

/** Compressed bytes of everything that the landing page loads. */
const mostBytes = 150_000

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
      await page.getByRole('heading', { level: 1 }).waitFor()
      const scrolling: string[] = []
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 720 })
        await page.screenshot({ path: join(folder, `docs-${name}-${colorScheme}-${width}.png`) })
        scrolling.push(...(await findScrolling(page)).map((part) => `${width}: ${part}`))
      }
      grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      expect({ name, scrolling, inaccessible: judged.has(name) ? await findInaccessible(page) : [] }).toEqual(
        {
          name,
          scrolling: [],
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

  it('plays a recorded sign-in on the landing page, which has fewer than 150 kB', async () => {
    const page = await browser.newPage()
    const loaded: Promise<number>[] = []
    page.on('response', (response) => loaded.push(response.body().then((body) => gzipSync(body).length)))
    await page.goto(site.origin, { waitUntil: 'networkidle' })
    const sizes = await Promise.all(loaded)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(mostBytes)
    const lit = (state: string) => page.locator(`[data-flow="callback"] .state.lit[data-state="${state}"]`)
    await page.getByRole('button', { name: 'Sign in at the provider' }).click()
    await page.getByText('The user signs in at the provider').waitFor()
    expect(await lit('readingResponse').count()).toBe(0)
    await page.getByText(/^readingResponse: /).waitFor()
    expect(await lit('readingResponse').count()).toBe(1)
    expect(await lit('signedIn').count()).toBe(0)
    await page.getByRole('button', { name: 'Read the session' }).click()
    await page.getByText('"email": "ada@example.com"').waitFor()
    expect(await lit('signedIn').count()).toBe(1)
    await page.close()
  })

  it('links its overview to a guide, a diagram and a requirement in one click', async () => {
    const page = await browser.newPage()
    const follow = async (name: string) => {
      await page.goto(`${site.origin}/documentation.html`)
      await page.getByRole('main').getByRole('link', { name, exact: true }).click()
    }
    await follow('embed it in ten minutes')
    await page.getByRole('heading', { level: 1, name: 'Embed it in ten minutes' }).waitFor()
    await follow('callback')
    const drawing = page.getByRole('img', { name: 'Diagram of the callback flow' })
    const measure = () =>
      drawing.evaluate(async (image: HTMLImageElement) => {
        await image.decode()
        const { clientWidth, scrollWidth } = image.parentElement ?? image
        return { shown: image.width, natural: image.naturalWidth, frame: clientWidth, content: scrollWidth }
      })
    // It fits the page, and can be enlarged.
    const fitted = await measure()
    expect(fitted.content).toBe(fitted.frame)
    await page.getByRole('button', { name: 'Actual size' }).click()
    const enlarged = await measure()
    expect(enlarged.shown).toBe(enlarged.natural)
    expect(enlarged.natural).toBeGreaterThan(fitted.shown)
    await follow('TX-05')
    await expectRequirement(page)
    await page.close()
  })

  it('finds a requirement by its id', async () => {
    const page = await browser.newPage()
    await page.goto(site.origin)
    await search(page, 'TX-05')
    await expectRequirement(page)
    await page.close()
  })

  it.each(['sessions', 'access token', 'express', 'rate limit'])('finds a guide first: %s', async (words) => {
    const page = await browser.newPage()
    await page.goto(site.origin)
    await search(page, words)
    await page.waitForURL(/\/guides\//)
    await page.close()
  })

  it('has the Markdown of each page, and lists it for language models', async () => {
    const page = await browser.newPage()
    await page.goto(`${site.origin}/guides/embed.html`)
    const link = page.getByRole('link', { name: 'This page as Markdown' })
    expect(await link.getAttribute('href')).toBe('/guides/embed.md')
    const read = async (path: string) => (await fetch(new URL(path, site.origin))).text()
    expect(await read('/guides/embed.md')).toContain('# Embed it in ten minutes')
    const list = await read('/llms.txt')
    for (const [, path = ''] of list.matchAll(/\]\(([^)]+)\)/g)) expect(await read(path), path).toMatch(/^#/m)
    expect(list).toContain('[Embed it in ten minutes](/guides/embed.md)')
    await page.close()
  })
})

/** The page and, on the landing page, all parts that scroll sideways. Code may, because lines of code do not wrap. */
function findScrolling(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.landing :not(pre, code, svg, svg *)')]
      .filter((part) => {
        const isScrolled =
          part === document.documentElement || /auto|scroll/.test(getComputedStyle(part).overflowX)
        return isScrolled && part.scrollWidth > part.clientWidth
      })
      .map((part) => part.tagName + part.className),
  )
}

/** Searches on a page of the site, and opens the first result. */
async function search(page: Page, words: string): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill(words)
  await page.locator('.VPLocalSearchBox .result').first().click()
}

/** The page has an anchor for TX-05, its text, and the tests that prove it. */
async function expectRequirement(page: Page): Promise<void> {
  await page.waitForURL(/#tx-05$/)
  await page.locator('h2#tx-05').waitFor()
  const text = await page.getByRole('main').innerText()
  const [, section = ''] = text.split(/\nTX-05\s*\n/)
  const [own = ''] = section.split(/\nTX-06\s*\n/)
  expect(own).toContain('never satisfy the callback of provider B')
  expect(own).toMatch(/Tested by[^]*transactions\.ts/)
}
