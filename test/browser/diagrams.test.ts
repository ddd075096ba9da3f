import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mermaid } from 'mermaid'
import type { AnyChart } from '../../machines/chart.ts'
import { graphOf } from '../../machines/graph.ts'
import { loadEngine } from '../../src/tools/cli/flows.ts'
import { drawable } from '../../src/tools/diagrams/drawable.ts'
import { coverFlow } from '../../src/tools/diagrams/coverage-marks.ts'
import { drawSvg } from '../../src/tools/diagrams/draw-svg.ts'
import { layOut, type Layout } from '../../src/tools/diagrams/lay-out.ts'
import { noNotes, notesOf } from '../../src/tools/diagrams/marks.ts'
import { traceFlow, traceNotes } from '../../src/tools/diagrams/trace-marks.ts'
import { writeHtml } from '../../src/tools/diagrams/write-html.ts'
import { writeMermaid } from '../../src/tools/diagrams/write-mermaid.ts'
import { hostileChart } from '../diagrams/hostile.ts'
import { findInaccessible } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'

const charts: readonly AnyChart[] = [...drawable.values(), hostileChart]
const linkTo = (id: string) => `requirements.md#${id}`

describe('the diagrams in a browser', () => {
  let browser: Browser
  let layouts: readonly Layout[]

  beforeAll(async () => {
    browser = await launchBrowser()
    const engine = await loadEngine()
    const made: Layout[] = []
    for (const chart of charts) made.push(await layOut(graphOf(chart), engine))
    layouts = made
  })

  afterAll(() => browser?.close())

  it('are well-formed documents in which every text fits into its box', async () => {
    const page = await browser.newPage()
    for (const layout of layouts) {
      await page.setContent(`<body>${drawSvg(layout, { linkTo })}`)
      expect(await isWellFormed(page, drawSvg(layout, { linkTo })), layout.graph.id).toBe(true)
      expect(await findOverflowing(page), layout.graph.id).toEqual([])
    }
    await page.close()
  })

  it.each(['alone', 'with coverage', 'with a trace'] as const)(
    'follow the colour scheme, and are legible in both: %s',
    async (how) => {
      const drawn = drawSvg(...(await mark(pick('session'), how)))
      const grounds = new Set<string>()
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ colorScheme })
        await page.setContent(`<!DOCTYPE html><html lang="en"><title>x</title><main>${drawn}`)
        const colours = await readColours(page)
        grounds.add(colours.ground)
        for (const { text, contrast } of colours.texts)
          expect(contrast, `${text}, ${colorScheme}`).toBeGreaterThan(4.5)
        expect(await findOverflowing(page)).toEqual([])
        await page.close()
      }
      expect(grounds.size).toBe(2)
    },
  )

  it('are accessible pages, and do not scroll sideways on a phone', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 360, height: 700 } })
      await page.setContent(writeHtml(pick('sign-in')))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      expect(await findInaccessible(page)).toEqual([])
      await page.close()
    }
  })

  it('are valid Mermaid in the Mermaid format', async () => {
    const page = await browser.newPage()
    await page.addScriptTag({ path: fileURLToPath(import.meta.resolve('mermaid/dist/mermaid.min.js')) })
    const parse = (text: string) =>
      page.evaluate(async (source) => {
        const { mermaid } = globalThis as unknown as { mermaid: Mermaid }
        return mermaid.parse(source, { suppressErrors: true })
      }, text)
    expect(await parse('stateDiagram-v2\n  state "a as b')).toBe(false)
    for (const { graph } of layouts)
      expect(await parse(writeMermaid(graph)), graph.id).toMatchObject({
        diagramType: expect.stringMatching(/^state/) as string,
      })
    await page.close()
  })

  function pick(name: string): Layout {
    const found = layouts.find(({ graph }) => graph.id === name)
    if (!found) throw new Error(`Unknown flow ${name}`)
    return found
  }
})

/** A diagram with marks on it, and with every note at its maximum width. */
async function mark({ graph }: Layout, how: 'alone' | 'with coverage' | 'with a trace') {
  const hop = (state: string, event: string, next: string) => ({ flow: graph.id, state, event, next })
  const hops = [
    hop('checkingCsrf', 'csrf.accepted', 'readingCookie'),
    hop('readingCookie', 'token.held', 'openingToken'),
    hop('openingToken', 'token.expired', 'ended'),
  ]
  const coverage = coverFlow(
    graph,
    hops.map((each) => ({ ...each, count: 1_234_567 })),
  ).marks
  const run = {
    hops: hops.map((each) => ({ ...each, milliseconds: 88_888 })),
    state: 'ended',
    ending: 'refusal',
  } as const
  const marks = { alone: undefined, 'with coverage': coverage, 'with a trace': traceFlow(graph, run) }[how]
  const notes = { alone: noNotes, 'with coverage': notesOf(coverage), 'with a trace': traceNotes }[how]
  return [await layOut(graph, await loadEngine(), notes), { linkTo, marks }] as const
}

function isWellFormed(page: Page, svg: string): Promise<boolean> {
  return page.evaluate(
    (text) => !new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror'),
    svg,
  )
}

/** Texts that are wider than the box or label around them. */
function findOverflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    for (const text of document.querySelectorAll<SVGTextElement>('.state text, .arrow text, .note text')) {
      const box = text.closest('g')?.querySelector('rect')?.getBoundingClientRect()
      const { left, right, top, bottom } = text.getBoundingClientRect()
      if (!box || left < box.left || right > box.right || top < box.top - 1 || bottom > box.bottom + 1)
        found.push(text.textContent)
    }
    return found
  })
}

interface Colours {
  readonly ground: string
  readonly texts: readonly { readonly text: string; readonly contrast: number }[]
}

/** The contrast of each text with its background, as WCAG defines it. */
function readColours(page: Page): Promise<Colours> {
  return page.evaluate(() => {
    const light = (colour: string) => {
      const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
        const share = Number(part) / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const fillOf = (element: Element | null | undefined) => (element ? getComputedStyle(element).fill : '')
    const ground = fillOf(document.querySelector('.paper'))
    const texts = [...document.querySelectorAll('.flow text')].map((text) => {
      const behind = fillOf(text.closest('g')?.querySelector(':scope > .box, :scope > .plate')) || ground
      const [one, other] = [light(fillOf(text)), light(behind)]
      return {
        text: text.textContent,
        contrast: (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05),
      }
    })
    return { ground, texts }
  })
}
