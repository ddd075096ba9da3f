import type { RequirementId } from 'authmachine/spec'
import exhibits from './museum.json' with { type: 'json' }

/** A published advisory, read against its text, and the invariants whose breach it was. */
export interface Exhibit {
  readonly project: string
  /** CVE and GHSA numbers. */
  readonly ids: readonly string[]
  readonly cause: string
  readonly caughtBy: readonly RequirementId[]
}

/** What has happened to libraries like this one, and is public. */
export const museum = exhibits as readonly Exhibit[]

/** The advisories that a breach of this invariant resembles. */
export function resembling(id: RequirementId): readonly Exhibit[] {
  return museum.filter(({ caughtBy }) => caughtBy.includes(id))
}
