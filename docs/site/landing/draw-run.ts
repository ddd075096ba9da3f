import { charts } from '../../../machines/by-id.ts'
import { type FlowGraph, graphOf } from '../../../machines/graph.ts'
import { requirement } from '../../../spec/index.ts'
import { drawSvg, svgStyle } from '../../../src/tools/diagrams/draw-svg.ts'
import { type LayoutEngine, layOut } from '../../../src/tools/diagrams/lay-out.ts'
import { traceFlow, traceStyle } from '../../../src/tools/diagrams/trace-marks.ts'
import type { Run } from '../../examples/demo/trail.ts'

/** A step of a run, as the player shows it. */
export interface PlayedStep {
  readonly state: string
  /** The event that leaves the state; absent at the end. */
  readonly event?: string
  readonly says: string
  readonly requirements: readonly string[]
}

/** The diagram of a flow with the path of a run, and the steps of that run. */
export interface DrawnRun {
  readonly flow: string
  readonly svg: string
  readonly steps: readonly PlayedStep[]
}

/** Draws the path of a run on the diagram of its flow. */
export async function drawRun(run: Run, engine: LayoutEngine): Promise<DrawnRun> {
  const chart = Object.values(charts).find(({ id }) => id === run.flow)
  if (!chart) throw new Error(`There is no flow ${run.flow}`)
  const graph = graphOf(chart)
  const hops = run.hops.map((hop) => ({ ...hop, milliseconds: 0 }))
  const trace = traceFlow(graph, { hops, state: run.ended, ending: endingOf(graph, run.ended) })
  const marks = {
    ...trace,
    legend: [],
    // The numbers and times of one recording say nothing here.
    state: (node: Parameters<typeof trace.state>[0]) => {
      const mark = trace.state(node)
      return mark && { look: mark.look }
    },
  }
  const svg = drawSvg(await layOut(graph, engine), { marks, styled: false })
  return {
    flow: run.flow,
    svg: simplify(svg, run.flow),
    steps: [...run.hops, { state: run.ended }].map((hop) => describeStep(graph, hop)),
  }
}

/** The style of the diagrams, in the colours that the reader selects on the site. */
export function styleRuns(): string {
  return `${svgStyle}${traceStyle}`.replaceAll(
    /@media\(prefers-color-scheme:dark\)\{(\.flow[^{]*)\{/g,
    (_, selector: string) => `@media all{.dark ${selector}{`,
  )
}

function endingOf(graph: FlowGraph, state: string) {
  return graph.nodes.find(({ id }) => id === state)?.ending
}

function describeStep(
  graph: FlowGraph,
  { state, event }: { readonly state: string; readonly event?: string },
): PlayedStep {
  const node = graph.nodes.find(({ id }) => id === state)
  if (!node) throw new Error(`${graph.id} has no state ${state}`)
  return {
    state,
    ...(event !== undefined && { event }),
    says: node.description,
    requirements: node.spec.filter((id) => requirement(id).level === 'must').slice(0, 3),
  }
}

/** The caption says what a screen reader needs, and the page of the flow has the rest. */
function simplify(svg: string, flow: string): string {
  return svg
    .replaceAll(/<title>[^<]*<\/title>/g, '')
    .replace(/<desc[^>]*>[^<]*<\/desc>/, '')
    .replace(
      / aria-labelledby="[^"]*" aria-describedby="[^"]*"/,
      ` aria-label="The ${flow} flow with the path of the recorded sign-in"`,
    )
    .replaceAll(/<title id="[^"]*">[^<]*<\/title>/g, '')
    .replaceAll(/<a class="requirement">(.*?)<\/a>/g, '<g class="requirement">$1</g>')
    .replaceAll('\n', '')
}
