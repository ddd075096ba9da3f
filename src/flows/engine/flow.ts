import type { AnyStateMachine } from 'xstate'
import { type Chart, type Fault, toMachine, writtenOf } from '../../../machines/chart.ts'
import { once } from '../../async/once.ts'
import type { Facts } from './facts.ts'
import type { AnyStep, Fact, Given } from './step.ts'
import type { Result } from './result.ts'
import type { World } from './world.ts'

/** Turns the facts of a run into a response, for one final state. */
export interface Ending {
  readonly needs: readonly Fact[]
  readonly may: readonly Fact[]
  answer(facts: Partial<Facts>, world: World): Result
}

/** Declares the response of a final state. */
export function outcome<const N extends Fact = never, const M extends Fact = never>(d: {
  readonly needs?: readonly N[]
  readonly may?: readonly M[]
  answer(facts: Given<N, M>, world: World): Result
}): { readonly needs: readonly N[]; readonly may: readonly M[]; answer: typeof d.answer } {
  return { needs: d.needs ?? [], may: d.may ?? [], answer: d.answer }
}

export type Steps = { readonly [name: string]: AnyStep }
export type Endings = { readonly [state: string]: Ending }

/** Where a sign-in that a gate held continues: the state, and the facts that its cookie keeps until then. */
export interface Continuation {
  readonly at: string
  readonly facts: readonly Fact[]
}

/** A chart with its steps and outcomes, ready to run. */
export interface Flow<Id extends string = string> {
  readonly id: Id
  readonly chart: Chart
  /** The chart with the slots that features fill. */
  readonly written: Chart
  /** By the state of the chart that contains the slot of the gates. */
  readonly continues: { readonly [place: string]: Continuation }
  readonly machine: AnyStateMachine
  readonly begins: readonly Fact[]
  readonly steps: Steps
  readonly outcomes: Endings
}

type Keys<T> = keyof T & string
/** No nested states. An object without keys, because `keyof never` would contain every key. */
type Nothing = { readonly [K in never]: unknown }
type Heard<S> = S extends { on: infer On } ? Keys<On> : never
type StatesOf<S> = S extends { states: infer C } ? C : Nothing

/** The mismatch between a state's step and the events that the state or its ancestors handle. */
type StepFault<S, St, Inherited extends string, Name extends string> = S extends {
  invoke: { src: infer N extends string }
}
  ? N extends keyof St
    ? St[N] extends { says: infer Sa }
      ? [Exclude<Keys<Sa>, Heard<S> | Inherited>] extends [never]
        ? [Exclude<Heard<S>, Keys<Sa> | Fault>] extends [never]
          ? never
          : { state: Name; 'no step reports the event': Exclude<Heard<S>, Keys<Sa> | Fault> }
        : { state: Name; 'no state handles the event': Exclude<Keys<Sa>, Heard<S> | Inherited> }
      : never
    : { state: Name; 'there is no step': N }
  : never

/** The maximum depth of charts. It stops the compiler from recursing forever on the general `Chart`. */
type Faults<States, St, Inherited extends string, Levels extends readonly unknown[] = [1, 2, 3]> = {
  [K in Keys<States>]:
    | StepFault<States[K], St, Inherited, K>
    | (Levels extends readonly [unknown, ...infer Below]
        ? Faults<StatesOf<States[K]>, St, Inherited | Heard<States[K]>, Below>
        : never)
}[Keys<States>]

export type FinalNames<States> = {
  [K in Keys<States>]: States[K] extends { type: 'final' } ? K : never
}[Keys<States>]

export type Checked<C extends Chart, St> = [Faults<C['states'], St, Heard<C>>] extends [never]
  ? unknown
  : Faults<C['states'], St, Heard<C>>

/**
 * Combines a chart with its steps and outcomes. The types reject missing steps, unhandled events, impossible edges and
 * missing outcomes. A test proves that every fact is provided before it is needed.
 */
export function flow<const C extends Chart, const St>(d: {
  readonly chart: C & Checked<C, St>
  /** The facts that the handler provides. */
  readonly begins: readonly Fact[]
  readonly steps: St
  readonly outcomes: { readonly [F in FinalNames<C['states']>]: object }
  /** One for each state that contains a slot of gates. */
  readonly continues?: { readonly [place: string]: Continuation }
}): Flow<C['id']> {
  // A process that only reads sessions builds only the machine for that.
  const outcomes: object = d.outcomes
  const machine = once(() => toMachine(d.chart))
  return {
    id: d.chart.id,
    chart: d.chart,
    written: writtenOf(d.chart),
    get machine() {
      return machine()
    },
    begins: d.begins,
    steps: d.steps as Steps,
    outcomes: outcomes as Endings,
    continues: d.continues ?? {},
  }
}
