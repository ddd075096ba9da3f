import { asError } from '../as-error.ts'
import { initialTransition, transition, type AnyMachineSnapshot, type StateValue } from 'xstate'
import type { WorkingState } from '../../machines/chart.ts'
import { orElse, type MaybePromise } from '../crypto/maybe-promise.ts'
import type { Facts } from '../steps/facts.ts'
import type { World } from '../steps/world.ts'
import type { Flow } from './flow.ts'
import { withDeadline } from './deadline.ts'

/** One hop of a run: the state, what its step reported, and where that led. */
export interface Hop {
  readonly flow: string
  readonly state: string
  readonly event: string
  readonly next: string
  /** What was thrown, when the event is `fault`. */
  readonly fault?: Error
}
export type Observe = (hop: Hop) => void

export interface Ended {
  readonly state: string
  readonly facts: Partial<Facts>
}

/** A state of a machine, with the states its events lead to as far as they were asked for. */
interface Node {
  readonly name: string
  readonly step: string
  readonly final: boolean
  readonly snapshot: AnyMachineSnapshot
  readonly edges: Map<string, Node>
}

const maxHops = 100
const graphs = new WeakMap<object, { initial: Node; nodes: Map<string, Node> }>()

/**
 * Runs a flow from its initial state to a final one. What goes wrong is the event `fault`; it throws for a chart alone
 * whose faults lead nowhere.
 */
export function run(flow: Flow, begin: Partial<Facts>, world: World, observe?: Observe): MaybePromise<Ended> {
  const facts: Partial<Facts> = { ...begin }

  function go(from: Node, hops: number): MaybePromise<Ended> {
    let node = from
    for (let n = hops; !node.final; n++) {
      if (n > maxHops) throw new Error(`${flow.id} does not end, not even by a fault`)
      const report = n < maxHops ? perform(node) : fault(new Error(`${flow.id} does not end`))
      if (report instanceof Promise) {
        const here = node
        return report.then((late) => go(take(here, late), n + 1))
      }
      node = take(node, report)
    }
    return { state: node.name, facts }
  }

  function perform(node: Node): MaybePromise<{ readonly type: string }> {
    return orElse(() => {
      const report = flow.steps[node.step]?.run(facts, world)
      if (report === undefined) throw new Error(`there is no step ${node.step}`)
      return report instanceof Promise ? withDeadline(report, node.step, world.platform) : report
    }, fault)
  }

  function take(node: Node, report: { readonly type: string; readonly fault?: Error }): Node {
    const next = follow(flow, node, report.type)
    if (next === undefined && report.type === 'fault')
      throw new Error(`${flow.id}: ${node.name} hears no fault`)
    if (next === undefined) return take(node, fault(new Error(`${node.name} does not hear ${report.type}`)))
    Object.assign(facts, report)
    observe?.({ flow: flow.id, state: node.name, event: report.type, next: next.name, fault: report.fault })
    return next
  }

  return go(graphOf(flow).initial, 0)
}

function fault(error: unknown) {
  return { type: 'fault', fault: asError(error) }
}

function graphOf(flow: Flow) {
  const known = graphs.get(flow.machine)
  if (known) return known
  const nodes = new Map<string, Node>()
  const graph = { initial: intern(flow, initialTransition(flow.machine)[0], nodes), nodes }
  graphs.set(flow.machine, graph)
  return graph
}

/** One node a state value: a loop in a chart does not grow the table. */
function intern(flow: Flow, snapshot: AnyMachineSnapshot, nodes: Map<string, Node>): Node {
  const name = nameOf(snapshot.value)
  const known = nodes.get(name)
  if (known) return known
  const final = snapshot.status === 'done'
  const step = final ? '' : stepAt(flow, name)
  const node = { name, step, final, snapshot, edges: new Map<string, Node>() }
  nodes.set(name, node)
  return node
}

/** XState decides, once per edge. */
function follow(flow: Flow, node: Node, event: string): Node | undefined {
  const known = node.edges.get(event)
  if (known) return known
  if (!node.snapshot.can({ type: event })) return undefined
  const [snapshot] = transition(flow.machine, node.snapshot, { type: event })
  const next = intern(flow, snapshot, graphOf(flow).nodes)
  node.edges.set(event, next)
  return next
}

/** `admitting.recognising.openingToken` for a nested state value. */
export function nameOf(value: StateValue): string {
  return typeof value === 'string'
    ? value
    : Object.entries(value)
        .map(([parent, child]) => (child === undefined ? parent : `${parent}.${nameOf(child)}`))
        .join()
}

function stepAt(flow: Flow, name: string): string {
  let level: { readonly states?: object } = flow.chart
  for (const part of name.split('.')) level = (level.states as Record<string, object>)[part] ?? {}
  return (level as WorkingState).invoke.src
}
