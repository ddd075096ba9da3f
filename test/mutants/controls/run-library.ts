import { runThread } from '../../../fuzz/run/run-thread.ts'
import { profiles } from '../../../fuzz/run/profiles.ts'
import type { Judgement } from '../../../fuzz/run/verdict.ts'
import { placeOf } from '../places.ts'
import type { Edit } from '../edit.ts'
import type { Mutant } from '../mutant.ts'

/** Judges a property on the library with a mutant, on these applications, until it does not pass. */
export async function judgeInProcess(
  property: string,
  [mutant, edit]: readonly [Mutant, Edit],
  setups: readonly string[],
  { seed, share }: { readonly seed: number; readonly share: number },
): Promise<Judgement | undefined> {
  const { limit } = profiles.ci
  const jobs = setups.map((setup) => ({ property, setup, seed, share, limit, endOnFailure: true }))
  let last: Judgement | undefined
  const look = (judgement: Judgement) => {
    last = judgement
    return judgement.verdict === 'PASS' || judgement.verdict === 'SKIP'
  }
  await runThread(placeOf(mutant, edit).place, jobs, look, 'never')
  return last
}
