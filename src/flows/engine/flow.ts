import type { AnyStateMachine } from 'xstate'
import { type Chart, toMachine, writtenOf } from '../../../machines/chart.ts'
import { once } from '../../async/once.ts'
import type { Checked, Ending, FinalNames } from './check-types.ts'
import type { AnyStep, Continuation, Fact, Given } from './step.ts'
import type { Result } from './result.ts'
import type { World } from './world.ts'

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

/** Returns the flow that runs in place of another one. Only tests replace flows. */
export type ReplaceFlow = (flow: Flow) => Flow

/** Replaces nothing. */
export const sameFlow: ReplaceFlow = (flow) => flow
