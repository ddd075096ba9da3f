import type { MaybePromise } from '../../async/maybe-promise.ts'
import type { Facts } from './facts.ts'
import type { World } from './world.ts'

export type Fact = keyof Facts

/** The events that a step can report, and the facts of each. */
export type Says = { readonly [event: string]: readonly Fact[] }

export type Given<N extends Fact, M extends Fact> = Pick<Facts, N> & {
  readonly [K in M]?: Facts[K] | undefined
}

export type Report<S extends Says> = {
  [E in keyof S & string]: { readonly type: E } & Pick<Facts, S[E][number]>
}[keyof S & string]

/**
 * A unit of work in a flow: the facts it needs, the facts it may use, the events it reports, and the function that does
 * it.
 */
export interface Step<N extends Fact = Fact, M extends Fact = Fact, S extends Says = Says> {
  readonly needs: readonly N[]
  readonly may: readonly M[]
  readonly says: S
  /**
   * Whether the step belongs to the turn that an earlier step took. The turn ends at the first step that does not
   * belong to it.
   */
  readonly inTurn?: boolean | undefined
  run(facts: Given<N, M>, world: World): MaybePromise<Report<S>>
}

/** Any step, for code that only passes it on. */
export interface AnyStep {
  readonly needs: readonly Fact[]
  readonly may: readonly Fact[]
  readonly says: Says
  readonly inTurn?: boolean | undefined
  run(facts: Partial<Facts>, world: World): MaybePromise<{ readonly type: string }>
}

/** Declares a step. The types check that `run` uses only the declared facts, and reports only the declared events. */
export function step<const S extends Says, const N extends Fact = never, const M extends Fact = never>(d: {
  readonly needs?: readonly N[]
  readonly may?: readonly M[]
  readonly says: S
  readonly inTurn?: boolean
  run(facts: Given<N, M>, world: World): MaybePromise<Report<S>>
}): Step<N, M, S> {
  return { needs: d.needs ?? [], may: d.may ?? [], says: d.says, inTurn: d.inTurn, run: d.run }
}

/** Where a sign-in that a gate held continues: the state, and the facts that its cookie keeps until then. */
export interface Continuation {
  readonly at: string
  readonly facts: readonly Fact[]
}
