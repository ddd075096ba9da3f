import { runThread } from '../../../fuzz/run/run-thread.ts'
import { profiles } from '../../../fuzz/run/profiles.ts'
import { placeWith } from '../places.ts'
import type { JudgeControl } from './control.ts'

/** Judges properties on the library with these mutants, in a thread. */
export const judgeInProcess: JudgeControl = (located, jobs, { seed, share }, report) => {
  const { limit } = profiles.ci
  const name = located.map(([{ id }]) => id).join(' and ')
  const sized = jobs.map((job) => ({ ...job, seed, share, limit, endOnFailure: true }))
  return runThread(placeWith(name, located), sized, report, 'each')
}
