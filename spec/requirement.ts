/** One statement that must hold. Charts, tests and properties cite its id; the statement does not cite them. */
export interface Requirement {
  /** Stable and never reused. */
  readonly id: string
  /** Ids of rows that stated the same fact and were merged into this one. They stay valid wherever an id is cited. */
  readonly aliases?: readonly string[]
  readonly level: 'must' | 'should' | 'may'
  /** The statement, which can be tested. */
  readonly says: string
  /**
   * Where it comes from, separated by semicolons: public standards and advisories, ids of other requirements, files of
   * this repository, and headings of `spec/sources.md`.
   */
  readonly source: string
  /** `given` by the interface specification, `decided` where that is silent, or an `invariant` of any such library. */
  readonly status: 'given' | 'decided' | 'invariant'
  /** The reason for a decision: a gap, a defect or an invariant. */
  readonly why?: string
  /** The feature that a target needs for the statement to apply; a target without it is not judged by it. */
  readonly capability?: string
  /** The part of the statement that the capability is about, if it is not the whole: the rest is always judged. */
  readonly within?: string
  /** How it can be tested: U by URL, U* by URL with clock control, L with the library in hand, S statically. */
  readonly mode?: string
}
