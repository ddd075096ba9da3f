import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { property, type Property } from '../../fuzz/properties/property.ts'
import { readToken } from '../../fuzz/run/replay.ts'
import { Absent, Unreached } from '../../fuzz/world/breach.ts'
import { answering, judgeHere } from './support.ts'

const quiet = answering(() => Response.json(null))
const base = {
  proves: ['TX-01'],
  name: 'a property of the test',
  story: '',
  advice: '',
  runs: 10,
} as const satisfies Partial<Property>

/** A property that goes wrong from a number on. */
const breaking = (from: number) =>
  property({
    ...base,
    input: fc.nat(1000),
    run: async (world, n) => world.hold('TX-02', n < from, `${n} is too much`),
  })

describe('a property', () => {
  it('that holds in every case passes, with as many runs as it asks for by the profile', async () => {
    const fine = property({ ...base, run: async ({ reach }) => reach('here') })
    expect(await judgeHere(fine, quiet)).toMatchObject({ verdict: 'PASS', runs: 10, spread: { here: 10 } })
    expect(await judgeHere(fine, quiet, { share: 0.1 })).toMatchObject({ verdict: 'PASS', runs: 1 })
    expect(await judgeHere(fine, quiet, { share: 20 })).toMatchObject({ runs: 200 })
  })

  it('that breaks names what was broken, by its smallest case', async () => {
    expect(await judgeHere(breaking(17), quiet)).toMatchObject({
      verdict: 'FAIL',
      broken: 'TX-02',
      finding: { says: '17 is too much', input: '17' },
    })
  })

  it('gives the same for the same seed, and something else for another', async () => {
    const seen: number[][] = []
    const looking = property({
      ...base,
      input: fc.nat(),
      run: async (_, n) => void seen.at(-1)?.push(n),
    })
    for (const seed of [7, 7, 8]) {
      seen.push([])
      await judgeHere(looking, quiet, { seed })
    }
    expect(seen[0]).toHaveLength(10)
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).not.toEqual(seen[0])
  })

  it('is run once at the place that a replay names, whether it fails there or not', async () => {
    const failed = await judgeHere(breaking(17), quiet)
    const { path } = readToken(failed.finding?.replay ?? '')
    expect(await judgeHere(breaking(17), quiet, { path })).toMatchObject({
      runs: 1,
      verdict: 'FAIL',
      finding: failed.finding,
    })
    expect(await judgeHere(breaking(1001), quiet, { path: '2' })).toMatchObject({ runs: 1, verdict: 'PASS' })
  })

  it('that throws a TypeError is a fault of the oracle', async () => {
    const faulty = property({ ...base, run: async () => Reflect.get(undefined as never, 'x') as undefined })
    expect(await judgeHere(faulty, quiet)).toMatchObject({
      verdict: 'ERROR',
      reason: expect.stringContaining('TypeError') as string,
    })
  })

  it('that hardly came to what it is about proves nothing', async () => {
    const everyOther = (share: number) => {
      let n = 0
      return property({
        ...base,
        run: async () => {
          if (n++ % 10 >= share) throw new Unreached('the sign-in did not work')
        },
      })
    }
    expect(await judgeHere(everyOther(5), quiet)).toMatchObject({ verdict: 'PASS' })
    expect(await judgeHere(everyOther(4), quiet)).toMatchObject({
      verdict: 'INCONCLUSIVE',
      reason: '4 of 10 cases came to what this is about, the others stopped because the sign-in did not work',
    })
  })

  it('that missed a situation of its own proves nothing', async () => {
    const reaching = (times: number) => {
      let n = 0
      return property({
        ...base,
        reaches: { 'a rare thing': 3 },
        run: async ({ reach }) => {
          if (n++ < times) reach('a rare thing')
        },
      })
    }
    expect(await judgeHere(reaching(3), quiet)).toMatchObject({ verdict: 'PASS' })
    expect(await judgeHere(reaching(2), quiet)).toMatchObject({
      verdict: 'INCONCLUSIVE',
      reason: '"a rare thing" was reached 2 times, and has to be reached 3 times',
    })
  })

  it('for which there was no time proves nothing', async () => {
    const endless = property({ ...base, run: () => new Promise(() => {}) })
    expect(await judgeHere(endless, quiet, { limit: 20 })).toMatchObject({
      verdict: 'INCONCLUSIVE',
      reason: '0 of 10 cases came to what this is about, then the time was up',
    })
  })

  it('about what an application does not have is not judged', async () => {
    const absent = property({
      ...base,
      run: async () => {
        throw new Absent('there is no second provider')
      },
    })
    expect(await judgeHere(absent, quiet)).toMatchObject({
      verdict: 'SKIP',
      reason: 'there is no second provider',
    })
  })

  it('behind a capability is judged where that is declared', async () => {
    const must = property({ ...base, proves: ['EM-08'], run: async () => {} })
    expect(await judgeHere(must, quiet)).toMatchObject({
      verdict: 'WARN',
      runs: 0,
      reason: 'the target does not declare the capability canonical-url',
    })
    expect(
      await judgeHere(
        must,
        answering(() => Response.json(null), ['canonical-url']),
      ),
    ).toMatchObject({
      verdict: 'PASS',
    })
    const should = property({ ...base, proves: ['SU-07'], run: async () => {} })
    expect(await judgeHere(should, quiet)).toMatchObject({ verdict: 'SKIP' })
  })

  it('that needs a feature is not judged without it', async () => {
    const needing = property({ ...base, needs: ['tokens'], run: async () => {} })
    expect(await judgeHere(needing, quiet)).toMatchObject({
      verdict: 'SKIP',
      reason: 'the target offers no tokens',
    })
    const wanting = property({ ...base, setups: { keys: { providers: ['passkey'] } }, run: async () => {} })
    expect(await judgeHere(wanting, quiet)).toMatchObject({
      verdict: 'SKIP',
      reason: 'the target has no provider like passkey',
    })
  })

  it('whose world is watched breaks by what it did not ask about', async () => {
    const session = { user: { name: 'bob', email: 'bob@alpha.example' }, expires: '2030-01-01T00:00:00Z' }
    const reading = property({
      ...base,
      run: async (world) => void (await world.browser('ada').readSession()),
    })
    expect(
      await judgeHere(
        reading,
        answering(() => Response.json(session)),
      ),
    ).toMatchObject({
      verdict: 'FAIL',
      broken: 'TX-01',
      finding: {
        says: 'ada’s browser has the session of bob, who never proved anything in it'.replace('’', "'"),
      },
    })
  })
})
