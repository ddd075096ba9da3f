import { type Chart, charts } from 'authmachine/machines'
import { flowsOf, nameHop } from 'authmachine/instrumented'
import { gate, gateChart, secondGate } from '../targets/gate.ts'
import { enter, placesOf } from './chart-walk.ts'

/** Those of an application without features, and of those with one gate and with two. */
const driving: readonly Chart[] = [
  ...Object.values(charts),
  ...flowsOf([gate]).map(({ chart }) => chart),
  ...flowsOf([gate, secondGate]).map(({ chart }) => chart),
  gateChart,
]

const edges: ReadonlySet<string> = new Set(
  driving.flatMap((chart) => {
    const places = placesOf(chart)
    return [...places.values()].flatMap(({ name, heard }) =>
      [...heard].map(([event, target]) =>
        nameHop({ flow: chart.id, state: name, event, next: enter(places, target).name }),
      ),
    )
  }),
)

/** Tells whether a hop is an edge of the charts. */
export function isEdge(hop: string): boolean {
  return edges.has(hop)
}
