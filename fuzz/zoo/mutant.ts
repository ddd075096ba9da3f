/** A realistic coding fault, as a replacement of source text that some test has to notice. */
export interface Mutant {
  /** Names the fault; unique in its list. */
  readonly id: string
  /** Path from the root of the repository. */
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Requirement ids whose tests go red. */
  readonly kills: readonly string[]
}

/** What writes the faults of an area down, which all have its name in front of theirs. */
export function faultsOf(area: string) {
  return (id: string, file: string, find: string, replace: string, ...kills: string[]): Mutant => ({
    id: `${area}/${id}`,
    file,
    find,
    replace,
    kills,
  })
}
