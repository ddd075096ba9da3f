import { findRequirement } from '../../spec/index.ts'
import type { Mutant } from './mutant.ts'

/** Returns the ids of the requirements that a mutant breaks; aliases are replaced by the ids of their rows. */
export function rowsBrokenBy({ breaks }: Pick<Mutant, 'breaks'>): readonly string[] {
  return [...new Set(breaks.map((id) => findRequirement(id)?.id ?? id))]
}
