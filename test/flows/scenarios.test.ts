import { describe, expect, it } from 'vitest'
import { edgesOf } from '../../fuzz/charts/chart-walk.ts'
import { journeyChart } from '../../machines/journey.ts'
import { openApp } from '../support/app.ts'
import { findRefusal, type RecordedRun } from '../support/journeys/check.ts'
import { findNeeded, nameEdge } from '../support/journeys/edges.ts'
import { recordRuns } from '../support/journeys/record.ts'
import { scenarios } from './scenarios/index.ts'

const runs: RecordedRun[] = []

describe('flows, with real requests', () => {
  for (const { name, run } of scenarios)
    it(name, async () => {
      const recorded = await recordRuns(name, () => run({ open: openApp }))
      runs.push(...recorded)
      expect(recorded.flatMap((each) => findRefusal(each) ?? [])).toEqual([])
    })
})

describe('the journey of a browser', () => {
  it('MD-02 rejects some browser run above if any one of its edges is removed', () => {
    const needed = findNeeded(runs).map(nameEdge)
    expect(
      edgesOf(journeyChart)
        .map(nameEdge)
        .filter((edge) => !needed.includes(edge)),
    ).toEqual([])
  })
})
