import type { RequirementId } from '../../../spec/index.ts'
import { toMachine, type AnyChart } from '../../../machines/chart.ts'
import { graphOf } from '../../../machines/graph.ts'
import { coverFlow, type CountedHop } from '../diagrams/coverage-marks.ts'
import { drawSvg } from '../diagrams/draw-svg.ts'
import { layOut, type LayoutEngine } from '../diagrams/lay-out.ts'
import { notesOf } from '../diagrams/marks.ts'
import { writeDot } from '../diagrams/write-dot.ts'
import { writeHtml } from '../diagrams/write-html.ts'
import { writeMermaid } from '../diagrams/write-mermaid.ts'

interface Drawer {
  /** Loads the layout engine, if a format needs it. */
  readonly loadEngine: () => Promise<LayoutEngine>
  /** The page that explains the requirements, with their ids as anchors. */
  readonly requirements?: string
  /** How often transitions were taken. Formats that cannot show coverage ignore it. */
  readonly coverage?: readonly CountedHop[]
}

interface Format {
  /** One line of help. */
  readonly says: string
  /** The file extension, without the dot. */
  readonly extension: string
  /** Whether it shows coverage. */
  readonly paints?: true
  draw(chart: AnyChart, drawer: Drawer): string | Promise<string>
}

/** The output formats, by name. */
export const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  [
    'svg',
    {
      says: 'a diagram that follows the light or dark mode of its reader',
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
      says: 'a page with the diagram, its states and its requirements',
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
      says: 'a Graphviz graph',
      extension: 'dot',
      draw: (chart, { requirements }) => `${writeDot(graphOf(chart), { linkTo: linkInto(requirements) })}\n`,
    },
  ],
  [
    'json',
    {
      says: "the machine's config, for XState and Stately Studio",
      extension: 'json',
      draw: (chart) => `${JSON.stringify(toMachine(chart).config, undefined, 2)}\n`,
    },
  ],
])

function linkInto(page: string | undefined): ((id: RequirementId) => string) | undefined {
  return page === undefined ? undefined : (id) => `${page}#${id}`
}
