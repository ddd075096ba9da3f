import { fromCallback, setup, type AnyStateMachine } from 'xstate'
import type { RequirementId } from '../spec/index.ts'

/** How a final state counts: what was asked for, a refusal, or something that should not happen. */
export type Ending = 'success' | 'refusal' | 'fault'

interface Described {
  readonly description: string
  readonly meta: { readonly spec: readonly RequirementId[] }
}

/** Event to the state it leads to; a target of the own level, or `.child` below the state that hears it. */
export type Edges = { readonly [event: string]: string }

/** Runs one named step, whose event says where to go. */
export interface WorkingState extends Described {
  readonly invoke: { readonly id: string; readonly src: string }
  readonly on: Edges
}

/** Waits for the user agent; only `journey` has such states. */
export interface RestingState extends Described {
  readonly on: Edges
}

/** A piece of chart. What its states do not hear themselves, it hears. */
export interface CompoundState extends Described {
  readonly initial: string
  readonly on?: Edges
  readonly states: { readonly [name: string]: WorkingState | CompoundState }
}

/** A state in which a flow ends. */
export interface FinalState extends Described {
  readonly type: 'final'
  readonly meta: Described['meta'] & { readonly ending: Ending }
}

/**
 * A flow as it is drawn: no context, no guards, no assigns and no actions. Each working state invokes one step, the
 * step reports one event, and the event alone decides where to go.
 */
export interface Chart extends Described {
  readonly id: string
  readonly initial: string
  readonly on?: Edges
  readonly states: { readonly [name: string]: WorkingState | RestingState | CompoundState | FinalState }
}

type ChartState = Chart['states'][string]

/** Keeps the literal type of a chart, by which `flow()` checks steps and outcomes against it. */
export function chart<const C extends Chart>(config: C): C {
  return config
}

/** A piece that several charts nest. */
export function piece<const P extends Omit<CompoundState, 'on'>>(config: P): P {
  return config
}

/** What a working state invokes. */
export function does<const S extends string>(step: S): { readonly id: S; readonly src: S } {
  return { id: step, src: step }
}

/** The names of all steps that a chart invokes. */
export function stepNames(states: Chart['states']): string[] {
  return Object.values(states).flatMap((state: ChartState) =>
    'invoke' in state ? [state.invoke.src] : 'states' in state ? stepNames(state.states) : [],
  )
}

/**
 * The chart as an XState machine. Its steps are placeholders: the library's driver runs them itself, and
 * `machine.provide({ actors })` puts real ones in their place.
 */
export function toMachine(config: Chart): AnyStateMachine {
  const actors = Object.fromEntries(stepNames(config.states).map((name) => [name, fromCallback(() => {})]))
  const named = setup({ actors })
  return named.createMachine(config)
}
