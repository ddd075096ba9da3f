/** A realistic coding mistake, as a replacement of source text that a test or a property has to notice. */
export interface Mutant {
  /** Names the mistake; unique among all mutants. */
  readonly id: string
  /** Path from the root of the repository. */
  readonly file: string
  /**
   * The function, class or module-level constant that holds the fragment: its name, with those of functions around it in
   * front where the file has several of that name (`createStore.read`). Without it, the whole file.
   */
  readonly in?: string
  /** Occurs exactly once in there. Any whitespace matches any other, so that the formatter may wrap the line. */
  readonly find: string
  readonly replace: string
  /** Ids of the requirements that it breaks. */
  readonly breaks: readonly string[]
}

/** Lists the mutants of one source file. */
export function mutantsOf(file: string, mutants: readonly Omit<Mutant, 'file'>[]): readonly Mutant[] {
  return mutants.map((mutant) => ({ ...mutant, file }))
}
