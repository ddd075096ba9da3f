import { assess, compareSeeds, type Assessment } from './assess.ts'
import { listCautions } from './cautions.ts'
import { findGaps, findUnchecked, measureCoverage, type Coverage } from './coverage.ts'
import type { DescribedPlace } from '../targets/described/find-places.ts'
import type { ProfileName } from './profiles.ts'
import type { Judgement, Verdict } from './verdict.ts'

/** Names the format of the JSON report. */
export const schema = 'authmachine-conformance/2'

/** The findings of a campaign. The JSON report contains exactly these members. */
export interface ConformanceReport {
  readonly schema: typeof schema
  /** The reasons why a PASS of this report may mean nothing, the most serious first. */
  readonly cautions: readonly string[]
  readonly target: string
  /** The command that names the target, with its options: `npx authmachine-conformance http://localhost:3000/auth --port 5010`. */
  readonly command?: string
  /** The file in the repository that describes the target or is the target, for readers that place failures in files. */
  readonly source?: string
  /** Where that file names the routes, the cookie and the providers of the application. */
  readonly places?: readonly DescribedPlace[]
  /** When the run ended, in ISO 8601. */
  readonly date?: string
  readonly profile: ProfileName
  readonly seed: number
  /** All seeds of the campaign, if it had several. */
  readonly seeds?: readonly number[]
  /** The requirements that were selected, by id or family. @default all */
  readonly only?: readonly string[]
  /** Milliseconds of real time. */
  readonly took: number
  /** The number of judgements in the whole campaign. The report may be about a part of it. */
  readonly applications?: number
  readonly invariants: readonly Assessment[]
  readonly judgements: readonly Judgement[]
  /** The coverage of a target that reports its transitions. */
  readonly coverage?: Coverage
  /** Coverage below the minimum, except for `smoke`, and requirements that no case checked. Only for a whole campaign. */
  readonly gaps: readonly string[]
}

/** Builds a report. */
export function makeReport(
  about: Pick<
    ConformanceReport,
    'target' | 'command' | 'date' | 'profile' | 'seed' | 'seeds' | 'only' | 'took' | 'applications'
  >,
  judgements: readonly Judgement[],
): ConformanceReport {
  const sorted = judgements.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))
  const coverage = measureCoverage(judgements)
  const started = judgements.filter(({ verdict, runs }) => runs > 0 || verdict !== 'INCONCLUSIVE')
  const isWhole = started.length >= (about.applications ?? Infinity)
  const floors = coverage && about.profile !== 'smoke' ? findGaps(coverage) : []
  const perSeed = (about.seeds ?? []).map((seed) =>
    assess(
      sorted.filter((judgement) => judgement.seed === seed),
      about.only,
    ),
  )
  const report = {
    ...about,
    invariants: compareSeeds(assess(sorted, about.only), perSeed),
    judgements: sorted,
    ...(coverage && { coverage }),
    gaps: coverage && isWhole ? [...floors, ...findUnchecked(judgements)] : [],
  }
  return { ...report, schema, cautions: listCautions(report) }
}

function keyOf({ proves, property, setup }: Judgement): string {
  return `${proves[0] ?? ''} ${property} ${setup}`
}

/**
 * Merges the reports of a campaign's shards.
 *
 * @throws {Error} if they belong to different campaigns
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

/** Counts the requirements by verdict. A part that is skipped on its own is not counted. */
export function countVerdicts({ invariants }: ConformanceReport): Partial<Record<Verdict, number>> {
  const counts: Partial<Record<Verdict, number>> = {}
  for (const { verdict } of invariants.filter(({ part }) => part === undefined))
    counts[verdict] = (counts[verdict] ?? 0) + 1
  return counts
}

/**
 * Returns 1 for a failure, an unexpected pass or too little coverage, 2 for an error of the oracle, 3 for only
 * inconclusive results, otherwise 0.
 *
 * @param report the findings of a campaign
 * @param options `strict`: whether a warning counts as a failure, by default not
 */
export function exitCodeOf(
  report: ConformanceReport,
  options: { readonly strict?: boolean } = {},
): 0 | 1 | 2 | 3 {
  const { strict = false } = options
  const { FAIL = 0, XPASS = 0, WARN = 0, ERROR = 0, INCONCLUSIVE = 0 } = countVerdicts(report)
  if (FAIL + XPASS > 0 || (strict && WARN > 0) || report.gaps.length > 0) return 1
  if (ERROR > 0) return 2
  return INCONCLUSIVE > 0 ? 3 : 0
}
