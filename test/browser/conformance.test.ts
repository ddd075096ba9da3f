import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { properties } from '../../fuzz/properties/index.ts'
import { writeHtml } from '../../fuzz/report/html.ts'
import { writeJunit } from '../../fuzz/report/junit.ts'
import { isJudged } from '../../fuzz/report/unjudged.ts'
import { makeReport } from '../../fuzz/run/report.ts'
import { verdicts } from '../../fuzz/run/verdict.ts'
import { failure, judgement, seen } from '../conformance/support.ts'
import { launchBrowser } from '../support/browser.ts'

const ids = ['TX-01', 'TX-02', 'TX-19', 'SE-10', 'SE-11', 'SE-12', 'SE-13', 'SE-15'] as const
const name = properties[0]?.name ?? ''
const long = 'http://a-host-with-a-long-name.example:3000/api/auth'
const reports = ['ours', long, `<img src=x> & "${String.fromCodePoint(1)}"`].map((target) =>
  makeReport({ target, profile: 'ci', seed: 1, took: 9 }, [
    ...verdicts.map((verdict, at) => {
      const id = ids[at] ?? 'TX-01'
      const isTold = verdict === 'FAIL' || verdict === 'XFAIL'
      const more = { property: name, setup: verdict, verdict, reason: `${long} `.repeat(3) }
      return isTold ? failure(id, more) : judgement(verdict, [id], more)
    }),
    failure('TX-01', { property: name }),
    failure('TX-01', { property: name, setup: ']]>', verdict: 'ERROR', reason: ']]>' }),
  ]),
)

const filtered = makeReport(
  { target: 'a', profile: 'ci', seed: 1, took: 9, only: ['TX-01', 'TX-19', 'SE-10', 'SE-11'] },
  [
    seen('TX-01', { property: name }),
    failure('TX-19', { property: name }),
    failure('SE-10', { property: name }),
    judgement('PASS', ['SE-11']),
  ],
)

describe("the oracle's report in a browser", () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it('is accessible in light and dark mode, and does not scroll sideways on a phone', async () => {
    const grounds = new Set<string>()
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 1200]) {
        const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } })
        await page.setContent(writeHtml(reports))
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
        await page.evaluate(axe.source)
        const { violations } = await page.evaluate(() =>
          (globalThis as unknown as { axe: typeof axe }).axe.run(),
        )
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
        await page.close()
      }
    expect(grounds.size).toBe(2)
  })

  it('links each broken row to its story, with unique ids', async () => {
    const page = await browser.newPage()
    await page.setContent(writeHtml(reports))
    const { missing, twice, links } = await page.evaluate(() => {
      const names = [...document.querySelectorAll('[id]')].map(({ id }) => id)
      const to = [...document.querySelectorAll('a')].map(({ hash }) => decodeURIComponent(hash.slice(1)))
      return {
        links: to.length,
        missing: to.filter((id) => !names.includes(id)),
        twice: names.filter((id, at) => names.indexOf(id) !== at),
      }
    })
    expect(links).toBeGreaterThan(0)
    expect([missing, twice]).toEqual([[], []])
    await page.close()
  })

  it('hides a group of untested requirements in which none matches, and opens one for a link to a requirement', async () => {
    const page = await browser.newPage()
    const skipped = (['SE-10', 'SE-11'] as const).map((id) =>
      judgement('SKIP', [id], { reason: `without ${id}` }),
    )
    const about = { target: 'a', profile: 'ci', seed: 1, took: 9, only: ['TX-01', 'SE-10', 'SE-11'] } as const
    await page.setContent(writeHtml([makeReport(about, [judgement('PASS', ['TX-01']), ...skipped])]))
    const groups = () => page.locator('.untested:not([hidden]) summary').allInnerTexts()
    expect(await groups()).toEqual(['1 not tested: without SE-10', '1 not tested: without SE-11'])
    await page.fill('[name=text]', 'SE-11')
    expect(await groups()).toEqual(['1 not tested: without SE-11'])
    await page.fill('[name=text]', '')
    expect(await page.locator('.untested[open]').count()).toBe(0)
    await page.evaluate(() => (location.hash = '#SE-10'))
    await page.waitForSelector('.untested[open] #SE-10')
    expect(await page.locator('.untested[open]').count()).toBe(1)
    await page.close()
  })

  it('filters failures and requirements by text, severity and verdict, and opens a failure that a link names', async () => {
    const page = await browser.newPage()
    await page.setContent(writeHtml([filtered]))
    const shown = () =>
      page.evaluate(() => {
        const visible = [...document.querySelectorAll<HTMLElement>('.finding, tbody tr')].filter(
          (each) => !each.hidden,
        )
        return visible.map(({ id }) => id)
      })
    expect((await shown()).toSorted()).toEqual([
      'SE-10',
      'SE-11',
      'TX-01',
      'TX-19',
      'a-SE-10',
      'a-TX-01',
      'a-TX-19',
    ])
    await page.selectOption('[name=severity]', 'session')
    expect(await shown()).toEqual(['a-SE-10', 'SE-10'])
    await page.selectOption('[name=severity]', '')
    await page.selectOption('[name=verdict]', 'WARN')
    expect(await shown()).toEqual(['a-TX-19', 'TX-19'])
    await page.selectOption('[name=verdict]', '')
    await page.fill('[name=text]', 'replaying OLD cookie')
    expect(await shown()).toEqual(['a-SE-10', 'SE-10'])
    await page.click('tbody a[href="#a-SE-10"]')
    // The event that opens it comes after the click.
    await page.waitForSelector('details#a-SE-10[open]')
    await page.close()
  })

  it('is valid JUnit XML, whatever a target returns', async () => {
    const page = await browser.newPage()
    for (const report of reports) {
      const { broken, cases } = await page.evaluate((xml) => {
        const parsed = new DOMParser().parseFromString(xml, 'application/xml')
        return {
          broken: parsed.querySelector('parsererror')?.textContent,
          cases: parsed.querySelectorAll('testcase').length,
        }
      }, writeJunit(report))
      expect(broken).toBeUndefined()
      expect(cases).toBe(report.judgements.filter(({ verdict }) => isJudged(verdict)).length)
    }
    await page.close()
  })
})
