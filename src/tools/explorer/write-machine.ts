import type { FlowGraph, FlowNode } from '../../../machines/graph.ts'

/** A state as XState's `createMachine` reads it. */
interface MachineState {
  readonly description: string
  readonly meta: object
  readonly type?: 'final' | 'parallel'
  readonly initial?: string
  readonly invoke?: object
  readonly on?: Readonly<Record<string, string>>
  readonly states?: Readonly<Record<string, MachineState>>
}

/** Returns the configuration of a flow for XState's `createMachine`, with the same transitions. */
export function writeMachine(graph: FlowGraph): MachineState & { readonly id: string } {
  return {
    id: graph.id,
    description: graph.description,
    meta: { spec: graph.spec },
    ...(graph.initial === undefined ? { type: 'parallel' } : { initial: graph.initial }),
    ...writeEdges(graph, undefined),
    states: writeStates(graph, undefined),
  }
}

function writeStates(graph: FlowGraph, parent: string | undefined): Record<string, MachineState> {
  const inside = graph.nodes.filter((node) => node.parent === parent)
  return Object.fromEntries(inside.map((node) => [node.name, writeState(graph, node)]))
}

function writeState(graph: FlowGraph, node: FlowNode): MachineState {
  const { id, kind, description, spec, step, ending, initial } = node
  return {
    description,
    meta: { spec, ...(ending && { ending }) },
    ...(kind === 'final' && { type: 'final' }),
    ...(step !== undefined && { invoke: { id: step, src: step } }),
    ...(initial !== undefined && { initial: initial.slice(id.length + 1) }),
    ...writeEdges(graph, id),
    ...(kind === 'compound' && { states: writeStates(graph, id) }),
  }
}

/** XState prefixes a target below the state that handles the event with a dot. */
function writeEdges({ edges }: FlowGraph, source: string | undefined): Pick<MachineState, 'on'> {
  const own = edges.filter((edge) => edge.source === source)
  if (own.length === 0) return {}
  const write = (target: string) => {
    if (source === undefined) return `.${target}`
    if (target.startsWith(`${source}.`)) return target.slice(source.length)
    return target.split('.').at(-1) ?? ''
  }
  return { on: Object.fromEntries(own.map(({ event, target }) => [event, write(target)])) }
}
