import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Exploration } from '../../fuzz/explore/explore.ts'
import { isLeftOut, runExploration } from '../../fuzz/explore/run.ts'
import { writeExplorations } from '../../fuzz/report/exploration.ts'
import { requirement } from '../../spec/index.ts'
import { mutantNamed } from '../explore/mutant-named.ts'
import { findInaccessible } from '../support/axe.ts'
import { launchBrowser, openQuietPage } from '../support/browser.ts'

describe('a counterexample in the explorer', () => {
  let browser: Browser
  let folder: string
  let page: Page
  const errors: string[] = []

  beforeAll(async () => {
    const broken = mutantNamed('sequences/no-stamps-with-mails-alone')
    const found = await runExploration(broken, { only: ['mails alone'], depth: 3, transitions: 1000 })
    const explorations = found.filter((each): each is Exploration => !isLeftOut(each))
    browser = await launchBrowser()
    folder = await mkdtemp(join(tmpdir(), 'authmachine-sequences-'))
    await writeFile(join(folder, 'sequences.html'), (await writeExplorations('mine', explorations)) ?? '')
  }, 60_000)
  afterEach(() => page?.context().close())
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true })
  })

  async function open(options: BrowserContextOptions = {}): Promise<void> {
    page = await openQuietPage(browser, pathToFileURL(join(folder, 'sequences.html')).href, {
      errors,
      ...options,
    })
    await page.locator('.state').first().waitFor()
  }

  const panel = () => page.getByRole('tabpanel')
  const chapters = () => page.getByRole('list', { name: 'Chapters' }).getByRole('heading')
  const chapter = (name: RegExp) => page.getByRole('heading', { name }).getByRole('button')
  const messages = () => page.getByRole('list', { name: 'Sequence of messages' })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const says = () => page.locator('.says').innerText()

  it('opens at a summary: the rule, why it matters, who did what, and what must not happen', async () => {
    await open()
    expect(await panel().getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(
      ['The rule that broke', 'What happened', 'Where to look'].map((text) => text.toUpperCase()),
    )
    const { says: rule, why = '' } = requirement('STM-02')
    const text = await panel().innerText()
    expect(text).toContain(`STM-02 ${rule}`)
    expect(text).toContain(`Why it matters: ${why}`)
    expect(text).toMatch(
      /This must not happen: A link from before a change of the account opens .*Expected: The link is refused/,
    )
    expect(await chapters().allInnerTexts()).toEqual([
      'Before the first step',
      '1. Ada, at Ada’s laptop, requests a link (mail 3)',
      '2. Ada, at Ada’s phone, ends the other sessions',
      '3. Ada, at Ada’s laptop, opens the newest link (mail 3)',
    ])
    // The setup is folded, and summarises its events.
    expect(text).toContain(
      'Ada, at Ada’s phone, requests a link (mail 1). Ada, at Ada’s phone, opens the newest link (mail 1).',
    )
    expect(text).toContain('Nobody is signed in at Ada’s tablet now.')
    expect(text).toContain('Reported token.consumed; could have reported token.unknown')
    expect(text).toMatch(
      /Earlier, these states stored what it used\.\s+email-request: storingToken\s+storeToken in src/,
    )
    expect(await messages().count()).toBe(0)
    expect(errors).toEqual([])
  })

  it('opens at the beginning of the summary on a small screen', async () => {
    await open({ viewport: { width: 1280, height: 500 } })
    expect(await panel().evaluate((element) => element.scrollHeight - element.clientHeight)).toBeGreaterThan(
      0,
    )
    expect(await panel().evaluate((element) => element.scrollTop)).toBe(0)
  })

  it('steps from chapter to chapter, and each request opens on demand', async () => {
    await open()
    for (const [step, opened] of [
      ['Previous chapter', /^3\./],
      ['Previous chapter', /^2\./],
      ['Next chapter', /^3\./],
      ['Previous chapter', /^2\./],
    ] as const) {
      await press(step)
      expect(await says()).toMatch(opened)
      expect(await chapter(opened).getAttribute('aria-expanded')).toBe('true')
      expect(await messages().count()).toBe(1)
    }
    const lanes = page.locator('.lifelines span')
    expect(await lanes.allInnerTexts()).toEqual([
      'Ada’s phone',
      'Ada’s tablet',
      'Ada’s laptop',
      'application',
      'store',
      'mailbox',
    ])
    const requests = messages().getByRole('button')
    expect(await requests.count()).toBe(2)
    expect(await requests.last().innerText()).toMatch(/POST account · 302 to \/auth\/account account$/)
    await requests.last().click()
    expect(await messages().getByText('sessions.ended').count()).toBe(1)
    await requests.nth(1).click()
    expect(await requests.count()).toBe(2)
  })

  it('shows the chart of the request that plays, and names it', async () => {
    await open()
    const title = page.locator('.title')
    expect(await title.innerText()).toMatch(/^Ada’s laptop: GET callback\/mail\s+email-verification/)
    await chapter(/^1\./).click()
    expect(await title.innerText()).toMatch(/^email-request/)
    await press('Next moment')
    expect(await title.innerText()).toMatch(
      /^Ada’s laptop: GET csrf\s+No chart handles this request\. Next: email-request/,
    )
    await chapter(/^2\./).click()
    await messages().getByRole('button').last().click()
    await press('Next moment')
    expect(await title.innerText()).toMatch(/^Ada’s phone: POST account\s+account/)
    expect(await page.locator('.state[data-state="checkingCsrf"]').getAttribute('class')).toContain('lit')
  })

  it('leads to the state that enforces the rule', async () => {
    await open()
    await panel()
      .getByRole('button', { name: /^email-verification: consumingToken/ })
      .click()
    expect(await says()).toContain('consumingToken reports token.consumed')
    expect(await page.locator('.state[data-state="consumingToken"]').getAttribute('class')).toContain('lit')
  })

  it('keeps the focus on a chapter that opens while another one closes', async () => {
    await open()
    await chapter(/^1\./).click()
    await chapter(/^3\./).focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^3\./)
    await page.keyboard.press('Enter')
    expect(await chapter(/^3\./).getAttribute('aria-expanded')).toBe('false')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^3\./)
  })

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 360],
  ] as const)('is accessible: %s, %i px', async (colorScheme, width) => {
    await open({ colorScheme, viewport: { width, height: 900 } })
    expect(await findInaccessible(page)).toEqual([])
    await chapter(/^2\./).click()
    await messages().getByRole('button').last().click()
    expect(await findInaccessible(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })
})
