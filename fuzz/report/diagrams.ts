import { loadExplorer, type Frame, type Recording } from 'authmachine/instrumented'
import { findStops } from '../charts/find-stops.ts'
import type { ConformanceReport } from '../run/report.ts'
import type { Failure } from '../run/triage.ts'
import { clip, expectationOf, meaningOf, resultOf } from './parts.ts'
import { nameStories, placeFailures } from './place-failures.ts'

/** The name of the page with the diagrams, beside the report. */
export const diagramsFile = 'diagrams.html'

/** Characters of a title. */
const shownTitle = 110

/** Returns the failing stories of targets that report their transitions, to play on the diagrams. */
export function recordFailures(report: ConformanceReport): Recording[] {
  return placeFailures(report).flatMap((row) =>
    nameStories(row).flatMap(([story, failure]) => recordFailure(report.target, story, failure)),
  )
}

function recordFailure(target: string, story: string, failure: Failure): Recording[] {
  const { id, shown } = failure
  const { frames } = shown.finding ?? {}
  if (!frames) return []
  const says = resultOf(failure)
  const impact = meaningOf(shown)?.story
  const check: Frame = { kind: 'check', id, holds: false, text: says }
  return [
    {
      id: story,
      title: clip(`${id}: ${says}`, shownTitle),
      group: `Failures of ${target}`,
      text: [`Expected: ${expectationOf(failure)}.`, ...(impact === undefined ? [] : [impact])].join(' '),
      requirements: [id],
      frames: [...frames, check],
      stops: findStops(id, frames),
    },
  ]
}

/** Writes the flow explorer with these stories, as a page that loads nothing. */
export async function writeDiagrams(recordings: readonly Recording[]): Promise<string> {
  const { writeExplorer } = await loadExplorer()
  const [first] = recordings
  return writeExplorer({
    recordings,
    back: { href: 'report.html', text: 'Back to the report' },
    ...(first && { play: first.id }),
  })
}
