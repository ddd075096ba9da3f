import type { RequirementId } from 'authmachine/spec'

/** The target broke an invariant. */
export class Breach extends Error {
  override readonly name = 'Breach'
  readonly id: RequirementId | undefined

  /**
   * @param id undefined for that which the property at hand is about first
   * @param says what was expected, and what came
   */
  constructor(id: RequirementId | undefined, says: string) {
    super(says)
    this.id = id
  }
}

/** The case never came to what its property speaks of: an honest step before it did not work. Proves nothing. */
export class Unreached extends Error {
  override readonly name: string = 'Unreached'
}

/** The case is about something that this application does not have, as a second provider. */
export class Absent extends Unreached {
  override readonly name = 'Absent'
}
