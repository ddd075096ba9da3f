import type { MaybePromise } from '../crypto/maybe-promise.ts'
import type { Facts } from './facts.ts'
import type { World } from './world.ts'

export type Fact = keyof Facts

/** The events that a step can report, and the facts that each brings. */
export type Says = { readonly [event: string]: readonly Fact[] }

export type Given<N extends Fact, M extends Fact> = Pick<Facts, N> & {
  readonly [K in M]?: Facts[K] | undefined
}

export type Report<S extends Says> = {
  [E in keyof S & string]: { readonly type: E } & Pick<Facts, S[E][number]>
}[keyof S & string]

/** One thing that a flow does: which facts it needs, which it may use, what it can report, and how it is done. */
export interface Step<N extends Fact = Fact, M extends Fact = Fact, S extends Says = Says> {
  readonly needs: readonly N[]
  readonly may: readonly M[]
  readonly says: S
  run(facts: Given<N, M>, world: World): MaybePromise<Report<S>>
}

/** Any step, for code that only passes it on. */
export interface AnyStep {
  readonly needs: readonly Fact[]
  readonly may: readonly Fact[]
  readonly says: Says
  run(facts: Partial<Facts>, world: World): MaybePromise<{ readonly type: string }>
}

/** Declares a step; types check that `run` uses what it declares and reports what it says. */
export function step<const S extends Says, const N extends Fact = never, const M extends Fact = never>(d: {
  readonly needs?: readonly N[]
  readonly may?: readonly M[]
  readonly says: S
  run(facts: Given<N, M>, world: World): MaybePromise<Report<S>>
}): Step<N, M, S> {
  return { needs: d.needs ?? [], may: d.may ?? [], says: d.says, run: d.run }
}
