import type { FlowGraph } from '../../../machines/graph.ts'

/** The target of an arrow: another state, or one of the three kinds of final states. */
export type Tone = 'progress' | 'success' | 'refusal' | 'fault'

/** All edges between the same two states, as one arrow with stacked events. */
export interface Arrow {
  /** The state that handles the events. Absent if every state handles them. */
  readonly source?: string
  readonly target: string
  readonly events: readonly string[]
  readonly tone: Tone
}

/** Returns the edges of a graph, merged if they connect the same two states, in the order of their first edge. */
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

/**
 * Returns whether all states of a chart, or of a compound state, handle the events. Such an arrow starts at a note
 * instead of at each state.
 */
export function isHeardInside({ source, target }: Arrow): boolean {
  return source === undefined || target.startsWith(`${source}.`)
}
