import { requirements } from 'authmachine/spec'
import { assess, type Assessment } from './assess.ts'
import { findGaps, measureCoverage, type Coverage } from './coverage.ts'
import type { ProfileName } from './profiles.ts'
import type { Judgement, Verdict } from './verdict.ts'

/** What a campaign found, as data; the JSON report is just this. */
export interface ConformanceReport {
  readonly schema: 'authmachine-conformance/1'
  readonly target: string
  readonly profile: ProfileName
  readonly seed: number
  /** Milliseconds of real time. */
  readonly took: number
  /** How many judgements the whole campaign has, of which this may be a part. */
  readonly applications?: number
  readonly invariants: readonly Assessment[]
  readonly judgements: readonly Judgement[]
  /** What was exercised of a target that tells its hops. */
  readonly coverage?: Coverage
  /** What fell below its floor, in words; only of a whole campaign beyond `smoke`. */
  readonly gaps: readonly string[]
}

/** Puts a report together. */
export function makeReport(
  about: Pick<ConformanceReport, 'target' | 'profile' | 'seed' | 'took' | 'applications'>,
  judgements: readonly Judgement[],
): ConformanceReport {
  const sorted = judgements.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))
  const coverage = measureCoverage(judgements)
  const begun = judgements.filter(({ verdict, runs }) => runs > 0 || verdict !== 'INCONCLUSIVE')
  const isWhole = about.profile !== 'smoke' && begun.length >= (about.applications ?? Infinity)
  return {
    schema: 'authmachine-conformance/1',
    ...about,
    invariants: assess(
      sorted,
      requirements.map(({ id }) => id),
    ),
    judgements: sorted,
    ...(coverage && { coverage }),
    gaps: coverage && isWhole ? findGaps(coverage) : [],
  }
}

function keyOf({ proves, property, setup }: Judgement): string {
  return `${proves[0] ?? ''} ${property} ${setup}`
}

/**
 * The reports of the shards of one campaign as one.
 *
 * @throws {Error} when they are of different campaigns
 */
export function mergeReports(reports: readonly ConformanceReport[]): ConformanceReport {
  const [first] = reports
  if (!first) throw new Error('Expected at least one report to merge')
  for (const { target, profile, seed, schema } of reports)
    if (
      schema !== first.schema ||
      target !== first.target ||
      profile !== first.profile ||
      seed !== first.seed
    )
      throw new Error(
        `Expected reports of one campaign, got ${first.target} ${first.profile} ${first.seed} and ${target} ${profile} ${seed}`,
      )
  const took = Math.max(...reports.map((report) => report.took))
  return makeReport(
    { ...first, took },
    reports.flatMap(({ judgements }) => judgements),
  )
}

/** How often each verdict was given to an invariant. */
export function countVerdicts({ invariants }: ConformanceReport): Partial<Record<Verdict, number>> {
  const counts: Partial<Record<Verdict, number>> = {}
  for (const { verdict } of invariants) counts[verdict] = (counts[verdict] ?? 0) + 1
  return counts
}

/** 1 when something failed, did not fail as expected, or was exercised too little; 2 for a fault of the oracle; 3 when it only came to no end. */
export function exitCodeOf(report: ConformanceReport): 0 | 1 | 2 | 3 {
  const { FAIL = 0, XPASS = 0, ERROR = 0, INCONCLUSIVE = 0 } = countVerdicts(report)
  if (FAIL + XPASS > 0 || report.gaps.length > 0) return 1
  if (ERROR > 0) return 2
  return INCONCLUSIVE > 0 ? 3 : 0
}
