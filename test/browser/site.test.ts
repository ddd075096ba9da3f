import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenPort } from '../../docs/examples/demo/serve.ts'
import { launchBrowser } from '../support/browser.ts'
import { watch } from '../support/demo/watch-page.ts'
import { siteFolder } from '../site/folder.ts'
import { serveSite } from '../site/serve-site.ts'

const pages: readonly (readonly [name: string, path: string])[] = [
  ['home', ''],
  ['guide', 'guides/embed.html'],
  ['flow', 'flows/callback.html'],
  ['requirements', 'requirements/index.html'],
  ['chapter', 'requirements/invariants-transaction-binding-csrf-mix-up.html'],
  ['api', 'functions/authmachine.createAuth.html'],
]

describe('the documentation in a browser', () => {
  let site: OpenPort
  let browser: Browser
  let folder: string

  beforeAll(async () => {
    // `npm test` has built it by now.
    if (!existsSync(siteFolder))
      spawnSync(process.execPath, [fileURLToPath(new URL('../site/build.ts', import.meta.url))])
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

  it.each(['light', 'dark'] as const)('is legible on a telephone and a desk, %s', async (colorScheme) => {
    const context = await browser.newContext({ colorScheme })
    const seen = watch(context)
    const page = await context.newPage()
    const grounds = new Set<string>()
    for (const [name, path] of pages) {
      await page.goto(`${site.origin}/${path}`)
      // The navigation is filled in by a script.
      await page.locator('#tsd-nav-container a').first().waitFor({ state: 'attached' })
      const scrolling: number[] = []
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 720 })
        await page.screenshot({ path: join(folder, `docs-${name}-${colorScheme}-${width}.png`) })
        scrolling.push(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
      }
      grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      if(process.env.LOOK)console.log(name,scrolling,await findInaccessible(page));else expect({ name, scrolling, inaccessible: await findInaccessible(page) }).toEqual({
        name,
        scrolling: [0, 0],
        inaccessible: [],
      })
    }
    expect([...grounds]).toHaveLength(1)
    await context.close()
    expect(seen.strangers()).toEqual([])
    expect(seen.complaints()).toEqual([])
  })
})

/** What axe finds, in a word for each. */
async function findInaccessible(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
