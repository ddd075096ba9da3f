import { profiles, type ProfileName } from './profiles.ts'
import { readsNoIdToken } from '../properties/support/reading.ts'
import type { Assessment } from './assess.ts'
import {
  afterItsEnd,
  outOfTime,
  refusesHonest,
  unconfirmed,
  type Judgement,
  type Verdict,
} from './verdict.ts'

/** The parts of a report that show how much its PASS verdicts prove. */
interface Basis {
  readonly target: string
  readonly profile: ProfileName
  readonly seeds?: readonly number[]
  readonly only?: readonly string[]
  /** The number of judgements in the whole campaign. */
  readonly applications?: number
  readonly invariants: readonly Assessment[]
  readonly judgements: readonly Judgement[]
  readonly gaps: readonly string[]
}

/** Lists the reasons why a PASS of this report may mean nothing, the most serious first. */
export function listCautions(report: Basis): string[] {
  const { gaps } = report
  const whole = report.invariants.filter(({ part }) => part === undefined)
  const describe = (wanted: Verdict) =>
    countReasons(
      whole.filter(({ verdict }) => verdict === wanted),
      wanted,
    )
  return [
    ...describe('ERROR'),
    ...describe('INCONCLUSIVE'),
    ...adviseOn(
      whole,
      refusesHonest,
      'could not be judged, because the target refused honest users',
      signInByHand,
    ),
    ...adviseOn(
      whole,
      readsNoIdToken,
      'were not judged: the application ignores id_tokens',
      identityElsewhere,
    ),
    ...adviseOnTime(whole),
    ...adviseOn(
      whole,
      afterItsEnd,
      'could not be judged, because the application had ended',
      'Correct FI-12 first, and start the application again.',
    ),
    ...adviseOn(whole, unconfirmed, 'failed after other tests, but not on their own', runAlone),
    ...gaps.map((gap) => `The cases covered too little of the target. ${gap}.`),
    ...describePart(report),
    ...describeSize(report),
  ]
}

/** Names the requirements, or states their number, with their most frequent reason. */
function countReasons(rows: readonly Assessment[], verdict: Verdict): string[] {
  if (rows.length === 0) return []
  const reasons = new Map<string, number>()
  for (const { reason = 'no reason is known' } of rows) {
    const [line = ''] = reason.split('\n')
    reasons.set(line, (reasons.get(line) ?? 0) + 1)
  }
  const [[reason, times] = ['', 0]] = [...reasons].toSorted(([, a], [, b]) => b - a)
  const share = times === rows.length ? '' : `${times} of them: `
  const ids = rows.map(({ id }) => id)
  const named =
    rows.length > 3 ? `${rows.length} requirements` : ids.join(', ').replace(/, (?=[^,]*$)/, ' and ')
  const count = `${named} ${rows.length === 1 ? 'is' : 'are'}`
  return [`${count} ${verdict} (${share}${reason}).`]
}

const signInByHand =
  'Sign in by hand with the same configuration. If that fails too, correct the set-up: the server log has the reason. If it works, the target has a bug that only some of its configurations show.'

const identityElsewhere =
  'It signs in even with one that is no JWT, so it takes the identity from elsewhere, such as the userinfo response. That is safe only if this comes from the provider over TLS. Otherwise, validate the id_token.'

const runAlone =
  'The target keeps state from one test to the next, or the result depends on timing. Run them again with --only: one that fails then is a bug.'

/** Explains what to do about the requirements whose reason begins with this text. */
function adviseOn(rows: readonly Assessment[], start: string, what: string, advice: string): string[] {
  const ids = rows.filter(({ reason = '' }) => reason.startsWith(start)).map(({ id }) => id)
  return ids.length === 0 ? [] : [`${ids.join(', ')} ${what}. ${advice}`]
}

/** Says how to judge the requirements for which a run had no time. */
function adviseOnTime(rows: readonly Assessment[]): string[] {
  const isCut = rows.some(({ reason = '' }) => reason === outOfTime)
  return isCut
    ? ['To judge the requirements for which the time did not suffice, run it with --time 30m.']
    : []
}

function describePart({ judgements, applications = 0, only = [] }: Basis): string[] {
  // Users who select requirements know that.
  if (only.length > 0) return []
  // A property that fails has a judgement for each requirement.
  const ran = new Set(judgements.map(({ property, setup, seed }) => JSON.stringify([property, setup, seed])))
  if (ran.size >= applications) return []
  return [
    `This run is a part of the campaign: it ran ${ran.size} of ${applications} tests. A test is one property on one application.`,
  ]
}

function describeSize({ target, profile, seeds }: Basis): string[] {
  // By URL, a property has all of its listed cases, or at least twenty.
  const isUrl = /^https?:/.test(target)
  if (profiles[profile].share >= 1 || seeds !== undefined || isUrl) return []
  return [
    `Profile ${profile} runs a tenth of the cases with one seed, and another seed may find more. Run --profile ci, or --seeds 3.`,
  ]
}
