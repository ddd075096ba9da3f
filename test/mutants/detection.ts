import type { Judgement } from '../../fuzz/run/verdict.ts'

/** Durations of a job, in milliseconds. */
export interface JobTime {
  /** The duration on the unchanged library. */
  readonly usual: number
  /** The time after which no new case starts. */
  readonly limit: number
}

/** A job that takes less than this share of the limit is quick: no busy machine makes it ten times slower. */
const quick = 0.1

/**
 * Whether a judgement detects the mutant. A property that ran out of time detects it only if the unchanged library is
 * quick, because a busy machine also slows a job down.
 */
export function isDetected(
  { verdict, took }: Pick<Judgement, 'verdict' | 'took'>,
  { usual, limit }: JobTime,
): boolean {
  // A mutant that only rejects legitimate users counts too.
  if (verdict === 'PASS') return false
  const isOutOfTime = (verdict === 'INCONCLUSIVE' || verdict === 'ERROR') && took >= limit
  return !isOutOfTime || usual < quick * limit
}
