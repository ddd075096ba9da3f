import { charts } from 'authmachine/machines'
import { nameHop } from 'authmachine/instrumented'
import { enter, placesOf } from './chart-walk.ts'

const edges: ReadonlySet<string> = new Set(
  Object.values(charts).flatMap((chart) => {
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
