import type { ConformanceReport } from '../run/report.ts'
import { triage, type Broken, type Failure } from '../run/triage.ts'
import { anchor } from './elements.ts'

/** A broken requirement. Its place is unique in a report of several targets. */
export interface PlacedRow {
  readonly place: string
  readonly broken: Broken
}

/** Returns the broken requirements of a report in the order in which to fix them, with their places in the report. */
export function placeFailures({
  target,
  judgements,
}: Pick<ConformanceReport, 'target' | 'judgements'>): PlacedRow[] {
  const seen = new Set<string>()
  return triage(judgements).map((broken) => {
    const { id, verdict } = broken
    // A requirement can fail as the baseline expects, and in another way.
    const place = anchor(target, id) + (seen.has(id) ? `-${verdict}` : '')
    seen.add(id)
    return { place, broken }
  })
}

/**
 * Returns the failures of a broken requirement, each with the id of its story on the diagrams. The story of the worst
 * failure has the id of the place.
 */
export function nameStories({ place, broken }: PlacedRow): (readonly [story: string, failure: Failure])[] {
  return [broken, ...broken.others].map((failure, at) => [at === 0 ? place : `${place}-${at + 1}`, failure])
}
