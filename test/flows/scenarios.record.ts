/** Run by `npm run mutants -- --by tests`: finds a mutated flow on which each scenario fails. */
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { flows } from '../../src/instrumented.ts'
import { brokenSteps, retargetedEdges, type ChartMutant } from '../mutants/chart-mutants.ts'
import { recordScenario, runScenario } from './run-scenarios.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'

async function findKill(
  scenario: Scenario,
  mutants: readonly ChartMutant[],
): Promise<ChartMutant | undefined> {
  for (const mutant of mutants) if ((await runScenario(scenario, mutant.flows)).failed) return mutant
  return undefined
}

it('each scenario fails on some mutated flow that it runs through', async () => {
  const mutants = [...brokenSteps(flows).toReversed(), ...retargetedEdges(flows, 1)]
  const killed: Record<string, string> = {}
  const never: string[] = []
  for (const scenario of scenarios) {
    const { hops } = await recordScenario(scenario)
    if (hops.length === 0) continue
    const visited = mutants.filter(({ touches }) => hops.some(touches))
    const kill = await findKill(scenario, visited)
    if (kill) killed[scenario.name] = kill.id
    else never.push(scenario.name)
  }
  writeFileSync(process.env.SCENARIO_KILLS ?? '/dev/null', JSON.stringify(killed))
  expect(never).toEqual([])
}, 900_000)
