import { charts } from '../../../machines/by-id.ts'
import type { Chart } from '../../../machines/chart.ts'
import { type FlowGraph, graphOf } from '../../../machines/graph.ts'
import { once } from '../../async/once.ts'
import type { Layout } from '../diagrams/lay-out.ts'
import { findEngine, layOut } from '../diagrams/lay-out.ts'
import { traceNotes } from '../diagrams/trace-marks.ts'

/** A chart as devtools show it. */
interface Shown {
  readonly chart: Chart
  readonly graph: FlowGraph
  /** Lays the flow out, with room for the notes of any run. Returns undefined if elkjs is not installed. */
  readonly layOut: () => Promise<Layout | undefined>
}

const shown = new Map<string, Shown>()
for (const chart of Object.values<Chart>(charts)) noteChart(chart)

/** Notes the chart of a run. With features, it has more states than the library's own. */
export function noteChart(chart: Chart): void {
  if (shown.get(chart.id)?.chart === chart) return
  const graph = graphOf(chart)
  const lay = async () => {
    const engine = await findEngine()
    return engine && layOut(graph, engine, traceNotes)
  }
  shown.set(chart.id, { chart, graph, layOut: once(lay) })
}

/** Returns the graph of a flow. */
export function findGraph(flow: string): FlowGraph | undefined {
  return shown.get(flow)?.graph
}

/** Returns what the chart of a flow says about its requests. */
export function factsOf(flow: string): Partial<Chart['meta']> {
  return shown.get(flow)?.chart.meta ?? {}
}

/** The flows whose successful requests are routine. */
export const routine: readonly string[] = Object.values<Chart>(charts).flatMap(({ id, meta }) =>
  meta.isRoutine ? [id] : [],
)

/** Returns the layout of a flow. */
export async function findLayout(flow: string): Promise<Layout | undefined> {
  return shown.get(flow)?.layOut()
}
