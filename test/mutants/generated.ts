import type { Flow } from '../../src/flows/engine/flow.ts'
import type { Flows } from '../../src/flows/flows.ts'
import { brokenSteps, retargetedEdges, type ChartMutant } from './chart-mutants.ts'

/**
 * Redirects every edge to the state most similar to its target, removes every step, and makes every step report each of
 * its events.
 */
export function generatedMutants(flows: Flows): ChartMutant[] {
  return [...retargetedEdges(flows, 1, endAlike), ...brokenSteps(flows)]
}

/** Final states with the same outcome produce the same response, whatever their names are. */
function endAlike({ outcomes }: Flow, one: string, other: string): boolean {
  return outcomes[one] !== undefined && outcomes[one] === outcomes[other]
}
