import { charts } from '../../machines/charts.ts'
import { enter, placesOf } from './chart-walk.ts'

/** One hop of a run as text: `sign-in: checkingCsrf -(csrf.verified)-> resolvingCallbackUrl`. */
export function nameHop(flow: string, state: string, event: string, next: string): string {
  return `${flow}: ${state} -(${event})-> ${next}`
}

/** The hop that a text names; undefined when it names none. */
export function readHop(text: string) {
  const [, flow, state, event, next] = /^([^:]+): (.+) -\((.+)\)-> (.+)$/.exec(text) ?? []
  return flow && state && event && next ? { flow, state, event, next } : undefined
}

const drawn: ReadonlySet<string> = new Set(
  Object.values(charts).flatMap((chart) => {
    const places = placesOf(chart)
    return [...places.values()].flatMap(({ name, heard }) =>
      [...heard].map(([event, target]) => nameHop(chart.id, name, event, enter(places, target).name)),
    )
  }),
)

/** Is it an edge of the charts, as they are drawn? */
export function isDrawn(hop: string): boolean {
  return drawn.has(hop)
}
