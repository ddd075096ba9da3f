/** A realistic bug, as a replacement of source text that a test or a property has to detect. */
export interface Mutant {
  /** Describes the bug in a few words; unique among all mutants. */
  readonly id: string
  /** Path from the repository root. */
  readonly file: string
  /**
   * The name of the function, class or module-level constant that contains the fragment. If the file has several of
   * that name, prefixed with the names of the functions around it (`createStore.read`). Without it, the whole file.
   */
  readonly in?: string
  /** Occurs exactly once there. Any whitespace matches any other whitespace, so the formatter may wrap the line. */
  readonly find: string
  readonly replace: string
  /** Ids of the requirements that it breaks. */
  readonly breaks: readonly string[]
}

/** Lists the mutants of one source file. */
export function mutantsOf(file: string, mutants: readonly Omit<Mutant, 'file'>[]): readonly Mutant[] {
  return mutants.map((mutant) => ({ ...mutant, file }))
}
