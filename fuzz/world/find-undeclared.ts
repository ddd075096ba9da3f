import { requirement, type RequirementId } from 'authmachine/spec'

/**
 * Returns the capability that a whole requirement needs, if it is not among these. If only a part of the requirement
 * needs one, the properties check that part themselves, and the rest is always tested.
 */
export function findUndeclared(id: RequirementId, capabilities: ReadonlySet<string>): string | undefined {
  const { capability, within } = requirement(id)
  const isNeeded = capability !== undefined && within === undefined
  return isNeeded && !capabilities.has(capability) ? capability : undefined
}
