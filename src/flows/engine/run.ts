import { type AnyMachineSnapshot, type StateValue, transition } from 'xstate'
import type { Chart, WorkingState } from '../../../machines/chart.ts'
import { asError } from '../../errors/as-error.ts'
import type { MaybePromise } from '../../async/maybe-promise.ts'
import { settleInTime } from './deadline.ts'
import type { Facts } from './facts.ts'
import type { Flow } from './flow.ts'
import type { World } from './world.ts'

/** One step of a run: the state, the event of its step, and the next state. */
export interface Hop {
  readonly flow: string
  readonly state: string
  readonly event: string
  readonly next: string
  /** The error, if the event is `fault`. */
  readonly fault?: Error
}
export type Observe = (hop: Hop) => void

export interface Ended {
  readonly state: string
  readonly facts: Partial<Facts>
}

/** The report of a step. */
interface Report {
  readonly type: string
  /** The error, if the step failed. */
  readonly fault?: Error
}

/** A state of a machine, and the transitions computed so far. */
interface Node {
  readonly name: string
  readonly step: string
  readonly final: boolean
  readonly snapshot: AnyMachineSnapshot
  readonly edges: Map<string, Node>
}

/**
 * Maximum hops: a run with more hops would never end. A run that waits for another request takes two hops for each
 * pause.
 */
const maxHops = 1000
const graphs = new WeakMap<object, { initial: Node; nodes: Map<string, Node> }>()

/**
 * Runs a flow from its initial state, or from a given one, to a final state, and returns the result of `conclude`.
 * Errors of steps become the event `fault`. It throws only if the chart does not handle faults, or if `conclude` throws.
 */
export function run<Result>(
  flow: Flow,
  begin: Partial<Facts>,
  world: World,
  conclude: (ended: Ended) => MaybePromise<Result>,
  observe?: Observe,
  at?: string,
): MaybePromise<Result> {
  const facts: Partial<Facts> = { ...begin }
  let node = at === undefined ? graphOf(flow).initial : enter(flow, at)
  let hops = 0

  /** Performs steps until the flow ends, or until a step is asynchronous. Then returns the promise of its report. */
  function advance(): Promise<Report> | undefined {
    for (; !node.final; hops++) {
      if (hops > maxHops) throw new Error(`${flow.id} does not end, even after a fault`)
      const report = hops < maxHops ? perform() : fault(new Error(`${flow.id} does not end`))
      if (report instanceof Promise) return report
      node = take(report)
    }
    return undefined
  }

  /**
   * Continues with each report that arrives later, until the flow ends. The run has one promise, not one for each step.
   */
  function advanceFrom(late: Promise<Report>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const wait = (pending: Promise<Report>) =>
        settleInTime(pending, node.step, world.platform, proceed, (error) => proceed(fault(error)))
      const proceed = (report: Report) => {
        try {
          node = take(report)
          hops++
          const next = advance()
          if (next) wait(next)
          else resolve(conclude({ state: node.name, facts }))
        } catch (error) {
          reject(asError(error))
        }
      }
      wait(late)
    })
  }

  function perform(): MaybePromise<Report> {
    try {
      const report = flow.steps[node.step]?.run(facts, world)
      if (report === undefined) throw new Error(`there is no step ${node.step}`)
      return report
    } catch (error) {
      return fault(error)
    }
  }

  function take(report: Report): Node {
    const next = follow(flow, node, report.type)
    if (next === undefined && report.type === 'fault')
      throw new Error(`${flow.id}: ${node.name} does not handle faults`)
    if (next === undefined) return take(fault(new Error(`${node.name} does not handle ${report.type}`)))
    // The steps that clean up after a fault can also fail. The first fault is the cause.
    Object.assign(facts, report, facts.fault && { fault: facts.fault })
    if (next.final || !flow.steps[next.step]?.inTurn) world.turns.end()
    observe?.({ flow: flow.id, state: node.name, event: report.type, next: next.name, fault: report.fault })
    return next
  }

  const late = advance()
  return late ? advanceFrom(late) : conclude({ state: node.name, facts })
}

function fault(error: unknown): Report {
  return { type: 'fault', fault: asError(error) }
}

function graphOf(flow: Flow) {
  const known = graphs.get(flow.machine)
  if (known) return known
  const nodes = new Map<string, Node>()
  // A chart has no entry actions, so nothing else happens at the start, and no actor is needed.
  const initial = flow.machine.resolveState({ value: flow.chart.initial, context: undefined })
  const graph = { initial: intern(flow, initial, nodes), nodes }
  graphs.set(flow.machine, graph)
  return graph
}

/** Returns the node of a state of the chart, or of the one with which a compound state begins. */
function enter(flow: Flow, at: string): Node {
  const value = valueOf(flow.chart.states[at], at)
  return intern(flow, flow.machine.resolveState({ value, context: undefined }), graphOf(flow).nodes)
}

function valueOf(state: Chart['states'][string] | undefined, name: string): StateValue {
  if (!state || !('states' in state)) return name
  return { [name]: valueOf(state.states[state.initial], state.initial) }
}

/** One node per state value, so that loops in a chart do not grow the table. */
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

/** Returns the name of a nested state, such as `admitting.recognising.openingToken`. */
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

/** Records each hop, and passes it on. */
export function watchHops(hops: Hop[], ...observers: readonly (Observe | undefined)[]): Observe {
  return (hop) => {
    hops.push(hop)
    for (const observe of observers) observe?.(hop)
  }
}

/** Only states and events, so that no values of a request get into a log (decision 35). */
export function describePath(hops: readonly Hop[], ended: string) {
  const failed = hops.find((hop) => hop.fault)
  return {
    path: hops.map(({ state, event }) => `${state} -(${event})->`).join(' ') + ` ${ended}`,
    ended,
    ...(failed?.fault && { failingState: failed.state, fault: failed.fault.message }),
  }
}
