import type { LibraryPlace } from '../../fuzz/targets/find-target.ts'
import { placeOf } from '../mutants/places.ts'
import { locateAll } from '../mutants/stale.ts'
import { mutants } from '../mutants/written/index.ts'

/** Returns a written mutant as a target. */
export function mutantNamed(id: string): LibraryPlace {
  const [located] = locateAll(mutants.filter((mutant) => mutant.id === id)).located
  if (!located) throw new Error(`there is no mutant ${id}`)
  return placeOf(...located).place
}
