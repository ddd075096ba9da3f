import { describe, expect, it } from 'vitest'
import { compareMerged } from '../../fuzz/explore/compare-merged.ts'
import { isLeftOut, runExploration } from '../../fuzz/explore/run.ts'
import { findTarget, type LibraryPlace } from '../../fuzz/targets/find-target.ts'
import { sample } from '../support/thorough.ts'

const one = { path: [0] }
const other = { path: [1, 2] }
const effect = (text: string, ...says: readonly string[]) => ({
  text,
  findings: says.map((each) => ({ says: each })),
})

describe('the comparison of merged states', () => {
  it.each([
    ['only one of them allows it', undefined, effect('signed in')],
    ['it breaks "" in one, and "two sessions" in the other', effect(''), effect('', 'two sessions')],
    ['it leads to different states: "a link" and "a code"', effect('a link'), effect('a code')],
  ])('says that %s', async (says, first, second) => {
    const take = (state: typeof one) => Promise.resolve(state === one ? first : second)
    expect(await compareMerged(one, other, 1, take)).toEqual([
      { paths: [one.path, other.path], action: 0, says },
    ])
  })

  it('finds nothing in equal states', async () => {
    expect(await compareMerged(one, other, 3, () => Promise.resolve(effect('same')))).toEqual([])
  })

  it.each(sample(['codes', 'tokens: sign-ins that wait'], 2))(
    'finds no difference between merged states of %s',
    async (name) => {
      const ours = findTarget('ours') as LibraryPlace
      const options = { only: [name], depth: 2, transitions: 1000, comparesMerged: true }
      const [outcome] = await runExploration(ours, options)
      if (!outcome || isLeftOut(outcome)) throw new Error(`left out: ${outcome?.reason}`)
      expect(outcome.merged.pairs).toBeGreaterThan(20)
      expect(outcome.merged.differences).toEqual([])
    },
    60_000,
  )
})
