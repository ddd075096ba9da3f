import { requirement, type RequirementId } from 'authmachine/spec'
import published from './advisories.json' with { type: 'json' }

/** A published advisory, and the requirements that its cause broke. */
export interface Advisory {
  readonly project: string
  /** CVE and GHSA numbers. */
  readonly ids: readonly string[]
  readonly cause: string
  readonly caughtBy: readonly RequirementId[]
}

/** Published advisories about similar libraries. */
export const advisories = published as readonly Advisory[]

/** Returns the advisories whose cause broke this requirement. */
export function resembling(id: RequirementId): readonly Advisory[] {
  const row = requirement(id)
  return advisories.filter(({ caughtBy }) => caughtBy.some((each) => requirement(each) === row))
}
