import { requirement, requirements, type RequirementId } from 'authmachine/spec'
import { causeOf, causes, type Cause } from '../causes.ts'
import { verdictOf } from './assess.ts'
import type { Judgement, Verdict } from './verdict.ts'

/** A failure of one property, on one or several of its applications. */
export interface Failure {
  readonly id: RequirementId
  readonly verdict: Verdict
  readonly property: string
  /** The shortest story. */
  readonly shown: Judgement
  /** The applications on which it fails. */
  readonly setups: readonly string[]
}

/** The failures that one cause explains. */
export interface Problem {
  readonly cause: Cause
  /** The most severe verdict of its failures. */
  readonly verdict: Verdict
  readonly failures: readonly Failure[]
}

/** Verdicts by how much they need a fix. */
const urgency: readonly Verdict[] = ['FAIL', 'WARN', 'XFAIL']

/**
 * Groups the failures of a report by their cause, in the order in which to fix them: broken requirements first, then
 * recommendations, then known failures; each by severity. Within a cause, the failure with the shortest story is first.
 */
export function triage(judgements: readonly Judgement[]): Problem[] {
  const failures = collectFailures(judgements)
  const problems = causes.flatMap((cause: Cause): Problem[] => {
    const mine = failures.filter(({ id }) => causeOf(id) === cause).toSorted(compareFailures)
    return mine[0] ? [{ cause, verdict: mine[0].verdict, failures: mine }] : []
  })
  return problems.toSorted((a, b) => urgency.indexOf(a.verdict) - urgency.indexOf(b.verdict))
}

function collectFailures(judgements: readonly Judgement[]): Failure[] {
  const groups = new Map<string, Judgement[]>()
  for (const judgement of judgements) {
    if (!judgement.broken || !urgency.includes(verdictOf(judgement))) continue
    const key = JSON.stringify([judgement.broken, judgement.property, judgement.verdict])
    groups.set(key, [...(groups.get(key) ?? []), judgement])
  }
  return [...groups.values()].flatMap((group) => {
    const [shown] = group.toSorted((a, b) => lengthOf(a) - lengthOf(b))
    if (!shown?.broken) return []
    const { id } = requirement(shown.broken)
    // With several seeds, one application can fail several times.
    const setups = [...new Set(group.map(({ setup }) => setup))]
    return [{ id, verdict: verdictOf(shown), property: shown.property, shown, setups }]
  })
}

const order = new Map<string, number>(requirements.map(({ id }, at) => [id, at]))

function compareFailures(a: Failure, b: Failure): number {
  return (
    urgency.indexOf(a.verdict) - urgency.indexOf(b.verdict) ||
    lengthOf(a.shown) - lengthOf(b.shown) ||
    (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)
  )
}

/** A short story is the easiest to reproduce and to understand. */
function lengthOf({ finding }: Judgement): number {
  return finding?.trace.length ?? 0
}
