import type { AnyStateMachine } from 'xstate'
import { toMachine, type Chart } from '../../machines/chart.ts'
import { once } from '../crypto/once.ts'
import type { Facts } from '../steps/facts.ts'
import type { AnyStep, Fact, Given } from '../steps/step.ts'
import type { World } from '../steps/world.ts'
import type { Outcome } from './outcome.ts'

/** Turns the facts of a run that ended in one final state into what the browser gets. */
export interface Ending {
  readonly needs: readonly Fact[]
  readonly may: readonly Fact[]
  answer(facts: Partial<Facts>, world: World): Outcome
}

/** Declares what a final state answers. */
export function outcome<const N extends Fact = never, const M extends Fact = never>(d: {
  readonly needs?: readonly N[]
  readonly may?: readonly M[]
  answer(facts: Given<N, M>, world: World): Outcome
}): { readonly needs: readonly N[]; readonly may: readonly M[]; answer: typeof d.answer } {
  return { needs: d.needs ?? [], may: d.may ?? [], answer: d.answer }
}

export type Steps = { readonly [name: string]: AnyStep }
export type Endings = { readonly [state: string]: Ending }

/** A chart with its steps and outcomes: something that can run. */
export interface Flow {
  readonly id: string
  readonly chart: Chart
  readonly machine: AnyStateMachine
  readonly begins: readonly Fact[]
  readonly steps: Steps
  readonly outcomes: Endings
}

type Keys<T> = keyof T & string
/** No states below: its keys are never, while those of `never` would be all. */
type Nothing = { readonly [K in never]: unknown }
type Heard<S> = S extends { on: infer On } ? Keys<On> : never
type StatesOf<S> = S extends { states: infer C } ? C : Nothing

/** What is wrong between one state's step and the events it hears, itself or through its ancestors. */
type StepFault<S, St, Inherited extends string, Name extends string> = S extends {
  invoke: { src: infer N extends string }
}
  ? N extends keyof St
    ? St[N] extends { says: infer Sa }
      ? [Exclude<Keys<Sa>, Heard<S> | Inherited>] extends [never]
        ? [Exclude<Heard<S>, Keys<Sa>>] extends [never]
          ? never
          : { state: Name; 'no step takes the edge': Exclude<Heard<S>, Keys<Sa>> }
        : { state: Name; 'nobody hears the event': Exclude<Keys<Sa>, Heard<S> | Inherited> }
      : never
    : { state: Name; 'there is no step': N }
  : never

/** Charts nest no deeper than `Levels`; the bound keeps the compiler from following the general `Chart` for ever. */
type Faults<States, St, Inherited extends string, Levels extends readonly unknown[] = [1, 2, 3]> = {
  [K in Keys<States>]:
    | StepFault<States[K], St, Inherited, K>
    | (Levels extends readonly [unknown, ...infer Below]
        ? Faults<StatesOf<States[K]>, St, Inherited | Heard<States[K]>, Below>
        : never)
}[Keys<States>]

type FinalNames<States> = {
  [K in Keys<States>]: States[K] extends { type: 'final' } ? K : never
}[Keys<States>]

type Checked<C extends Chart, St> = [Faults<C['states'], St, Heard<C>>] extends [never]
  ? unknown
  : Faults<C['states'], St, Heard<C>>

/**
 * Joins a chart with its steps and outcomes. Types reject a missing step, an event that nobody hears, an edge that no
 * step takes, and a final state without an outcome; that every fact is brought before it is needed, a test proves.
 */
export function flow<const C extends Chart, const St>(d: {
  readonly chart: C & Checked<C, St>
  /** The facts that the handler gives. */
  readonly begins: readonly Fact[]
  readonly steps: St
  readonly outcomes: { readonly [F in FinalNames<C['states']>]: object }
}): Flow {
  // A process that only reads sessions builds the one machine for it.
  const machine = once(() => toMachine(d.chart))
  return {
    id: d.chart.id,
    chart: d.chart,
    get machine() {
      return machine()
    },
    begins: d.begins,
    steps: d.steps as Steps,
    outcomes: d.outcomes as unknown as Endings,
  }
}
