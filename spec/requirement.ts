/** One statement the library is held to. Charts, tests and properties name it by its id; it names none of them. */
export interface Requirement {
  /** Stable and never reused. */
  readonly id: string
  readonly level: 'must' | 'should' | 'may'
  /** The statement, in one sentence that can be tested. */
  readonly says: string
  /** Where it comes from: a place in the interface specification, a decision, a standard or an advisory. */
  readonly source: string
  /** `given` by the interface specification, `decided` where that is silent, or an `invariant` of any such library. */
  readonly status: 'given' | 'decided' | 'invariant'
  /** What a decision answers: a gap, a defect or an invariant. */
  readonly why?: string
  /** The feature a target has to have for the statement to hold; a target without it is not judged by it. */
  readonly capability?: string
  /** The part of the statement that the capability is about, when it is not the whole: the rest is always judged. */
  readonly within?: string
  /** How it can be tested: U by URL, U* by URL with clock control, L with the library in hand, S statically. */
  readonly mode?: string
}
