import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eachOf, everyOf } from '../../fuzz/arbitraries/every-of.ts'
import { property, type Property } from '../../fuzz/properties/property.ts'
import { drawCases, shuffle } from '../../fuzz/run/draw-cases.ts'
import type { Driver } from '../../fuzz/targets/target.ts'
import { answering, judgeHere } from './support.ts'

const quiet = answering(() => Response.json(null))
const base = { proves: ['TX-01'], name: 'a property', story: '', advice: '' } as const

/** A running application with these providers. */
const running = (...providers: readonly ('alpha' | 'beta' | 'plain')[]): Driver => ({
  name: 'an application',
  capabilities: new Set(),
  features: new Set(),
  providers: new Set(providers),
  open: () => Promise.reject(new Error('nothing is sent to this application')),
})

/** A property that notes its inputs. */
function noting(runs: number, listed: Pick<Property, 'cases' | 'parts' | 'input'>) {
  const seen: unknown[] = []
  const made = property<unknown>({
    ...base,
    ...listed,
    runs,
    async run({ check }, input) {
      check('TX-01', true, '')
      seen.push(input)
    },
  })
  return { seen, made }
}

describe('a list of cases', () => {
  it('has every combination of its values', () => {
    const { cases } = everyOf({ provider: ['alpha', 'beta'], isFirst: [true, false], at: [0, 1, 2] })
    expect(cases).toHaveLength(12)
    expect(new Set(cases.map((each) => JSON.stringify(each))).size).toBe(12)
  })

  it('runs whole if it is short, whatever the profile and the seed', async () => {
    for (const seed of [1, 2, 3]) {
      const { seen, made } = noting(100, eachOf([1, 2, 3, 4, 5, 6, 7]))
      await judgeHere(made, quiet, { seed, share: 0.01 })
      expect(seen.toSorted((one, other) => Number(one) - Number(other))).toEqual([1, 2, 3, 4, 5, 6, 7])
    }
  })

  it('runs whole on a running application, and otherwise others with each seed, none twice', async () => {
    const list = Array.from({ length: 60 }, (_, n) => n)
    const thorough = noting(10, eachOf(list))
    await judgeHere(thorough.made, quiet, { share: 0.1, isThorough: true })
    expect(new Set(thorough.seen)).toEqual(new Set(list))
    const [one, two] = [noting(100, eachOf(list)), noting(100, eachOf(list))]
    await judgeHere(one.made, quiet, { seed: 1, share: 0.1 })
    await judgeHere(two.made, quiet, { seed: 2, share: 0.1 })
    expect(new Set(one.seen).size).toBe(one.seen.length)
    expect(one.seen).not.toEqual(two.seen)
  })

  it('is in the same order for the same seed', () => {
    expect(shuffle([1, 2, 3, 4, 5, 6], 7)).toEqual(shuffle([1, 2, 3, 4, 5, 6], 7))
    expect(shuffle([], 7)).toEqual([])
  })
})

describe('a list of parts', () => {
  const input = fc.record({ way: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), n: fc.nat() })
  const parts = ['a', 'b', 'c', 'd', 'e', 'f'].map((way) => ({ way }))

  it('begins a run with each part, whatever the seed, and draws the other members', async () => {
    const drawn = new Set<unknown>()
    for (const seed of [1, 2, 3]) {
      const { seen, made } = noting(100, { parts, input })
      await judgeHere(made, quiet, { seed, share: 0.01 })
      const cases = seen as { way: string; n: number }[]
      expect(cases.map(({ way }) => way).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
      for (const { n } of cases) drawn.add(n)
    }
    expect(drawn.size).toBeGreaterThan(12)
  })

  it('has the same cases for the same seed, so that a failure can be replayed', async () => {
    const [one, two] = [noting(1, { parts, input }), noting(1, { parts, input })]
    for (const { made } of [one, two]) await judgeHere(made, quiet, { seed: 5 })
    expect(one.seen).toHaveLength(6)
    expect(two.seen).toEqual(one.seen)
  })

  it('does not say how many cases a thorough run needs', async () => {
    const { seen, made } = noting(100, { parts, input })
    await judgeHere(made, quiet, { share: 0.01, isThorough: true })
    expect(seen.length).toBeGreaterThanOrEqual(20)
  })

  it('has only parts about the providers of a running application', () => {
    const provided = {
      parts: [{ provider: 'alpha' }, { provider: 'beta' }],
      input: fc.record({ n: fc.nat() }),
    }
    expect(drawCases(noting(1, provided).made, running('alpha')).parts).toEqual([{ provider: 'alpha' }])
  })
})

it('a thorough run without a list checks at least twenty cases, or all that the property has', async () => {
  const input = fc.nat()
  for (const [runs, wanted] of [
    [40, 20],
    [6, 6],
  ] as const) {
    let calls = 0
    const rare = property({
      ...base,
      input,
      runs,
      // Two of three cases check nothing.
      run: async ({ check }) => void ((calls += 1) % 3 === 0 && check('TX-01', true, '')),
    })
    await judgeHere(rare, quiet, { share: 0.5, isThorough: true })
    expect(Math.floor(calls / 3)).toBeGreaterThanOrEqual(wanted)
  }
})

describe('a running application', () => {
  it('gets only cases about its providers', () => {
    const listed = everyOf({
      provider: ['alpha', 'beta', 'plain'],
      steps: [[{ from: 'plain' }], [{ from: 'alpha' }]],
    })
    const drawn = drawCases({ ...noting(1, listed).made }, running('alpha'))
    expect(drawn.listed).toEqual([{ provider: 'alpha', steps: [{ from: 'alpha' }] }])
    const names = fc.sample(drawn.input, { numRuns: 100, seed: 1 }).map((each) => JSON.stringify(each))
    expect(new Set(names)).toEqual(new Set([JSON.stringify(drawn.listed[0])]))
  })

  it('gets each case of a list once, and none again instead of those about a provider that it lacks', async () => {
    const listed = everyOf({ provider: ['alpha', 'beta', 'plain'], at: [0, 1, 2, 3] })
    const { seen, made } = noting(12, listed)
    const { features, providers } = running('alpha')
    await judgeHere(made, quiet, { isThorough: true }, { features, providers })
    expect(seen.map((each) => JSON.stringify(each)).toSorted()).toEqual(
      [0, 1, 2, 3].map((at) => JSON.stringify({ provider: 'alpha', at })),
    )
  })

  it('gets all cases if none is about its providers only, and each says what is missing', () => {
    const listed = everyOf({
      order: [
        ['alpha', 'beta'],
        ['beta', 'alpha'],
      ],
    })
    expect(drawCases(noting(1, listed).made, running('alpha')).listed).toHaveLength(2)
  })

  it('keeps values that only look like the name of a provider', () => {
    const listed = everyOf({ provider: ['alpha'], challenge: ['plain', 'S256'] })
    expect(drawCases(noting(1, listed).made, running('alpha')).listed).toHaveLength(2)
  })
})
