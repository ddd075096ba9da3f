import type { FlowGraph } from '../../machines/graph.ts'

/** What an arrow leads to: on within the flow, or to an end of one of the three kinds. */
export type Tone = 'progress' | 'success' | 'refusal' | 'fault'

/** All edges between the same two states, as one line with the events stacked. */
export interface Arrow {
  /** The place of the state that hears the events; absent when every state does. */
  readonly source?: string
  readonly target: string
  readonly events: readonly string[]
  readonly tone: Tone
}

/** The edges of a graph, those between the same two states merged into one, in the order of the first of each. */
export function mergeEdges(graph: FlowGraph): readonly Arrow[] {
  const endings = new Map(graph.nodes.map(({ id, ending }) => [id, ending]))
  const merged = new Map<string, Arrow>()
  for (const { source, event, target } of graph.edges) {
    const key = JSON.stringify([source, target])
    const before = merged.get(key)
    const tone = endings.get(target) ?? 'progress'
    const from = source === undefined ? {} : { source }
    merged.set(key, { ...from, target, tone, events: [...(before?.events ?? []), event] })
  }
  return [...merged.values()]
}

/** True of what all states of a chart, or of a compound state, hear: it starts at a note among them, and not at each. */
export function isHeardInside({ source, target }: Arrow): boolean {
  return source === undefined || target.startsWith(`${source}.`)
}
