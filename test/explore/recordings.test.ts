import { describe, expect, it } from 'vitest'
import type { Exploration, Story } from '../../fuzz/explore/explore.ts'
import { writeExplorations } from '../../fuzz/report/exploration.ts'
import { requirement } from '../../spec/index.ts'
import type { ExplorerSetup } from '../../src/tools/explorer/data.ts'

function exploring(story: Partial<Story>): Exploration {
  const told = {
    id: 'STM-02',
    says: 'ada’s link works',
    instead: 'ada’s link is refused',
    path: [0],
    count: 1,
    words: [],
    frames: [],
  } as const
  return {
    configuration: 'mails alone',
    depth: 1,
    states: 1,
    transitions: 1,
    took: 1,
    hops: [],
    merged: { pairs: 0, differences: [] },
    counterexamples: [{ ...told, actions: ['Ada signs out'], ...story }],
  }
}

async function setupOf(story: Partial<Story>): Promise<ExplorerSetup> {
  const page = (await writeExplorations('mine', [exploring(story)])) ?? ''
  const [, json = ''] = /data-explorer-setup>([^<]*)</.exec(page) ?? []
  return JSON.parse(json) as ExplorerSetup
}

describe('the page of counterexamples', () => {
  it('opens at the first one, with its rule, and ends with what must not happen', async () => {
    const { recordings = [], play } = await setupOf({})
    const { says, why } = requirement('STM-02')
    expect(play).toBe(recordings[0]?.id)
    expect(recordings).toMatchObject([
      {
        title: 'Ada’s link works',
        breaks: [{ id: 'STM-02', says, why }],
        frames: [
          {
            kind: 'check',
            id: 'STM-02',
            holds: false,
            text: 'Ada’s link works',
            instead: 'Ada’s link is refused',
          },
        ],
      },
    ])
  })

  it('states the rule that no requirement states', async () => {
    const { recordings = [] } = await setupOf({
      id: undefined,
      says: 'the proof of eve opens a session of ada',
    })
    expect(recordings[0]?.title).toBe('The proof of Eve opens a session of Ada')
    expect(recordings[0]?.breaks?.[0]?.says).toMatch(/^A browser has a session of a user only after a proof/)
    expect(recordings[0]?.frames.at(-1)).toMatchObject({ kind: 'check', id: 'takeover' })
  })
})
