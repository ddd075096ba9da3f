import type { Flows } from '../../src/handler/find-flow.ts'
import { brokenSteps, retargetedEdges, type ChartMutant } from './chart-mutants.ts'

/** Every edge led to the state most like its target, every step taken out and made to report each of its events. */
export function generatedMutants(flows: Flows): ChartMutant[] {
  return [...retargetedEdges(flows, 1), ...brokenSteps(flows)]
}
