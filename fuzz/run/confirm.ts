import type { Job } from './job.ts'
import { readToken } from './replay.ts'
import { unconfirmed, type Finding, type Judgement } from './verdict.ts'

/** Returns the job that runs only the case of a failure, which a later round of the job may have found. */
export function replayOf(job: Job, { replay }: Finding): Job {
  const { seed, path } = readToken(replay)
  return { ...job, seed, path }
}

/** Withdraws a failure that nobody could reproduce. */
export function withdraw({ finding, broken: _, ...rest }: Judgement): Judgement {
  return { ...rest, verdict: 'INCONCLUSIVE', reason: `${unconfirmed}: ${finding?.says ?? ''}` }
}
