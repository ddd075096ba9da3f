import { findRequirement, type RequirementId } from 'authmachine/spec'
import type { Judgement } from './verdict.ts'

/** A known failure that waits for a fix. */
export interface Expected {
  readonly invariant: RequirementId
  /** The name of the target. */
  readonly target: string
  readonly reason: string
  readonly link?: string
  /** The last day on which the failure is accepted: `2027-01-31`. */
  readonly expires: string
}

/**
 * Reads a baseline.
 *
 * @throws {Error} that names the invalid entry
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
    const { invariant, ...rest } = entry as Expected
    return { ...rest, invariant: findRequirement(invariant)?.id ?? invariant }
  })
}

/**
 * Applies the baseline: a known failure becomes XFAIL, one that no longer occurs XPASS, and an expired one stays
 * FAIL.
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
        ? { ...judgement, reason: `the baseline entry expired after ${entry.expires}` }
        : { ...judgement, verdict: 'XFAIL', reason: entry.reason }
    if (verdict === 'PASS' && !failed.has(entry.invariant))
      return { ...judgement, verdict: 'XPASS', reason: `the baseline expects it to fail: ${entry.reason}` }
    return judgement
  })
}

/** Writes a baseline of the current failures. */
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
