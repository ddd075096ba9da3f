import type { ConformanceReport } from '../run/report.ts'
import { triage, type Broken, type Failure, type Problem } from '../run/triage.ts'
import { anchor } from './elements.ts'

/** A cause, and its broken requirements with their places in the report. */
export interface PlacedProblem {
  readonly problem: Problem
  readonly rows: readonly PlacedRow[]
}

/** A broken requirement. Its place is unique in a report of several targets. */
export interface PlacedRow {
  readonly place: string
  readonly broken: Broken
}

/** Returns the place of a group of failures in the report of a target. */
export function placeOf(target: string, { cause, verdict, severity }: Problem): string {
  return anchor(target, `${cause.id}-${verdict}-${severity.replaceAll(' ', '-')}`)
}

/** Returns the failures of a report by their causes, with their places in the report. */
export function placeFailures({ target, judgements }: ConformanceReport): PlacedProblem[] {
  const seen = new Set<string>()
  const placeRow = ({ id, verdict }: Broken) => {
    // A requirement can fail as the baseline expects, and in another way.
    const place = anchor(target, id) + (seen.has(id) ? `-${verdict}` : '')
    seen.add(id)
    return place
  }
  return triage(judgements).map((problem) => ({
    problem,
    rows: problem.broken.map((broken) => ({ place: placeRow(broken), broken })),
  }))
}

/**
 * Returns the failures of a broken requirement, each with the id of its story on the diagrams. The story of the worst
 * failure has the id of the place.
 */
export function nameStories({ place, broken }: PlacedRow): (readonly [story: string, failure: Failure])[] {
  return [broken, ...broken.others].map((failure, at) => [at === 0 ? place : `${place}-${at + 1}`, failure])
}
