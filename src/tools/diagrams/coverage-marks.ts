import { findEdge, type FlowEdge, type FlowGraph, type FlowNode } from '../../../machines/graph.ts'
import type { NamedHop } from '../../../machines/hop.ts'
import type { Arrow } from './arrows.ts'
import { type Mark, type Marks, marksStyle } from './marks.ts'

/** The number of times that a hop was taken. */
export interface CountedHop extends NamedHop {
  readonly count: number
}

/** How often each edge of a graph was taken, and which edges were never taken. */
export interface FlowCoverage {
  readonly marks: Marks
  readonly taken: number
  readonly total: number
  /** The edges that were never taken, as `state -(event)-> target`. */
  readonly never: readonly string[]
}

const name = 'covered'

const style = `${marksStyle(name)}
.flow.covered .arrow .never,.flow.covered .arrow.never>.head{fill:var(--never)}
.flow.covered .state.never>.box,.flow.covered .arrow.never>.line{stroke:var(--never);stroke-dasharray:2 4}
.flow.covered .state.never>:is(.name,.note){fill:var(--never)}
.flow.covered .arrow.seldom>.line{stroke-width:1.4}
.flow.covered .arrow.often>.line{stroke-width:2.8}
.flow.covered .arrow.mostly>.line{stroke-width:4.6}`

/** Marks how often each edge of a flow was taken: the more often, the wider the line. */
export function coverFlow(graph: FlowGraph, hops: readonly CountedHop[]): FlowCoverage {
  const own = hops.filter(({ flow }) => flow === graph.id)
  const counts = new Map(graph.edges.map((edge) => [keyOf(edge), 0]))
  for (const { state, event, count } of own) {
    const edge = findEdge(graph, state, event)
    if (edge) counts.set(keyOf(edge), (counts.get(keyOf(edge)) ?? 0) + count)
  }
  const countOf = ({ source }: Arrow, event: string) => counts.get(keyOf({ source, event })) ?? 0
  const visits = countVisits(graph, own)
  const most = Math.max(...counts.values(), 1)
  const never = graph.edges.filter((edge) => counts.get(keyOf(edge)) === 0).map(describeEdge)
  return {
    marks: {
      name,
      style,
      legend: [
        { label: 'taken (wider: more often)', look: 'lit often' },
        { label: 'never taken', look: 'never' },
      ],
      state: (node) => markState(node, visits.get(node.id) ?? 0),
      event: (arrow, event) => markCount(countOf(arrow, event)),
      arrow(arrow) {
        const count = arrow.events.reduce((sum, event) => sum + countOf(arrow, event), 0)
        return count === 0 ? 'never' : `lit ${rank(count, most)}`
      },
    },
    taken: graph.edges.length - never.length,
    total: graph.edges.length,
    never,
  }
}

/** A state has one edge for an event. */
function keyOf({ source = '', event }: { source?: string | undefined; event: string }): string {
  return `${source} ${event}`
}

/** Counts how often runs were in each state, including parent states. */
function countVisits({ nodes }: FlowGraph, hops: readonly CountedHop[]): ReadonlyMap<string, number> {
  return new Map(
    nodes.map(({ id, kind }) => {
      const within = (place: string) => place === id || place.startsWith(`${id}.`)
      const visits = hops.filter(({ state, next }) => within(kind === 'final' ? next : state))
      return [id, visits.reduce((sum, { count }) => sum + count, 0)]
    }),
  )
}

function markState({ kind }: FlowNode, visits: number): Mark {
  if (visits === 0) return { look: 'never', note: writeCount(0) }
  return kind === 'compound' ? { look: 'lit' } : { look: 'lit', note: writeCount(visits) }
}

function markCount(count: number): Mark {
  return { look: count === 0 ? 'never' : 'lit', note: writeCount(count) }
}

function writeCount(count: number): string {
  return count === 0 ? 'never' : `×${String(count).replace(/\B(?=(\d{3})+$)/g, ',')}`
}

/** The scale is logarithmic, because some edges are taken thousands of times as often as others. */
function rank(count: number, most: number): string {
  const share = Math.log(count + 1) / Math.log(most + 1)
  return share > 0.8 ? 'mostly' : share > 0.45 ? 'often' : 'seldom'
}

function describeEdge({ source = 'any state', event, target }: FlowEdge): string {
  return `${source} -(${event})-> ${target}`
}
