import { type ComponentChild, h } from 'preact'
import type { FlowGraph } from '../../../machines/graph.ts'
import { measureText, type Point, type Size } from './boxes.ts'
import type { Marks } from './marks.ts'
import { drawHead, drawRoute } from './routes.ts'

const LINE = 22
const SWATCH = 26
const GAP = 20

interface Entry {
  readonly label: string
  readonly draw: (look?: string) => ComponentChild
  readonly look?: string
}

/** Returns the legend entries for the diagram of this graph. */
export function listEntries({ nodes }: FlowGraph, marks?: Marks): readonly Entry[] {
  const tones = (['success', 'refusal', 'fault'] as const).filter((tone) =>
    nodes.some(({ ending }) => ending === tone),
  )
  const state = ['state', ...(nodes.some(({ step }) => step) ? ['its step'] : []), 'its requirements'].join(
    ', ',
  )
  return [
    { label: 'begins here', draw: drawDot },
    { label: state, draw: drawSwatch },
    ...tones.map((tone) => ({ label: `end: ${tone}`, draw: drawSwatch, look: tone })),
    ...(marks
      ? marks.legend.map((entry) => ({ ...entry, draw: drawArrow }))
      : tones.map((tone) => ({ label: `leads to ${tone}`, draw: drawArrow, look: tone }))),
  ]
}

/** The entries of a legend by row, and their total size. */
export interface Legend extends Size {
  readonly rows: readonly (readonly { readonly entry: Entry; readonly x: number }[])[]
}

/** Wraps the legend into rows that are at most as wide as the diagram, in px. */
export function sizeLegend(entries: readonly Entry[], limit: number): Legend {
  const rows: { entry: Entry; x: number }[][] = [[]]
  let x = 0
  for (const entry of entries) {
    const width = SWATCH + 8 + measureText(entry.label, { size: 11 })
    if (x > 0 && x + width > limit) {
      rows.push([])
      x = 0
    }
    rows.at(-1)?.push({ entry, x })
    x += width + GAP
  }
  return { rows, width: limit, height: rows.length * LINE }
}

/** Draws the legend below the diagram. */
export function drawLegend({ x, y }: Point, { rows }: Legend): ComponentChild {
  return h(
    'g',
    { class: 'legend', transform: `translate(${x} ${y})` },
    rows.flatMap((row, index) =>
      row.map(({ entry, x: left }) => {
        return h('g', { transform: `translate(${left} ${index * LINE})` }, [
          entry.draw(entry.look),
          h('text', { x: SWATCH + 8, y: LINE / 2 + 4 }, entry.label),
        ])
      }),
    ),
  )
}

function drawDot(): ComponentChild {
  return h('g', { class: 'start' }, h('circle', { cx: SWATCH / 2, cy: LINE / 2, r: 5 }))
}

function drawSwatch(look?: string): ComponentChild {
  return h('g', { class: look ?? 'working' }, [
    h('rect', { class: 'box', x: 1, y: 4, width: SWATCH - 2, height: LINE - 8, rx: 4 }),
    look !== undefined &&
      h('rect', { class: 'inner', x: 4, y: 7, width: SWATCH - 8, height: LINE - 14, rx: 2 }),
  ])
}

function drawArrow(look = ''): ComponentChild {
  const route = [
    { x: 0, y: LINE / 2 },
    { x: SWATCH, y: LINE / 2 },
  ]
  return h('g', { class: `arrow ${look}` }, [
    h('path', { class: 'line', d: drawRoute(route) }),
    h('path', { class: 'head', d: drawHead(route) }),
  ])
}
