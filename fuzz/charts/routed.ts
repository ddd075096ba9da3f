import type { Flow } from '../../src/flows/flow.ts'
import type { Flows } from '../../src/handler/find-flow.ts'
import { routes } from '../../src/routes/routes.ts'

const names = new Set<string | undefined>(routes.map(({ flow }) => flow))

/** The flows that some route leads to: what is asked of applications from outside comes by no other. */
export function routedFlows(flows: Flows): Flow[] {
  return Object.entries(flows).flatMap(([name, flow]) => (names.has(name) ? [flow] : []))
}
