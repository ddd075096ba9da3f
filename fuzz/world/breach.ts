import { requirement, type RequirementId } from 'authmachine/spec'

/** The target broke an invariant. */
export class Breach extends Error {
  override readonly name = 'Breach'
  readonly id: RequirementId | undefined

  /**
   * @param id undefined for the first requirement of the current property
   * @param says the expected and the actual result
   */
  constructor(id: RequirementId | undefined, says: string) {
    super(says)
    this.id = id && requirement(id).id
  }
}

/** The case did not reach the situation that its property tests, because an honest step before it failed. Proves nothing. */
export class Unreached extends Error {
  override readonly name: string = 'Unreached'
}

/** The case needs something that this application does not have, such as a second provider. */
export class Absent extends Unreached {
  override readonly name = 'Absent'
}
