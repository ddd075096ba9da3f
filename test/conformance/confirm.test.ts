import fc from 'fast-check'
import { expect, it } from 'vitest'
import { property } from '../../fuzz/properties/property.ts'
import { replayOf, withdraw } from '../../fuzz/run/confirm.ts'
import { unconfirmed } from '../../fuzz/run/verdict.ts'
import { answering, failure, judgeHere } from './support.ts'

const quiet = answering(() => Response.json(null))

it('repeats a failure that a later round of its cases found', async () => {
  const odd = property({
    proves: ['TX-01'],
    name: 'is even',
    story: '',
    advice: '',
    runs: 1,
    // Rounds follow until a case fails.
    reaches: { 'an odd number': 1 },
    input: fc.integer({ min: 0, max: 1_000_000 }),
    run: async (world, n) => world.check('TX-01', n % 8 !== 7, 'it is not even'),
  })
  const seeds = [...Array(20).keys()].map((n) => n * 1000)
  const judged = await Promise.all(seeds.map((seed) => judgeHere(odd, quiet, { seed })))
  const late = judged.flatMap(({ verdict, runs, finding }, at) =>
    verdict === 'FAIL' && runs > 1 && finding ? [{ seed: at * 1000, finding }] : [],
  )
  expect(late.length).toBeGreaterThan(3)
  for (const { seed, finding } of late) {
    const job = { property: odd.name, setup: 'database', seed, share: 1, limit: 1000 }
    expect(await judgeHere(odd, quiet, replayOf(job, finding))).toMatchObject({ verdict: 'FAIL', finding })
  }
})

it('withdraws a failure that never occurred again', () => {
  const withdrawn = withdraw(failure('TX-01'))
  expect(withdrawn).toMatchObject({ verdict: 'INCONCLUSIVE', reason: `${unconfirmed}: it broke` })
  expect(withdrawn.broken).toBeUndefined()
  expect(withdrawn.finding).toBeUndefined()
})
