import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseLocale, provideLanguage } from '../../src/pages/language.ts'
import type { Page } from '../../src/pages/page.ts'
import { renderPage } from '../../src/pages/render-page.ts'
import { findInaccessible } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { shownFeaturePages, shownPages } from '../support/shown-pages.ts'

/** The images of the guide. They are written if `PAGE_SCREENSHOTS=write` is set, or if they do not exist. */
const folder = new URL('../../docs/guides/pages/', import.meta.url)
const maxBytes = 48_000

/** The browser of the tests has no Arabic font. */
const font = readFileSync(
  new URL(
    '../../node_modules/@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.woff2',
    import.meta.url,
  ),
)
const fontStyle = `@font-face{font-family:"Noto Sans Arabic";font-weight:100 900;
src:url(data:font/woff2;base64,${font.toString('base64')})}
body{font-family:system-ui,"Noto Sans Arabic",sans-serif}`

const looks = [
  { name: 'light', colorScheme: 'light', width: 420, accepted: 'en' },
  { name: 'dark', colorScheme: 'dark', width: 420, accepted: 'en' },
  { name: 'phone', colorScheme: 'light', width: 320, accepted: 'de' },
  { name: 'right to left', colorScheme: 'dark', width: 420, accepted: 'ar' },
] as const

type Look = (typeof looks)[number]

describe('the screenshots of the pages', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchBrowser()
    await mkdir(folder, { recursive: true })
  })
  afterAll(() => browser?.close())

  async function shoot(show: (accepted: Look['accepted']) => Promise<Page>, look: Look): Promise<Buffer> {
    const { colorScheme, width, accepted } = look
    const shown = await show(accepted)
    const language = await provideLanguage({ texts: {} }, accepted)
    const { html } = await renderPage(shown, {}, language)
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 400 } })
    const page = await context.newPage()
    // Loaded before any text is laid out, so that no text remains in the fallback font.
    await page.setContent(`<style>${fontStyle}</style>`)
    await page.evaluate(() => document.fonts.load('16px "Noto Sans Arabic"', 'أ'))
    await page.setContent(html.replace('</style>', `${fontStyle}</style>`))
    await page.evaluate(() => document.fonts.load('16px "Noto Sans Arabic"', 'أ'))
    await page.evaluate(() => document.fonts.ready)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    expect(await findInaccessible(page)).toEqual([])
    const image = await page.screenshot({ fullPage: true })
    await context.close()
    return image
  }

  /** Draws the images next to each other, at two thirds of their size, and compresses them. */
  async function join(images: readonly Buffer[]): Promise<Buffer> {
    const page = await browser.newPage()
    const url = await page.evaluate(
      async (sources) => {
        const bitmaps = await Promise.all(
          sources.map(async (source) => createImageBitmap(await (await fetch(source)).blob())),
        )
        const canvas = document.createElement('canvas')
        const [scale, gap] = [2 / 3, 8]
        canvas.width = bitmaps.reduce((sum, { width }) => sum + width * scale + gap, -gap)
        canvas.height = Math.max(...bitmaps.map(({ height }) => height)) * scale
        const context = canvas.getContext('2d')
        if (!context) throw new Error('There is no canvas')
        context.imageSmoothingQuality = 'high'
        let left = 0
        for (const bitmap of bitmaps) {
          context.drawImage(bitmap, left, 0, bitmap.width * scale, bitmap.height * scale)
          left += bitmap.width * scale + gap
        }
        return canvas.toDataURL('image/webp', 0.5)
      },
      images.map((image) => `data:image/png;base64,${image.toString('base64')}`),
    )
    await page.close()
    return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
  }

  const everyShown = {
    ...Object.fromEntries(Object.entries(shownPages).map(([name, page]) => [name, async () => page])),
    ...shownFeaturePages,
  }

  it.each(Object.entries(everyShown))(
    'PAG-06 DEC-32c show %s in light, dark, on a phone and from right to left, without barriers',
    async (name, shown) => {
      const images: Buffer[] = []
      for (const look of looks) images.push(await shoot(shown, look))
      const file = new URL(`${name}.webp`, folder)
      const held = await readFile(file).catch(() => undefined)
      if (!held || process.env.PAGE_SCREENSHOTS === 'write') await writeFile(file, await join(images))
      expect((await readFile(file)).length).toBeLessThan(maxBytes)
    },
  )

  it('are all in the guide', async () => {
    const files = (await readdir(folder)).toSorted()
    expect(files).toEqual(
      Object.keys(everyShown)
        .map((name) => `${name}.webp`)
        .toSorted(),
    )
    const guide = await readFile(new URL('../pages.md', folder), 'utf8')
    for (const file of files) expect(guide).toContain(`](pages/${file})`)
    expect(looks.map(({ accepted }) => chooseLocale(accepted))).toEqual(['en', 'en', 'de', 'ar'])
  })
})
