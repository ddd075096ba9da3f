import { compareCosts, highestRatio } from '../performance/hostile-cost.ts'
import { openHostile } from '../performance/hostile.ts'
import { present, type Table } from './present.ts'
import { judge } from './targets.ts'

await present(async ({ isQuick }): Promise<readonly Table[]> => {
  const pairs = isQuick ? 3 : 41
  const measured: {
    readonly input: string
    readonly name: string
    readonly cost: number
    readonly ratio: number
  }[] = []
  for (const hostile of await openHostile()) {
    const { attack: cost, ratio } = await compareCosts(hostile, pairs)
    measured.push({ input: hostile.parser, name: hostile.name, cost, ratio })
  }
  const steepest = measured.toSorted((a, b) => b.ratio - a.ratio)[0]
  const above = measured.filter(({ ratio }) => ratio > highestRatio)
  return [
    {
      title: 'Hostile inputs',
      about:
        'Processor time of one request with the most expensive input that the limits allow, and with longer ones, ' +
        `compared with a well-formed input of the same size. The limit is ${highestRatio} times as much (LM-11). The ` +
        `highest ratio is ${steepest?.ratio.toFixed(1)} (${steepest?.input}, ${steepest?.name}). Median of ${pairs} pairs.`,
      head: ['Input', 'Hostile', 'Processor time', 'Well-formed', 'Ratio'],
      rows: measured.map(({ input, name, cost, ratio }) => [
        input,
        name,
        `${cost.toFixed(2)} ms`,
        `${(cost / ratio).toFixed(2)} ms`,
        ratio.toFixed(1),
      ]),
      verdicts: [judge('hostile inputs above their limit', 'inputs', above.length)],
    },
  ]
})
