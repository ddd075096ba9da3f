import { findEdge, type FlowGraph, type FlowNode, graphOf } from '../../../machines/graph.ts'
import type { Flow } from '../../flows/engine/flow.ts'

/** Where a run begins, and the facts that it has. */
export interface Start {
  readonly at: string
  readonly facts: readonly string[]
}

/** A transition that a step can cause. */
interface Transition {
  readonly from: FlowNode
  readonly event: string
  readonly to: FlowNode
  /** The facts that the event provides. */
  readonly brings: readonly string[]
}

/** The transitions that the chart and the steps of a flow allow. */
export interface Walk {
  readonly graph: FlowGraph
  readonly start: FlowNode
  readonly transitions: readonly Transition[]
}

/** Lists the transitions of a flow, including those for the event `fault`. */
export function walkFlow(flow: Flow, at = flow.chart.initial): Walk {
  const graph = graphOf(flow.chart)
  const transitions = graph.nodes.flatMap((from) =>
    Object.entries({ ...flow.steps[from.step ?? '']?.says, fault: ['fault'] }).flatMap(([event, brings]) => {
      const edge = from.kind === 'working' ? findEdge(graph, from.id, event) : undefined
      return edge ? [{ from, event, to: enter(graph, edge.target), brings }] : []
    }),
  )
  return { graph, start: enter(graph, at), transitions }
}

/** Returns the state that a run is in after it enters a state: the innermost initial state. */
function enter(graph: FlowGraph, id: string): FlowNode {
  const node = graph.nodes.find((each) => each.id === id)
  if (!node)
    throw new Error(`An edge of the chart "${graph.id}" leads to the state "${id}", which does not exist`)
  return node.initial === undefined ? node : enter(graph, node.initial)
}

/** Returns what is wrong with a flow, one sentence for each fault. */
export function checkFlow(
  flow: Flow,
  start: Start = { at: flow.chart.initial, facts: flow.begins },
): string[] {
  const walk = walkFlow(flow, start.at)
  const reached = followFrom([walk.start.id], walk.transitions, 'forward')
  const leaves = walk.graph.nodes.filter(({ kind }) => kind !== 'compound')
  const here = leaves.filter(({ id }) => reached.has(id))
  const finals = leaves.filter(({ kind }) => kind === 'final').map(({ id }) => id)
  const ending = followFrom(finals, walk.transitions, 'backward')
  const faults = [
    ...leaves
      .filter(({ id }) => start.at === flow.chart.initial && !reached.has(id))
      .map(({ id }) => `No path leads to the state "${id}"`),
    ...here
      .filter(({ id }) => !ending.has(id))
      .map(({ id }) => `No path leads from "${id}" to a final state`),
    ...here.flatMap((node) => checkState(node, flow, walk)),
    ...checkFacts(flow, start, walk),
  ]
  return faults.map((fault) => `${flow.id}: ${fault}`)
}

function checkState({ id, kind, step = '' }: FlowNode, flow: Flow, { graph }: Walk): string[] {
  if (kind === 'final') return flow.outcomes[id] ? [] : [`The final state "${id}" has no outcome`]
  const known = flow.steps[step]
  if (!known) return [`The state "${id}" invokes the step "${step}", which does not exist`]
  const unheard = [...Object.keys(known.says), 'fault'].filter((event) => !findEdge(graph, id, event))
  const idle = graph.edges.filter(
    ({ source, event }) => source === id && event !== 'fault' && !(event in known.says),
  )
  return [
    ...unheard.map((event) => `The state "${id}" does not handle the event "${event}"`),
    ...idle.map(({ event }) => `The step "${step}" of the state "${id}" never reports "${event}"`),
  ]
}

/** Follows transitions until no further state is found. */
function followFrom(
  ids: readonly string[],
  transitions: readonly Transition[],
  direction: 'forward' | 'backward',
): ReadonlySet<string> {
  const found = new Set(ids)
  for (const id of found)
    for (const { from, to } of transitions) {
      if (direction === 'forward' && from.id === id) found.add(to.id)
      if (direction === 'backward' && to.id === id) found.add(from.id)
    }
  return found
}

/** Reports needed facts that are missing. A state has a fact if every path to it provides the fact. */
function checkFacts(flow: Flow, { facts }: Start, { start, transitions }: Walk): string[] {
  const held = new Map<string, ReadonlySet<string>>([[start.id, new Set(facts)]])
  for (let changed = true; changed;) {
    changed = false
    for (const { from, to, brings } of transitions) {
      const before = held.get(from.id)
      if (!before) continue
      const next = new Set([...before, ...brings])
      const known = held.get(to.id)
      const both = known ? new Set([...known].filter((fact) => next.has(fact))) : next
      changed ||= known?.size !== both.size
      held.set(to.id, both)
    }
  }
  return [...held].flatMap(([id, available]) => {
    const node = graphNode(transitions, id)
    const needs: readonly string[] =
      (node?.kind === 'final' ? flow.outcomes[id] : flow.steps[node?.step ?? ''])?.needs ?? []
    const lacking = needs.filter((fact) => !available.has(fact))
    return lacking.map(
      (fact) => `The state "${id}" needs the fact "${fact}", which a path to it does not provide`,
    )
  })
}

function graphNode(transitions: readonly Transition[], id: string): FlowNode | undefined {
  return transitions.flatMap(({ from, to }) => [from, to]).find((node) => node.id === id)
}
