import type { RequirementId } from '../spec/index.ts'
import type { AnyChart, Chart, Edges } from './chart.ts'
import type { Ending } from './endings.ts'

/** A state of a chart, as a node. */
export interface FlowNode {
  /** The path of the state in the chart, such as `admitting.recognising.openingToken`. Unique. */
  readonly id: string
  /** The last part of the path. */
  readonly name: string
  /** `working` runs a step, `resting` waits for the browser, `compound` contains other states. */
  readonly kind: 'working' | 'resting' | 'compound' | 'final'
  readonly description: string
  readonly spec: readonly RequirementId[]
  /** The path of the enclosing compound state. Undefined at the top level. */
  readonly parent?: string
  /** The step that a working state runs. */
  readonly step?: string
  /** The kind of a final state. */
  readonly ending?: Ending
  /** The path of a compound state's initial state. */
  readonly initial?: string
}

/** An event handled by a state. An event of a compound state applies to all states in it. */
export interface FlowEdge {
  /** The path of the state that handles the event. Undefined if the whole chart handles it, as for `fault`. */
  readonly source?: string
  readonly event: string
  /** The path of the target state. */
  readonly target: string
}

/** A chart as data for diagrams, with states and edges in source order. */
export interface FlowGraph {
  readonly id: string
  readonly description: string
  readonly spec: readonly RequirementId[]
  /** The path of the initial state. Undefined for a parallel chart, each region of which has one. */
  readonly initial?: string
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
}

type State = Chart['states'][string]

/**
 * Returns the states and edges of a chart, without layout.
 *
 * @example
 * for (const { source, event, target } of graphOf(charts.callback).edges) console.log(source, event, target)
 */
export function graphOf(chart: AnyChart): FlowGraph {
  const places = listPlaces(chart.states)
  const { initial, on = {} } = 'initial' in chart ? chart : {}
  return {
    id: chart.id,
    description: chart.description,
    spec: chart.meta.spec,
    ...(initial !== undefined && { initial }),
    nodes: places.map(toNode),
    edges: [
      ...Object.entries(on).map(([event, to]) => ({ event, target: below(undefined, to) })),
      ...places.flatMap(({ id, parent, state }) => toEdges(id, parent, 'on' in state ? state.on : {})),
    ],
  }
}

/**
 * Returns the edge that an event takes from a state. The innermost enclosing state that handles the event counts.
 * Returns undefined if no state handles it.
 */
export function findEdge(
  { edges }: Pick<FlowGraph, 'edges'>,
  state: string,
  event: string,
): FlowEdge | undefined {
  const found = edges.find((edge) => edge.source === state && edge.event === event)
  if (found) return found
  const parent = state.slice(0, Math.max(0, state.lastIndexOf('.')))
  return parent === ''
    ? edges.find((edge) => edge.source === undefined && edge.event === event)
    : findEdge({ edges }, parent, event)
}

interface Place {
  readonly id: string
  readonly name: string
  readonly parent?: string
  readonly state: State
}

function listPlaces(states: Chart['states'], parent?: string): Place[] {
  return Object.entries(states).flatMap(([name, state]): Place[] => {
    const id = join(parent, name)
    const place = { id, name, ...(parent === undefined ? {} : { parent }), state }
    return [place, ...('states' in state ? listPlaces(state.states, id) : [])]
  })
}

function toNode({ id, name, parent, state }: Place): FlowNode {
  const { description, meta } = state
  const common = { id, name, description, spec: meta.spec, ...(parent === undefined ? {} : { parent }) }
  if ('states' in state) return { ...common, kind: 'compound', initial: join(id, state.initial) }
  if ('invoke' in state) return { ...common, kind: 'working', step: state.invoke.src }
  if ('type' in state) return { ...common, kind: 'final', ending: state.meta.ending }
  return { ...common, kind: 'resting' }
}

function toEdges(source: string, parent: string | undefined, on: Edges = {}): FlowEdge[] {
  return Object.entries(on).map(([event, to]) => ({
    source,
    event,
    target: to.startsWith('.') ? below(source, to) : join(parent, to),
  }))
}

/** XState prefixes a target below the handling state with a dot. */
function below(source: string | undefined, target: string): string {
  return join(source, target.replace(/^\./, ''))
}

function join(parent: string | undefined, name: string): string {
  return parent === undefined ? name : `${parent}.${name}`
}
