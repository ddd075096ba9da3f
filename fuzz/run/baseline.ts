import { findRequirement, type RequirementId } from 'authmachine/spec'
import type { Judgement } from './verdict.ts'

/** A known failure that waits for a fix. */
export interface Expected {
  readonly invariant: RequirementId
  /** The property that fails, and the application on which it fails. */
  readonly property: string
  readonly setup: string
  /** Identifies the failure. Another failure of the same property is not expected. */
  readonly fingerprint: string
  /** The name of the target. */
  readonly target: string
  readonly reason: string
  readonly link?: string
  /** The last day on which the failure is accepted: `2027-01-31`. */
  readonly expires: string
}

const texts = ['invariant', 'property', 'setup', 'fingerprint', 'target', 'reason', 'expires'] as const

/**
 * Reads a baseline.
 *
 * @throws {Error} that names the invalid entry
 */
export function readBaseline(text: string): readonly Expected[] {
  const entries: unknown = JSON.parse(text)
  if (!Array.isArray(entries)) throw new Error('Expected the baseline to be a list of entries')
  return entries.map((entry: Partial<Expected> | null, at) => {
    for (const name of texts)
      if (typeof entry?.[name] !== 'string')
        throw new Error(
          `Expected entry ${at + 1} of the baseline to have a text "${name}"; --update-baseline writes all of them`,
        )
    if (!/^\d{4}-\d{2}-\d{2}$/.test(entry?.expires ?? ''))
      throw new Error(`Expected entry ${at + 1} of the baseline to expire on a day like 2027-01-31`)
    const { invariant, ...rest } = entry as Expected
    return { ...rest, invariant: findRequirement(invariant)?.id ?? invariant }
  })
}

/**
 * Applies the baseline: a known failure becomes XFAIL, a failure that no longer occurs becomes XPASS, and an expired
 * one stays FAIL.
 * @param today as `2027-01-31`
 */
export function applyBaseline(
  judgements: readonly Judgement[],
  baseline: readonly Expected[],
  target: string,
  today: string,
): Judgement[] {
  const mine = baseline.filter((entry) => entry.target === target)
  // With several seeds, a failure may occur with one of them only.
  const failed = new Set(judgements.flatMap(({ finding }) => finding?.fingerprint ?? []))
  const gone = mine.filter(({ fingerprint }) => !failed.has(fingerprint))
  return judgements.flatMap((judgement) => {
    if (judgement.verdict === 'FAIL') return [excuse(judgement, mine, today)]
    return judgement.verdict === 'PASS' ? splitUnexpected(judgement, gone) : [judgement]
  })
}

function excuse(judgement: Judgement, baseline: readonly Expected[], today: string): Judgement {
  const { broken, finding } = judgement
  const alike = baseline.filter((entry) => entry.invariant === broken && isAbout(entry, judgement))
  const entry = alike.find(({ fingerprint }) => fingerprint === finding?.fingerprint)
  if (!entry)
    return alike.length > 0
      ? { ...judgement, reason: 'not the failure that the baseline expects' }
      : judgement
  return entry.expires < today
    ? { ...judgement, reason: `the baseline entry expired after ${entry.expires}` }
    : { ...judgement, verdict: 'XFAIL', reason: entry.reason }
}

/** In a judgement that passes, separates the requirements whose expected failure is gone from the others. */
function splitUnexpected(judgement: Judgement, gone: readonly Expected[]): Judgement[] {
  const entries = gone.filter(
    (entry) => judgement.proves.includes(entry.invariant) && isAbout(entry, judgement),
  )
  const unexpected = new Set<RequirementId>(entries.map(({ invariant }) => invariant))
  const others = judgement.proves.filter((id) => !unexpected.has(id))
  return [
    ...(others.length > 0 ? [{ ...judgement, proves: others }] : []),
    ...[...unexpected].map((id): Judgement => {
      const why = entries.find(({ invariant }) => invariant === id)?.reason ?? ''
      return {
        ...judgement,
        proves: [id],
        verdict: 'XPASS',
        reason: `the baseline expects it to fail: ${why}`,
      }
    }),
  ]
}

function isAbout(entry: Expected, { property, setup }: Judgement): boolean {
  return entry.property === property && entry.setup === setup
}

/** Writes a baseline of the current failures. */
export function writeBaseline(judgements: readonly Judgement[], target: string, expires: string): string {
  const entries = new Map<string, Expected>()
  for (const { verdict, broken: invariant, property, setup, finding } of judgements) {
    if (verdict !== 'FAIL' || !invariant || !finding) continue
    const { fingerprint } = finding
    const reason = 'failed when the baseline was written'
    // Several seeds may find the same failure.
    entries.set(`${invariant} ${fingerprint}`, {
      invariant,
      property,
      setup,
      fingerprint,
      target,
      reason,
      expires,
    })
  }
  return `${JSON.stringify([...entries.values()], null, 2)}\n`
}
