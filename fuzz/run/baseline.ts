import type { RequirementId } from 'authmachine/spec'
import type { Judgement } from './verdict.ts'

/** A failure that is known, and is waited for to go away. */
export interface Expected {
  readonly invariant: RequirementId
  /** Name of the target. */
  readonly target: string
  readonly reason: string
  readonly link?: string
  /** The day after which it is no excuse any more: `2027-01-31`. */
  readonly expires: string
}

/**
 * Reads a baseline.
 *
 * @throws {Error} that names the entry, and what was expected of it
 */
export function readBaseline(text: string): readonly Expected[] {
  const entries: unknown = JSON.parse(text)
  if (!Array.isArray(entries)) throw new Error('Expected the baseline to be a list of entries')
  return entries.map((entry: Partial<Expected> | null, at) => {
    for (const name of ['invariant', 'target', 'reason', 'expires'] as const)
      if (typeof entry?.[name] !== 'string')
        throw new Error(`Expected entry ${at + 1} of the baseline to have a text "${name}"`)
    if (!/^\d{4}-\d{2}-\d{2}$/.test(entry?.expires ?? ''))
      throw new Error(`Expected entry ${at + 1} of the baseline to expire on a day like 2027-01-31`)
    return entry as Expected
  })
}

/**
 * The judgements in the light of what was expected: a known failure is an XFAIL, one that does not happen any more an
 * XPASS, and one whose time is up stays a FAIL.
 * @param today as `2027-01-31`
 */
export function applyBaseline(
  judgements: readonly Judgement[],
  baseline: readonly Expected[],
  target: string,
  today: string,
): Judgement[] {
  const mine = baseline.filter((entry) => entry.target === target)
  const failed = new Set(judgements.flatMap(({ broken }) => broken ?? []))
  return judgements.map((judgement) => {
    const { verdict, broken, proves } = judgement
    const [first] = proves
    const entry = mine.find(({ invariant }) => invariant === (broken ?? first))
    if (!entry) return judgement
    const isOver = entry.expires < today
    if (verdict === 'FAIL')
      return isOver
        ? { ...judgement, reason: `the baseline excused it until ${entry.expires}` }
        : { ...judgement, verdict: 'XFAIL', reason: entry.reason }
    if (verdict === 'PASS' && !failed.has(entry.invariant))
      return { ...judgement, verdict: 'XPASS', reason: `the baseline expects it to fail: ${entry.reason}` }
    return judgement
  })
}

/** A baseline that excuses what failed now. */
export function writeBaseline(judgements: readonly Judgement[], target: string, expires: string): string {
  const failed = [
    ...new Set(judgements.flatMap(({ verdict, broken }) => (verdict === 'FAIL' && broken) || [])),
  ]
  const entries: Expected[] = failed.map((invariant) => ({
    invariant,
    target,
    reason: 'failed when the baseline was written',
    expires,
  }))
  return `${JSON.stringify(entries, null, 2)}\n`
}
