import { profiles } from './profiles.ts'
import type { Job } from './job.ts'
import { readToken, type Place } from './replay.ts'
import { triage } from './triage.ts'
import type { Judgement } from './verdict.ts'

/** Replay tokens of failures, by the name of the target. A run tries them before any other case. */
export type Corpus = Readonly<Record<string, readonly string[]>>

/** Reads a corpus. @throws {Error} if the file is not a corpus */
export function readCorpus(text: string): Corpus {
  const corpus: unknown = JSON.parse(text)
  const isCorpus =
    typeof corpus === 'object' &&
    corpus !== null &&
    !Array.isArray(corpus) &&
    Object.values(corpus).every(
      (tokens) => Array.isArray(tokens) && tokens.every((each) => typeof each === 'string'),
    )
  if (isCorpus) return corpus as Corpus
  throw new Error('Expected the corpus to be an object that lists replay tokens for each target')
}

/** Returns the jobs that replay a corpus: those of selected properties that still exist. */
export function replayJobs(
  tokens: readonly string[],
  listed: readonly Pick<Job, 'property' | 'setup'>[],
): Job[] {
  return tokens
    .map((token) => readToken(token))
    .filter((place) => isListed(place, listed))
    .map((place) => ({ ...place, share: 1, limit: profiles.ci.limit }))
}

/**
 * Adds the failures that a corpus found to those of a campaign, except where the campaign found the same requirement
 * broken by the same property on the same application. A case that passes proves too little to be added.
 */
export function addReplayed(judgements: readonly Judgement[], replayed: readonly Judgement[]): Judgement[] {
  const keyOf = ({ broken, property, setup }: Judgement) => JSON.stringify([broken, property, setup])
  const found = new Set(judgements.filter(({ verdict }) => verdict === 'FAIL').map(keyOf))
  return [
    ...judgements,
    ...replayed.filter((judgement) => judgement.verdict === 'FAIL' && !found.has(keyOf(judgement))),
  ]
}

/**
 * Returns the tokens for the next run: one for each failure, and the earlier ones that this run did not try. A token whose
 * case passes is removed.
 */
export function renewCorpus(earlier: readonly string[], judgements: readonly Judgement[]): string[] {
  const failed = triage(judgements).flatMap((row) =>
    [row, ...row.others].flatMap(({ shown }) => shown.finding?.replay ?? []),
  )
  const untried = earlier.filter((token) => !isListed(readToken(token), judgements))
  return [...new Set([...failed, ...untried])]
}

function isListed({ property, setup }: Place, listed: readonly Pick<Job, 'property' | 'setup'>[]): boolean {
  return listed.some((each) => each.property === property && each.setup === setup)
}
