import type { Assessment } from '../../../fuzz/run/assess.ts'
import type { Expected } from './expected.ts'
import type { SeededFault } from './faults.ts'

/** What the oracle found out about a requirement. */
export type Result = Pick<Assessment, 'id' | 'verdict' | 'severity' | 'reason'>

const isComplaint = ({ verdict }: Result) => ['FAIL', 'WARN', 'ERROR'].includes(verdict)

const show = ({ id, verdict, severity, reason = 'no reason' }: Result) =>
  `${id} is ${verdict}${isComplaint({ id, verdict, severity }) ? ` (${severity})` : ''}: ${reason}`

/**
 * Compares a run on an application without faults with its expected result: it fails exactly the listed requirements, as
 * severely as listed, and meets each that a fault breaks.
 *
 * @returns a line for each difference
 */
export function compareResults({ results, faults }: Expected, found: readonly Result[]): readonly string[] {
  const isListed = ({ id, verdict, severity }: Result) =>
    results[id]?.verdict === verdict && results[id].severity === severity
  const unexpected = found.filter((each) => isComplaint(each) && !isListed(each))
  const missing = Object.entries(results).flatMap(([id, { verdict, sometimes }]) => {
    const judged = found.find((each) => each.id === id)
    return sometimes || (judged && isComplaint(judged))
      ? []
      : `${id} should be ${verdict}, and is ${judged?.verdict ?? 'not judged'}`
  })
  const breaks = new Set<string>(Object.values(faults).map((fault) => fault.breaks))
  const useless = found.filter(
    (each) => breaks.has(each.id) && ['INCONCLUSIVE', 'UNTESTED'].includes(each.verdict),
  )
  return [
    ...unexpected.map((each) => `${show(each)}, which is not expected`),
    ...missing,
    ...useless.map((each) => `${show(each)}, so a failure with its fault would prove nothing`),
  ]
}

/** Returns whether a run on an application with a fault found it. */
export function isFound({ severity }: SeededFault, result: Result | undefined): boolean {
  return (
    result !== undefined &&
    ['FAIL', 'WARN'].includes(result.verdict) &&
    (severity === undefined || severity === result.severity)
  )
}

/** Describes what was found. */
export function describeResult(result: Result | undefined): string {
  return result ? show(result) : 'nothing was judged'
}
