import type { Chart, Fault } from '../../../machines/states.ts'
import type { Facts } from './facts.ts'
import type { Fact } from './step.ts'
import type { Result } from './result.ts'
import type { World } from './world.ts'

/** Turns the facts of a run into a response, for one final state. */
export interface Ending {
  readonly needs: readonly Fact[]
  readonly may: readonly Fact[]
  answer(facts: Partial<Facts>, world: World): Result
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
