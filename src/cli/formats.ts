import type { RequirementId } from '../../spec/index.ts'
import { toMachine, type Chart } from '../../machines/chart.ts'
import { graphOf } from '../../machines/graph.ts'
import { coverFlow, type CountedHop } from '../drawing/coverage-marks.ts'
import { drawSvg } from '../drawing/draw-svg.ts'
import { layOut, type LayoutEngine } from '../drawing/lay-out.ts'
import { notesOf } from '../drawing/marks.ts'
import { writeDot } from '../drawing/write-dot.ts'
import { writeHtml } from '../drawing/write-html.ts'
import { writeMermaid } from '../drawing/write-mermaid.ts'

interface Drawer {
  /** Gives the engine that lays out, when a format needs one. */
  readonly loadEngine: () => Promise<LayoutEngine>
  /** The page that explains the requirements, each under its id. */
  readonly requirements?: string
  /** How often hops were taken; formats that cannot show it are drawn without. */
  readonly coverage?: readonly CountedHop[]
}

interface Format {
  /** One line of help. */
  readonly says: string
  /** What files of it are called behind the dot. */
  readonly extension: string
  /** Does it show coverage? */
  readonly paints?: true
  draw(chart: Chart, drawer: Drawer): string | Promise<string>
}

/** Every way in which a flow can be put out, by its name. */
export const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  [
    'svg',
    {
      says: 'a drawing, light or dark as its reader is',
      extension: 'svg',
      paints: true,
      async draw(chart, { loadEngine, requirements, coverage }) {
        const graph = graphOf(chart)
        const marks = coverage && coverFlow(graph, coverage).marks
        const layout = await layOut(graph, await loadEngine(), marks && notesOf(marks))
        return drawSvg(layout, { linkTo: linkInto(requirements), marks })
      },
    },
  ],
  [
    'html',
    {
      says: 'a page with the drawing, its states and the texts of its requirements',
      extension: 'html',
      paints: true,
      async draw(chart, { loadEngine, requirements, coverage }) {
        const graph = graphOf(chart)
        const covered = coverage && coverFlow(graph, coverage)
        const layout = await layOut(graph, await loadEngine(), covered && notesOf(covered.marks))
        return writeHtml(layout, {
          linkTo: linkInto(requirements),
          coverage: covered,
        })
      },
    },
  ],
  [
    'mermaid',
    {
      says: 'a state diagram for Markdown',
      extension: 'mmd',
      draw: (chart) => `${writeMermaid(graphOf(chart))}\n`,
    },
  ],
  [
    'dot',
    {
      says: 'for Graphviz',
      extension: 'dot',
      draw: (chart, { requirements }) => `${writeDot(graphOf(chart), { linkTo: linkInto(requirements) })}\n`,
    },
  ],
  [
    'json',
    {
      says: "the machine's config, as XState and Stately Studio read it",
      extension: 'json',
      draw: (chart) => `${JSON.stringify(toMachine(chart).config, undefined, 2)}\n`,
    },
  ],
])

function linkInto(page: string | undefined): ((id: RequirementId) => string) | undefined {
  return page === undefined ? undefined : (id) => `${page}#${id}`
}
