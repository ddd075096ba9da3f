import { requirement, requirements, type RequirementId } from 'authmachine/spec'
import { causeOf, causes, severities, type Severity } from '../causes.ts'
import { severityOfFailure, verdictOf } from './assess.ts'
import type { Judgement, Verdict } from './verdict.ts'

/** A failure of one property, on one or several of its applications. */
export interface Failure {
  readonly id: RequirementId
  readonly verdict: Verdict
  /** The severity of this failure. */
  readonly severity: Severity
  readonly property: string
  /** The shortest story. */
  readonly shown: Judgement
  /** The applications on which it fails. */
  readonly setups: readonly string[]
}

/** A broken requirement: its worst failure, and its others. */
export interface Broken extends Failure {
  readonly others: readonly Failure[]
}

/** Verdicts by how much they need a fix. */
const urgency: readonly Verdict[] = ['FAIL', 'WARN', 'XFAIL']

/**
 * Lists the broken requirements of a report in the order in which to fix them: broken requirements first, then
 * recommendations, then known failures, and each by the severity of what occurred. Equal ones are in the order of their
 * causes, so that those that one change tends to fix are together, the shortest story first.
 */
export function triage(judgements: readonly Judgement[]): Broken[] {
  return groupByRequirement(collectFailures(judgements)).toSorted(
    (a, b) => compareHarm(a, b) || placeOfCause(a) - placeOfCause(b) || compareFailures(a, b),
  )
}

function placeOfCause({ id }: Failure): number {
  return causes.findIndex((cause) => cause.id === causeOf(id).id)
}

function collectFailures(judgements: readonly Judgement[]): Failure[] {
  const groups = new Map<string, Judgement[]>()
  for (const judgement of judgements) {
    if (!judgement.broken || !urgency.includes(verdictOf(judgement))) continue
    const key = JSON.stringify([judgement.broken, judgement.property, judgement.verdict])
    groups.set(key, [...(groups.get(key) ?? []), judgement])
  }
  return [...groups.values()].flatMap((group) => {
    const [shown] = group.toSorted((a, b) => compareSeverities(a, b) || lengthOf(a) - lengthOf(b))
    const severity = shown && severityOfFailure(shown)
    if (!shown?.broken || !severity) return []
    const { id } = requirement(shown.broken)
    // With several seeds, one application can fail several times.
    const setups = [...new Set(group.map(({ setup }) => setup))]
    return [{ id, verdict: verdictOf(shown), severity, property: shown.property, shown, setups }]
  })
}

/** Groups the failures of each requirement with the same verdict: the worst, and the others. */
function groupByRequirement(failures: readonly Failure[]): Broken[] {
  const groups = new Map<string, Failure[]>()
  for (const failure of failures.toSorted(compareFailures)) {
    const key = `${failure.verdict} ${failure.id}`
    groups.set(key, [...(groups.get(key) ?? []), failure])
  }
  return [...groups.values()].flatMap(([worst, ...others]) => (worst ? [{ ...worst, others }] : []))
}

const order = new Map<string, number>(requirements.map(({ id }, at) => [id, at]))

function compareFailures(a: Failure, b: Failure): number {
  return (
    compareHarm(a, b) ||
    lengthOf(a.shown) - lengthOf(b.shown) ||
    (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)
  )
}

type Harm = Pick<Failure, 'verdict' | 'severity'>

/** Compares failures by how much they need a fix: broken requirements before recommendations, then by severity. */
export function compareHarm(a: Harm, b: Harm): number {
  return (
    urgency.indexOf(a.verdict) - urgency.indexOf(b.verdict) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity)
  )
}

function compareSeverities(a: Judgement, b: Judgement): number {
  const rank = (judgement: Judgement) => severities.indexOf(severityOfFailure(judgement) ?? 'hardening')
  return rank(a) - rank(b)
}

/** A short story is the easiest to reproduce and to understand. */
function lengthOf({ finding }: Judgement): number {
  return finding?.trace.length ?? 0
}
