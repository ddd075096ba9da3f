import { checkConformance } from '../../fuzz/run/check-conformance.ts'
import type { ConformanceReport } from '../../fuzz/run/report.ts'
import type { RequirementId } from '../../spec/index.ts'
import { placeWith } from '../mutants/places.ts'
import { locateAll } from '../mutants/stale.ts'
import { mutants } from '../mutants/written/index.ts'

/** Judges requirements on this library with a written mutant that turns a guard off. */
export async function judgeWithoutGuard(
  mutant: string,
  only: readonly RequirementId[],
): Promise<ConformanceReport> {
  const [located] = locateAll(mutants.filter(({ id }) => id === mutant)).located
  if (!located) throw new Error(`The mutant ${mutant} does not apply to the sources`)
  return checkConformance(placeWith(mutant, [located]), { only, seed: 1, threads: 1 })
}
