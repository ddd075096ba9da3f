import { type Flow, type Flows, routes } from 'authmachine/instrumented'

const names = new Set<string | undefined>(routes.map(({ flow }) => flow))

/** The flows that some route leads to: what is asked of applications from outside comes by no other. */
export function routedFlows(flows: Flows): Flow[] {
  return Object.entries(flows).flatMap(([name, flow]) => (names.has(name) ? [flow] : []))
}
