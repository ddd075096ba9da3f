import { findEdge, type FlowGraph } from '../../../machines/graph.ts'

/** One step of a path through a flow. */
export interface Hop {
  readonly state: string
  readonly event: string
  readonly next: string
}

/** The events that each working state of a flow can report. */
export type Says = Readonly<Record<string, readonly string[]>>

/** Returns the working state in which a flow begins. */
export function beginsAt(graph: FlowGraph): string | undefined {
  return graph.initial === undefined ? undefined : enter(graph, graph.initial)
}

/** Returns the state that is active after a state was entered: its innermost initial state. */
export function enter(graph: FlowGraph, place: string): string {
  const initial = graph.nodes.find(({ id }) => id === place)?.initial
  return initial === undefined ? place : enter(graph, initial)
}

/** Returns where an event leads, or undefined if nothing handles it. */
export function follow(graph: FlowGraph, state: string, event: string): Hop | undefined {
  const edge = findEdge(graph, state, event)
  return edge && { state, event, next: enter(graph, edge.target) }
}

/** Returns everything that can happen in a state. A fault is left out where it leads to the end as in every state. */
export function hopsFrom(graph: FlowGraph, says: Says, state: string): readonly Hop[] {
  const ownFault = graph.edges.some(({ source, event }) => source === state && event === 'fault')
    ? ['fault']
    : []
  return [...(says[state] ?? []), ...ownFault].flatMap((event) => follow(graph, state, event) ?? [])
}

/** Some of the paths to a state. */
export interface Paths {
  /** The shortest first. */
  readonly paths: readonly (readonly Hop[])[]
  /** Whether there are more. */
  readonly isCut: boolean
}

/** Limits that keep the search below a tenth of a second. */
const most = { paths: 100, tries: 30_000 }

/** Finds the paths from the beginning of a flow to a state that visit no state twice. */
export function findPaths(graph: FlowGraph, says: Says, goal: string): Paths {
  const begin = beginsAt(graph)
  if (begin === undefined) return { paths: [], isCut: false }
  const next = new Map<string, readonly Hop[]>()
  const from = (state: string) => {
    const known = next.get(state) ?? hopsFrom(graph, says, state)
    next.set(state, known)
    return known
  }
  const leads = findLeading(graph, from, goal)
  const paths: Hop[][] = []
  let open: Hop[][] = [[]]
  for (let tries = 0; open.length > 0;) {
    const longer: Hop[][] = []
    for (const path of open) {
      const at: string = path.at(-1)?.next ?? begin
      if (at === goal) paths.push(path)
      if (paths.length >= most.paths || tries > most.tries) return { paths, isCut: true }
      for (const hop of from(at)) {
        tries += 1
        const isKnown = hop.next === begin || path.some(({ next: visited }) => visited === hop.next)
        if (!isKnown && leads.has(hop.next)) longer.push([...path, hop])
      }
    }
    open = longer
  }
  return { paths, isCut: false }
}

/** Returns the states from which the goal can be reached, with the goal. */
function findLeading(graph: FlowGraph, from: (state: string) => readonly Hop[], goal: string) {
  const leads = new Set([goal])
  for (let size = 0; size < leads.size;) {
    size = leads.size
    for (const { id } of graph.nodes) if (from(id).some(({ next }) => leads.has(next))) leads.add(id)
  }
  return leads
}
