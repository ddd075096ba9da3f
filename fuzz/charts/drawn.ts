import { charts } from 'authmachine/machines'
import { nameHop } from 'authmachine/instrumented'
import { enter, placesOf } from './chart-walk.ts'

const drawn: ReadonlySet<string> = new Set(
  Object.values(charts).flatMap((chart) => {
    const places = placesOf(chart)
    return [...places.values()].flatMap(({ name, heard }) =>
      [...heard].map(([event, target]) =>
        nameHop({ flow: chart.id, state: name, event, next: enter(places, target).name }),
      ),
    )
  }),
)

/** Is it an edge of the charts, as they are drawn? */
export function isDrawn(hop: string): boolean {
  return drawn.has(hop)
}
