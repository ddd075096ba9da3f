import { requirement, type RequirementId } from 'authmachine/spec'
import type { Severity } from '../causes.ts'

/** The meaning of a failure for people, and the fix to try first. */
export interface Meaning {
  readonly story: string
  readonly advice: string
  /** The severity. @default the worst severity of the requirement */
  readonly severity?: Severity
}

/** The target broke an invariant. */
export class Breach extends Error {
  override readonly name = 'Breach'
  readonly id: RequirementId | undefined
  readonly meaning: Partial<Meaning> | undefined

  /**
   * @param id undefined for the first requirement of the current property
   * @param says the expected and the actual result
   * @param meaning replaces the meaning of the property, or a part of it, if that does not fit
   */
  constructor(id: RequirementId | undefined, says: string, meaning?: Partial<Meaning>) {
    super(says)
    this.id = id && requirement(id).id
    this.meaning = meaning
  }
}

/**
 * The case did not reach the situation that its property tests, because an earlier honest step failed. It proves
 * nothing.
 */
export class Unreached extends Error {
  override readonly name: string = 'Unreached'
}

/** The case needs something that this application does not have, such as a second provider. */
export class Absent extends Unreached {
  override readonly name = 'Absent'
}
