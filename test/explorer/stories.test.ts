import { describe, expect, it } from 'vitest'
import { replayRun } from '../../machines/index.ts'
import { findRequirement } from '../../spec/index.ts'
import { explorerData } from '../../src/tools/explorer/make-embedded.ts'
import { advisories } from '../../fuzz/advisories.ts'
import type { Frame } from '../../src/tools/explorer/data.ts'
import { tellAdvisories } from '../../src/tools/explorer/tell-advisories.ts'
import { readData } from './read-data.ts'

const data = readData(explorerData)
const { stories } = data

/** Run again after a change of a machine. */
const renew = 'node test/explorer/record-stories.ts'

type Hop = Extract<Frame, { kind: 'hop' }>

/** The runs in a story. Requests may overlap, so that a run ends where its flow does. */
function runsOf(frames: readonly Frame[]): readonly (readonly Hop[])[] {
  const runs: Hop[][] = []
  const open = new Set<Hop[]>()
  for (const frame of frames) {
    if (frame.kind !== 'hop') continue
    const known = [...open].find((run) => {
      const last = run.at(-1)
      return last?.flow === frame.flow && last.next === frame.state
    })
    const run = known ?? []
    if (!known) runs.push(run)
    run.push(frame)
    open.add(run)
  }
  return runs
}

describe(`the stories of the oracle (${renew})`, () => {
  it('are about requirements that exist, once each', () => {
    expect(stories.filter(({ id }) => !findRequirement(id))).toEqual([])
    expect(new Set(stories.map(({ id }) => id)).size).toBe(stories.length)
  })

  it.each(stories)('are paths of the machines: $id', ({ frames }) => {
    for (const hops of runsOf(frames)) {
      const [first] = hops
      const actor = replayRun({ flow: first?.flow ?? '', hops }).start()
      const places = JSON.stringify(actor.getSnapshot().value).match(/[\w-]+/g)
      expect(places?.join('.')).toBe(hops.at(-1)?.next)
    }
  })

  it('end with the check of their requirement', () => {
    for (const { id, frames } of stories) expect(frames.at(-1), id).toMatchObject({ kind: 'check', id })
  })

  it('contain no values of a run', () => {
    expect(JSON.stringify(stories)).not.toMatch(/[A-Za-z0-9_-]{40,}|@example|code=|state=/)
  })

  it('tell every advisory whose requirement the oracle checks by requests', () => {
    const told = new Set(tellAdvisories(data).map(({ id }) => id))
    const known = new Set(stories.map(({ id }) => id))
    const missing = advisories.filter(
      ({ ids, caughtBy }) =>
        caughtBy.some((id) => known.has(findRequirement(id)?.id ?? '')) && !told.has(ids[0] ?? ''),
    )
    expect(missing).toEqual([])
    expect(told.size).toBeGreaterThan(160)
  })
})
