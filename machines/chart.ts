import { fromCallback, setup, type AnyStateMachine } from 'xstate'
import { expand } from './expand.ts'
import type { AnyChart, Chart, CompoundState, Does, Fault, ParallelChart } from './states.ts'

export type {
  AnyChart,
  Chart,
  CompoundState,
  Does,
  Edges,
  FinalState,
  ParallelChart,
  RestingState,
  WorkingState,
} from './states.ts'

type ChartState = Chart['states'][string]

/** A part of a chart. The enclosing chart defines the target of each exit. */
export interface Piece extends Omit<CompoundState, 'on'> {
  readonly exits: readonly string[]
}

type Keys<T> = keyof T & string
type Handled<S> = S extends { readonly on: infer On } ? Keys<On> : never

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

const written = new WeakMap<Chart, Chart>()

/**
 * Declares a chart. Returns it without its slots, as it runs without features, and with the literal type of the written
 * one, with which `flow()` checks steps and outcomes.
 */
export function chart<const C extends Chart>(config: C & Closed<C['states'], Handled<C>>): C {
  return withoutSlots(config)
}

/** Returns a chart as it runs without features. The written one is remembered. */
export function withoutSlots<const C extends Chart>(config: C): C {
  const bare = expand(config, { gates: [], settling: [] })
  written.set(bare, config)
  return bare
}

/** Returns a chart as it was written, with its slots. */
export function writtenOf(bare: Chart): Chart {
  return written.get(bare) ?? bare
}

/** Keeps the literal type of a parallel chart. */
export function parallelChart<const C extends ParallelChart>(config: C): C {
  return config
}

/** Keeps the literal type of a piece. The exits of pieces nested in it are its own, unless it handles them. */
export function piece<const P extends Piece>(config: P & Closed<P['states'], P['exits'][number]>): P {
  return config
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
