import { openHostile, type Hostile } from '../performance/hostile.ts'
import { present, type Table } from './present.ts'
import { judge } from './targets.ts'

/** The median processor time of one run, in milliseconds. Some warm-up runs are not counted. */
async function measure(prepare: Hostile['plain'], runs: number): Promise<number> {
  const times: number[] = []
  for (let n = -3; n < runs; n++) {
    const run = prepare()
    const from = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(from)
    if (n >= 0) times.push((user + system) / 1000)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0
}

interface Measured extends Hostile {
  readonly cost: number
  readonly ratio: number
}

await present(async ({ isQuick }): Promise<readonly Table[]> => {
  const runs = isQuick ? 5 : 21
  const measured: Measured[] = []
  for (const hostile of await openHostile()) {
    const plain = await measure(hostile.plain, runs)
    const cost = await measure(hostile.attack, runs)
    measured.push({ ...hostile, cost, ratio: cost / plain })
  }
  const worst = (by: (row: Measured) => number) => measured.toSorted((a, b) => by(b) - by(a))[0]
  const [slowest, steepest] = [worst(({ cost, limit }) => cost / limit), worst(({ ratio }) => ratio)]
  const above = measured.filter(({ cost, limit }) => cost > limit)
  const named = (row?: Measured) => `${row?.parser}, ${row?.name}`
  return [
    {
      title: 'Hostile inputs',
      about:
        'Processor time of one request with the most expensive input that the limits allow, compared with ' +
        'a well-formed input of the same size. The limit is three times as much and 2 ms, and for a sign-in with a hostile ' +
        `provider 20 ms (LM-11). The worst ratio is ${steepest?.ratio.toFixed(1)} (${named(steepest)}); the worst time, by ` +
        `its limit, ${slowest?.cost.toFixed(2)} ms (${named(slowest)}). Median of ${runs} runs.`,
      head: ['Input', 'Hostile', 'Processor time', 'Well-formed', 'Ratio', 'Limit'],
      rows: measured.map(({ parser, name, cost, ratio, limit }) => [
        parser,
        name,
        `${cost.toFixed(2)} ms`,
        `${(cost / ratio).toFixed(2)} ms`,
        ratio.toFixed(1),
        `${limit} ms`,
      ]),
      verdicts: [judge('hostile inputs above their limit', 'inputs', above.length)],
    },
  ]
})
