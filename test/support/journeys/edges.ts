import { edgesOf, type Edge } from '../../../fuzz/charts/chart-walk.ts'
import type { ParallelChart } from '../../../machines/chart.ts'
import { journeyChart } from '../../../machines/journey.ts'
import { findRefusal, type RecordedRun } from './check.ts'

/** Writes an edge as text: `provider.atProvider -(callback.signed-in)-> notStarted`. */
export function nameEdge({ at, event, target }: Edge): string {
  return `${at} -(${event})-> ${target}`
}

/** The journey without one edge. Its region still knows the event, but no longer accepts it there. */
export function withoutEdge({ at, event }: Pick<Edge, 'at' | 'event'>): ParallelChart {
  const chart: ParallelChart = structuredClone(journeyChart)
  const [region = '', state] = at.split('.')
  const holder = state === undefined ? chart.states[region] : chart.states[region]?.states[state]
  Object.assign(holder && 'on' in holder ? (holder.on ?? {}) : {}, { [event]: undefined })
  return chart
}

/** Returns the edges whose removal makes the journey reject some run. */
export function findNeeded(runs: readonly RecordedRun[]): readonly Edge[] {
  return edgesOf(journeyChart).filter((edge) => {
    const without = withoutEdge(edge)
    return runs.some((run) => takes(run, edge.event) && findRefusal(run, without) !== undefined)
  })
}

function takes({ steps }: RecordedRun, event: string): boolean {
  return steps.some(({ events }) => events.includes(event))
}
