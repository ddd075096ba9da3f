import type { Flow } from '../../src/flows/flow.ts'
import type { Flows } from '../../src/handler/find-flow.ts'
import { brokenSteps, retargetedEdges, type ChartMutant } from './chart-mutants.ts'

/** Every edge led to the state most like its target, every step taken out and made to report each of its events. */
export function generatedMutants(flows: Flows): ChartMutant[] {
  return [...retargetedEdges(flows, 1, endAlike), ...brokenSteps(flows)]
}

/** Final states of one outcome answer the same, whatever they are called. */
function endAlike({ outcomes }: Flow, one: string, other: string): boolean {
  return outcomes[one] !== undefined && outcomes[one] === outcomes[other]
}
