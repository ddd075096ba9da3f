import { fromCallback, setup, type AnyStateMachine } from 'xstate'
import type { RequirementId } from '../spec/index.ts'
import type { Ending } from './endings.ts'

interface Described {
  readonly description: string
  readonly meta: { readonly spec: readonly RequirementId[] }
}

/**
 * Events and their target states. A target is on the same level, or `.child` below the state that handles the event.
 */
export type Edges = { readonly [event: string]: string }

/** Runs one named step. Its event selects the next state. */
export interface WorkingState extends Described {
  readonly invoke: Does<string>
  readonly on: Edges
}

/** Waits for the browser. Only `journey` has such states. */
export interface RestingState extends Described {
  readonly on: Edges
}

/** A nested chart. It handles the events that its states do not. */
export interface CompoundState extends Described {
  readonly initial: string
  /** The events that leave a piece. The enclosing chart handles all of them. */
  readonly exits?: readonly string[]
  readonly on?: Edges
  readonly states: { readonly [name: string]: WorkingState | RestingState | CompoundState }
}

/** A state in which a flow ends. */
export interface FinalState extends Described {
  readonly type: 'final'
  readonly meta: Described['meta'] & { readonly ending: Ending }
}

/**
 * A flow without context, guards, assigns or actions. Each working state invokes one step, the step reports one event,
 * and only the event selects the next state.
 */
export interface Chart extends Described {
  readonly id: string
  readonly meta: Described['meta'] & {
    /** The title that devtools give to requests that begin with this flow. @default that of a sign-in */
    readonly title?: string
    /** Whether a server or the application runs the flow, not a browser. */
    readonly withoutBrowser?: true
  }
  readonly initial: string
  readonly on?: Edges
  readonly states: { readonly [name: string]: WorkingState | RestingState | CompoundState | FinalState }
}

/** A chart whose regions are all active at once. Only `journey` is such a chart. */
export interface ParallelChart extends Described {
  readonly id: string
  readonly type: 'parallel'
  /** The regions. */
  readonly states: { readonly [region: string]: CompoundState }
}

/** A chart of either kind. */
export type AnyChart = Chart | ParallelChart

type ChartState = Chart['states'][string]

/** A part of a chart. The enclosing chart defines the target of each exit. */
export interface Piece extends Omit<CompoundState, 'on'> {
  readonly exits: readonly string[]
}

type Keys<T> = keyof T & string
type Handled<S> = S extends { readonly on: infer On } ? Keys<On> : never

/** The event of a step that fails. Any state can handle it. */
export type Fault = 'fault'

/** The mismatch between the exits of a nested piece and the events that the enclosing chart handles. */
type ExitFault<S, Above extends string, Name extends string> = S extends {
  readonly exits: readonly (infer Exit extends string)[]
}
  ? [Exclude<Exit, Handled<S> | Above>] extends [never]
    ? [Exclude<Handled<S>, Exit | Fault>] extends [never]
      ? never
      : { state: Name; 'is not an exit of the piece': Exclude<Handled<S>, Exit | Fault> }
    : { state: Name; 'does not handle the exit': Exclude<Exit, Handled<S> | Above> }
  : never

type ExitFaults<States, Above extends string> = {
  [K in Keys<States>]: ExitFault<States[K], Above, K>
}[Keys<States>]

/** Rejects states that leave exits of nested pieces open. `Above` are the events that the enclosing states handle. */
type Closed<States, Above extends string> = [ExitFaults<States, Above>] extends [never]
  ? unknown
  : ExitFaults<States, Above>

/** Keeps the literal type of a chart, with which `flow()` checks steps and outcomes. */
export function chart<const C extends Chart>(config: C & Closed<C['states'], Handled<C>>): C {
  return config
}

/** Keeps the literal type of a parallel chart. */
export function parallelChart<const C extends ParallelChart>(config: C): C {
  return config
}

/** Keeps the literal type of a piece. The exits of pieces nested in it are its own, unless it handles them. */
export function piece<const P extends Piece>(config: P & Closed<P['states'], P['exits'][number]>): P {
  return config
}

/** Names a step. Because the type has a name, the declarations of charts do not repeat its members. */
export interface Does<S extends string> {
  readonly id: S
  readonly src: S
}

/** The step that a working state invokes. */
export function does<const S extends string>(step: S): Does<S> {
  return { id: step, src: step }
}

/** Returns the names of all steps that a chart invokes. */
export function stepNames(states: Chart['states']): string[] {
  return Object.values(states).flatMap((state: ChartState) =>
    'invoke' in state ? [state.invoke.src] : 'states' in state ? stepNames(state.states) : [],
  )
}

/**
 * Returns the chart as an XState machine. Its steps are placeholders: the library runs them itself, and
 * `machine.provide({ actors })` replaces them.
 */
export function toMachine(config: AnyChart): AnyStateMachine {
  const actors = Object.fromEntries(stepNames(config.states).map((name) => [name, fromCallback(() => {})]))
  const named = setup({ actors })
  return named.createMachine(config)
}
