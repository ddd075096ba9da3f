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

const known = new WeakMap<object, ReadonlySet<string>>()

/**
 * Returns whether a hop is an edge of the charts.
 *
 * @param charts @default those of this project, without features and with the gates of the oracle
 */
export function isEdge(hop: string, charts: readonly Chart[] = driving): boolean {
  const edges = known.get(charts) ?? listHops(charts)
  known.set(charts, edges)
  return edges.has(hop)
}

function listHops(all: readonly Chart[]): ReadonlySet<string> {
  return new Set(
    all.flatMap((chart) => {
      const places = placesOf(chart)
      return [...places.values()].flatMap(({ name, heard }) =>
        [...heard].map(([event, target]) =>
          nameHop({ flow: chart.id, state: name, event, next: enter(places, target).name }),
        ),
      )
    }),
  )
}
