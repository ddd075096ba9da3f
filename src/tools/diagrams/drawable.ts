import { charts } from '../../../machines/by-id.ts'
import type { AnyChart } from '../../../machines/chart.ts'
import { journeyChart } from '../../../machines/journey.ts'
import { routes } from '../../flows/flows.ts'

const routed = routes.flatMap(({ flow }) => (flow ? [charts[flow]] : []))

/** Every flow, in the order of the routes, and the journey of a browser through all of them, by name. */
export const drawable: ReadonlyMap<string, AnyChart> = new Map(
  [...routed, ...Object.values(charts), journeyChart].map((chart): [string, AnyChart] => [chart.id, chart]),
)
