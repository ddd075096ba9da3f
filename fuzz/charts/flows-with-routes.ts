import { type Flow, type Flows, optionalFlows, routes } from 'authmachine/instrumented'

const names = new Set<string | undefined>(routes.map(({ flow }) => flow))

/** Returns the flows that a request can start; the oracle reaches no others. */
export function flowsWithRoutes(flows: Flows): Flow[] {
  return Object.entries(flows).flatMap(([name, flow]) => (names.has(name) || optionalFlows.has(name) ? [flow] : []))
}
