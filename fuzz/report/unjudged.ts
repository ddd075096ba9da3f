import type { Assessment } from '../run/assess.ts'
import type { ConformanceReport } from '../run/report.ts'
import type { Verdict } from '../run/verdict.ts'
import { needsWire } from '../run/why-not.ts'

/** The verdicts of requirements, or tests, that were not judged. */
const unjudged: ReadonlySet<Verdict> = new Set(['SKIP', 'UNTESTED'])

/** Returns whether a verdict says anything about the target. */
export function isJudged(verdict: Verdict): boolean {
  return !unjudged.has(verdict)
}

/** Returns the requirements, without the parts that were skipped on their own. */
export function wholeRows({ invariants }: Pick<ConformanceReport, 'invariants'>): readonly Assessment[] {
  return invariants.filter(({ part }) => part === undefined)
}

/** The reasons in the words of a summary, by the beginning of the reason of a requirement. */
const summaries: readonly (readonly [begin: string, summary: string])[] = [
  [needsWire, 'about routes or cookies that a description does not name'],
  ['the target does not declare the capability', 'about features that the description does not declare'],
  ['the target does not support the feature', 'about features that only a library has'],
  ['the application uses the session strategy', 'about the other kind of session'],
  ['the cookie alone is the session', 'about the other kind of session'],
  ['the target does not use the provider', 'about providers that it does not use'],
  ['the application does not use the provider', 'about providers that it does not use'],
  ['the description has no', 'about what the description does not contain'],
  ['no property checks it', 'have no test'],
  ['requests cannot check it', 'that requests cannot check'],
]

/** Says in one line what could not be judged, and why. Returns nothing if everything was. */
export function describeUnjudged(report: Pick<ConformanceReport, 'invariants'>): string | undefined {
  const rows = wholeRows(report).filter(({ verdict }) => !isJudged(verdict))
  const parts = report.invariants.length - wholeRows(report).length
  const counts = new Map<string, number>()
  for (const { reason = '' } of rows) {
    const summary = summaries.find(([begin]) => reason.startsWith(begin))?.[1] ?? 'for other reasons'
    counts.set(summary, (counts.get(summary) ?? 0) + 1)
  }
  const reasons = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([summary, count]) => `${count} ${summary}`)
  if (rows.length + parts === 0) return undefined
  return [
    `${rows.length} ${rows.length === 1 ? 'requirement' : 'requirements'}${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}`,
    ...(parts > 0 ? [`a part of ${parts} ${parts === 1 ? 'other' : 'others'}`] : []),
  ].join(', and ')
}
