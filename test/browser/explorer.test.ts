import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Mermaid } from 'mermaid'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createMachine, type MachineConfig } from 'xstate'
import { recordRuns } from '../../src/tools/explorer/record-run.ts'
import { writeSequence } from '../../src/tools/explorer/write-sequence.ts'
import { writeExplorer } from '../../src/tools/explorer/write-explorer.ts'
import { findInaccessible } from '../support/axe.ts'
import { launchBrowser, openQuietPage } from '../support/browser.ts'

const hop = (state: string, event: string, next: string) => ({ state, event, next })
const run = recordRuns('1-ab', 'A refused sign-in', [
  {
    id: '1-ab',
    flow: 'callback',
    request: 'GET callback/github',
    hops: [
      hop('readingResponse', 'response.read', 'openingProxyState'),
      hop('openingProxyState', 'hop.none', 'openingChecks'),
      { ...hop('openingChecks', 'check.missing', 'refused'), calls: [{ to: 'store', name: 'getUser' }] },
    ],
    state: 'refused',
  },
])

describe('the flow explorer', () => {
  let browser: Browser
  let folder: string
  let page: Page
  const errors: string[] = []

  beforeAll(async () => {
    browser = await launchBrowser()
    folder = await mkdtemp(join(tmpdir(), 'authmachine-explorer-'))
    await writeFile(join(folder, 'index.html'), writeExplorer({ recordings: [run], used: ['callback'] }))
  })
  afterEach(() => page?.context().close())
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true })
  })

  async function open(hash = '', options: BrowserContextOptions = {}): Promise<void> {
    page = await openQuietPage(browser, pathToFileURL(join(folder, 'index.html')).href + hash, {
      errors,
      ...options,
    })
    await page.locator('.state').first().waitFor()
  }

  const state = (id: string) => page.locator(`.state[data-state="${id}"]`)
  const tab = (name: string) => page.getByRole('tab', { name }).click()

  it.each(['light', 'dark'] as const)('is accessible, with each tab and as text: %s', async (colorScheme) => {
    await open('#callback/exchangingCode', { colorScheme })
    for (const name of ['Details', 'Step through', 'Paths', 'Sequence']) {
      await tab(name)
      expect(await findInaccessible(page), name).toEqual([])
    }
    await page.getByRole('button', { name: 'Text' }).click()
    expect(await findInaccessible(page)).toEqual([])
    await open('#play/1-ab', { colorScheme })
    expect(await findInaccessible(page)).toEqual([])
    expect(errors).toEqual([])
  })

  it('shows the whole callback without scrolling, and opens what is folded', async () => {
    await open('#callback')
    const stage = await page.locator('.surface').boundingBox()
    for (const id of ['readingResponse', 'signedIn', 'faulted', 'admitting']) {
      const box = await state(id).boundingBox()
      expect(box && stage && box.y >= stage.y && box.y + box.height <= stage.y + stage.height, id).toBe(true)
    }
    expect(await state('admitting.creatingUser').count()).toBe(0)
    await state('admitting').locator('.fold').click()
    expect(await state('admitting.creatingUser').count()).toBe(1)
    await page.getByRole('button', { name: 'Fold' }).click()
    expect(await state('admitting.creatingUser').count()).toBe(0)
    await page.getByRole('button', { name: 'Open all' }).click()
    expect(await state('admitting.recognising.openingToken').count()).toBe(1)
  })

  it.each(['sign-in', 'webauthn-options'])(
    'keeps the diagram and its tools beside the details: %s',
    async (flow) => {
      await open(`#${flow}`, { viewport: { width: 1280, height: 900 } })
      const rightOf = (selector: string) =>
        page.locator(selector).evaluate((element) => element.getBoundingClientRect().right)
      const end = await rightOf('.stage')
      for (const part of ['.bar', '.surface']) expect(await rightOf(part), part).toBeLessThanOrEqual(end)
    },
  )

  it.each([1440, 1280, 1024])(
    'cuts off neither the hint of the search nor a description at %i px',
    async (width) => {
      await open('', { viewport: { width, height: 900 } })
      const isHintWhole = await page.locator('#find').evaluate((field: HTMLInputElement) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(field)
        const context = new OffscreenCanvas(1, 1).getContext('2d')
        if (!context) return false
        context.font = font
        const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
        return context.measureText(field.placeholder).width <= room
      })
      expect(isHintWhole).toBe(true)
      const flows = page.getByRole('navigation', { name: 'Flows and recordings' })
      for (const flow of await flows.locator('ul').first().getByRole('button').all()) {
        await flow.click()
        const [name, hidden] = await page
          .locator('.title')
          .evaluate((title) => [title.textContent, title.scrollWidth - title.clientWidth])
        expect(hidden, String(name)).toBeLessThanOrEqual(0)
      }
    },
  )

  it('zooms and pans', async () => {
    await open('#session')
    const size = async () => (await state('readingCookie').boundingBox())?.width ?? 0
    const before = await size()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    expect(await size()).toBeGreaterThan(before * 1.2)
    await page.mouse.move(700, 500)
    await page.mouse.down()
    await page.mouse.move(800, 560)
    await page.mouse.up()
    await page.getByRole('button', { name: 'Fit' }).click()
    expect(await size()).toBeCloseTo(before, 0)
  })

  it('zooms around the selected state', async () => {
    await open('#callback/exchangingCode', { viewport: { width: 1280, height: 900 } })
    for (let count = 0; count < 4; count += 1) await page.getByRole('button', { name: 'Zoom in' }).click()
    const [stage, box] = await Promise.all(
      [page.locator('.surface'), state('exchangingCode').locator('.box')].map((each) => each.boundingBox()),
    )
    const middle = box && box.x + box.width / 2
    expect(middle && stage && middle > stage.x && middle < stage.x + stage.width).toBe(true)
  })

  it('shows the story that plays in the list', async () => {
    await open('#play/TX-02', { viewport: { width: 1280, height: 900 } })
    const entry = page.locator('.sidebar [aria-current]')
    expect(await entry.innerText()).toMatch(/^TX-02/)
    const box = await entry.boundingBox()
    expect(box && box.y > 0 && box.y + box.height <= 900).toBe(true)
  })

  it('explains a state: requirements, code, tests and attacks', async () => {
    await open('#callback/openingChecks')
    const panel = page.getByRole('tabpanel')
    await expect.poll(() => panel.innerText()).toContain('src/flows/oauth/callback.ts')
    expect(await panel.innerText()).toContain('TX-05')
    await panel
      .getByText(/published attack/)
      .first()
      .click()
    expect(await panel.innerText()).toMatch(/GHSA-/)
    await panel
      .getByText(/\d+ tests?$/)
      .first()
      .click()
    expect(await panel.innerText()).toMatch(/test\/.*\.test\.ts/)
  })

  it('is usable by keyboard alone', async () => {
    await open('#callback')
    await state('readingResponse').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('tabpanel').innerText()).toContain('openingProxyState')
    expect(await state('openingProxyState').evaluate((each) => each === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press(' ')
    expect(new URL(page.url()).hash).toBe('#callback/readingResponse')
    await state('admitting').focus()
    await page.keyboard.press(' ')
    expect(await state('admitting.creatingUser').count()).toBe(1)
    expect(await state('admitting').evaluate((each) => each === document.activeElement)).toBe(true)
    await page.keyboard.press('/')
    await page.keyboard.type('state.mismatched')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).hash).toBe('#callback/checkingResponse')
  })

  it('steps through a flow, and lists the paths to an outcome', async () => {
    await open('#sign-out')
    await tab('Step through')
    await page.locator('.choices button', { hasText: 'csrf.mismatched' }).click()
    expect(await page.locator('.now').innerText()).toContain('refused')
    expect(await page.locator('.arrow.exit.lit').count()).toBe(1)
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await tab('Paths')
    await page.getByLabel('Outcome').selectOption('signedOut')
    await expect.poll(() => page.locator('.paths > li').count()).toBeGreaterThan(2)
    await page.locator('.paths > li > button').first().click()
    await page.getByRole('button', { name: 'Play this path' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    expect(await page.getByRole('tab', { name: 'Sequence' }).getAttribute('aria-selected')).toBe('true')
  })

  it('plays a recording on the diagram, with its sequence diagram', async () => {
    await open('#play/1-ab')
    const sequence = page.getByRole('list', { name: 'Sequence of messages' }).getByRole('button')
    expect(await sequence.count()).toBe(run.frames.length)
    await sequence.last().click()
    expect(await state('refused').getAttribute('class')).toContain('lit')
    expect(await page.locator('.lifelines').innerText()).toContain('store')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Next moment' }).click()
    expect(await page.locator('.says').innerText()).toContain('readingResponse reports response.read')
  })

  it('marks the flows that the configuration does not use', async () => {
    await open()
    const flows = page.getByRole('navigation', { name: 'Flows and recordings' })
    expect(await flows.getByRole('button', { name: 'session' }).innerText()).toContain('not configured')
    expect(await flows.getByRole('button', { name: 'callback' }).innerText()).not.toContain('not configured')
  })

  it('saves diagrams as SVG, PNG, Mermaid, DOT and XState', async () => {
    await open('#session')
    const save = async (name: string) => {
      await page.getByText('Save as').click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ])
      return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
    }
    const svg = await save('SVG')
    expect(svg.name).toBe('session.svg')
    expect(svg.content.toString()).toMatch(/^<svg [^]*readingCookie/)
    const png = await save('PNG')
    expect(png.content.subarray(1, 4).toString()).toBe('PNG')
    expect(png.content.length).toBeGreaterThan(20_000)
    expect((await save('Mermaid')).content.toString()).toMatch(/^stateDiagram-v2/)
    expect((await save('DOT')).content.toString()).toMatch(/^digraph/)
    const machine = JSON.parse((await save('XState JSON')).content.toString()) as MachineConfig<{}, never>
    expect(createMachine(machine).id).toBe('session')
  })

  it('writes valid Mermaid for the sequence', async () => {
    await open()
    await page.addScriptTag({ path: fileURLToPath(import.meta.resolve('mermaid/dist/mermaid.min.js')) })
    const parsed = await page.evaluate(async (source) => {
      const { mermaid } = globalThis as unknown as { mermaid: Mermaid }
      return mermaid.parse(source, { suppressErrors: true })
    }, writeSequence(run))
    expect(parsed).toMatchObject({ diagramType: 'sequence' })
  })

  it('fits a phone', async () => {
    await open('#callback', { viewport: { width: 360, height: 740 } })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    expect(await findInaccessible(page)).toEqual([])
    // The list and the diagram are visible at the same time.
    const flows = page.getByRole('navigation', { name: 'Flows and recordings' })
    await flows.getByRole('button', { name: 'session' }).click()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    expect((await state('readingCookie').boundingBox())?.y).toBeLessThan(740)
  })
})
