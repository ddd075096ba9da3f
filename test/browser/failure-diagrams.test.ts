import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { writeReports } from '../../fuzz/report/formats.ts'
import { judgeWithoutGuard } from '../conformance/without-guard.ts'
import { findInaccessible } from '../support/axe.ts'
import { launchBrowser, openQuietPage } from '../support/browser.ts'

const story = 'oidc-state-not-compared-TX-02'

describe('a failing story on the diagrams', () => {
  let browser: Browser
  let folder: string
  let page: Page
  const errors: string[] = []

  beforeAll(async () => {
    const report = await judgeWithoutGuard('oidc/state-not-compared', ['TX-02'])
    browser = await launchBrowser()
    folder = await mkdtemp(join(tmpdir(), 'authmachine-failures-'))
    for (const { name, content } of await writeReports('html', [report]))
      await writeFile(join(folder, name), content)
  })
  afterEach(() => page?.context().close())
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true })
  })

  async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
    page = await openQuietPage(browser, `${pathToFileURL(folder).href}/${path}`, { errors, ...options })
  }

  const state = (id: string) => page.locator(`.state[data-state="${id}"]`)
  const classesOf = (id: string) => state(id).getAttribute('class')
  const status = () => page.locator('.says').innerText()

  it('is linked from the report, and opens with its path and the edge that should have stopped it', async () => {
    await open(`report.html#${story}`)
    await page.getByRole('link', { name: 'Play this failure on the diagram' }).first().click()
    await state('checkingResponse').waitFor()
    expect(await classesOf('checkingResponse')).toMatch(/\blit\b.*\bstop\b/)
    expect(await classesOf('exchangingCode')).toContain('lit')
    expect(await page.locator('.arrow.exit.missed').count()).toBe(1)
    expect(await page.locator('.stop-mark').innerHTML()).toContain('should have stopped')
    expect(await status()).toMatch(
      /^TX-02 fails\. It should have stopped at checkingResponse of callback: .*state\.mismatched.* leads to refused\.$/,
    )
    await page.getByRole('link', { name: 'Back to the report' }).click()
    await page.getByRole('heading', { name: 'Conformance' }).waitFor()
    expect(errors).toEqual([])
  })

  it('plays from its first request, by keyboard alone', async () => {
    await open(`diagrams.html#play/${story}`)
    const play = page.getByRole('button', { name: 'Play', exact: true })
    await play.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Pause' }).press('Enter')
    expect(await status()).toMatch(/^eve sends GET csrf$/)
    expect(await page.locator('.missed').count()).toBe(0)
    await page.getByRole('button', { name: /^It should have stopped at checkingResponse/ }).press('Enter')
    expect(await classesOf('checkingResponse')).toContain('stop')
    expect(await status()).toContain('checkingResponse reports code.received')
    const current = page.locator('.frame[aria-current=step]')
    expect(await current.innerText()).toMatch(/should have stopped: .*state\.mismatched/)
    await page.getByRole('slider', { name: 'Position in the recording' }).press('ArrowRight')
    expect(await status()).not.toContain('checkingResponse')
  })

  it.each(['light', 'dark'] as const)('is accessible, also as text: %s', async (colorScheme) => {
    await open('report.html', { colorScheme })
    expect(await findInaccessible(page)).toEqual([])
    await page.goto(`${pathToFileURL(folder).href}/diagrams.html#play/${story}`)
    await state('checkingResponse').waitFor()
    expect(await findInaccessible(page)).toEqual([])
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    expect(await findInaccessible(page)).toEqual([])
    const words = await page.getByRole('region', { name: 'Diagram in words' }).innerText()
    expect(words).toContain('It should have stopped at checkingResponse of callback')
    expect(words).toContain('code.received (taken) leads to exchangingCode')
  })
})
