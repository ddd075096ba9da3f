import { profiles, type ProfileName } from './profiles.ts'
import type { Assessment } from './assess.ts'
import type { Judgement, Verdict } from './verdict.ts'

/** The parts of a report that tell how much its PASS verdicts prove. */
interface Basis {
  readonly profile: ProfileName
  readonly seeds?: readonly number[]
  /** The number of judgements in the whole campaign. */
  readonly applications?: number
  readonly invariants: readonly Assessment[]
  readonly judgements: readonly Judgement[]
  readonly gaps: readonly string[]
}

/** Lists what can make a PASS of this report meaningless, the most serious first. */
export function listCautions(report: Basis): string[] {
  const { invariants, gaps } = report
  const describe = (wanted: Verdict) =>
    countReasons(
      invariants.filter(({ verdict }) => verdict === wanted),
      wanted,
    )
  return [
    ...describe('ERROR'),
    ...describe('INCONCLUSIVE'),
    ...gaps.map((gap) => `The cases covered too little of the target. ${gap}.`),
    ...describePart(report),
    ...describe('SKIP'),
    ...describe('UNTESTED'),
    ...describeSize(report),
  ]
}

/** Names the number of requirements, and the reason that most of them share. */
function countReasons(rows: readonly Assessment[], verdict: Verdict): string[] {
  if (rows.length === 0) return []
  const reasons = new Map<string, number>()
  for (const { reason = 'no reason is known' } of rows) {
    const [line = ''] = reason.split('\n')
    reasons.set(line, (reasons.get(line) ?? 0) + 1)
  }
  const [[reason, times] = ['', 0]] = [...reasons].toSorted(([, a], [, b]) => b - a)
  const share = times === rows.length ? '' : `${times} of them: `
  const count = rows.length === 1 ? '1 requirement is' : `${rows.length} requirements are`
  return [`${count} ${verdict} (${share}${reason}).`]
}

function describePart({ judgements, applications = 0 }: Basis): string[] {
  // A property that fails has a judgement for each requirement.
  const ran = new Set(judgements.map(({ property, setup, seed }) => JSON.stringify([property, setup, seed])))
  if (ran.size >= applications) return []
  return [
    `This run is a part of the campaign: it ran ${ran.size} of ${applications} tests. A test is one property on one application.`,
  ]
}

function describeSize({ profile, seeds }: Basis): string[] {
  if (profiles[profile].share >= 1 || seeds !== undefined) return []
  return [
    `Profile ${profile} runs a tenth of the cases with one seed, and another seed may find more. Run --profile ci, or --seeds 3.`,
  ]
}
