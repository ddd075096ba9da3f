import type { RequirementId } from '../spec/index.ts'
import type { Chart, Edges, Ending } from './chart.ts'

/** A state of a chart, as a node. */
export interface FlowNode {
  /** Its place in the chart: `admitting.recognising.openingToken`. Unique. */
  readonly id: string
  /** Its own name, the last part of the place. */
  readonly name: string
  /** `working` runs a step, `resting` waits for the browser, `compound` holds other states. */
  readonly kind: 'working' | 'resting' | 'compound' | 'final'
  readonly description: string
  readonly spec: readonly RequirementId[]
  /** The place of the compound state that holds it; absent at the top level. */
  readonly parent?: string
  /** The step that a working state runs. */
  readonly step?: string
  /** How a final state counts. */
  readonly ending?: Ending
  /** The place of the state in which a compound one begins. */
  readonly initial?: string
}

/** One event, heard by one state. What a compound state hears, it hears for all states in it. */
export interface FlowEdge {
  /** The place of the state that hears the event; absent when the chart as a whole does, as with `fault`. */
  readonly source?: string
  readonly event: string
  /** The place of the state that it leads to. */
  readonly target: string
}

/** A chart as data to draw: states in the order they are written, and every edge that is written. */
export interface FlowGraph {
  readonly id: string
  readonly description: string
  readonly spec: readonly RequirementId[]
  /** The place of the first state. */
  readonly initial: string
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
}

type State = Chart['states'][string]

/**
 * The states and edges of a chart, without layout. It reads nothing but the chart.
 *
 * @example
 * for (const { source, event, target } of graphOf(charts.callback).edges) console.log(source, event, target)
 */
export function graphOf(chart: Chart): FlowGraph {
  const places = listPlaces(chart.states)
  return {
    id: chart.id,
    description: chart.description,
    spec: chart.meta.spec,
    initial: chart.initial,
    nodes: places.map(toNode),
    edges: [
      ...Object.entries(chart.on ?? {}).map(([event, to]) => ({ event, target: below(undefined, to) })),
      ...places.flatMap(({ id, parent, state }) => toEdges(id, parent, 'on' in state ? state.on : {})),
    ],
  }
}

/**
 * The edge that an event takes out of a state: of the states around it, itself first, the innermost that hears the event
 * decides. Undefined when none does.
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

/** XState writes a target below the state that hears the event with a dot before it. */
function below(source: string | undefined, target: string): string {
  return join(source, target.replace(/^\./, ''))
}

function join(parent: string | undefined, name: string): string {
  return parent === undefined ? name : `${parent}.${name}`
}
