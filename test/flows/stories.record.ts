/** Run by `npm run mutants -- --by tests`: finds for each story a mutated flow on which it fails. */
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { flows } from '../../src/handler/flows.ts'
import { brokenSteps, retargetedEdges, type ChartMutant } from '../mutants/chart-mutants.ts'
import { perform, tell } from './perform.ts'
import type { Scenario } from './scenario.ts'

async function findKill(
  scenario: Scenario,
  mutants: readonly ChartMutant[],
): Promise<ChartMutant | undefined> {
  for (const mutant of mutants) if ((await perform(scenario, mutant.flows)).failed) return mutant
  return undefined
}

it('each story is turned red by some broken flow that it goes through', async () => {
  const mutants = [...brokenSteps(flows).toReversed(), ...retargetedEdges(flows, 1)]
  const killed: Record<string, string> = {}
  const never: string[] = []
  for (const { scenario, hops } of await tell()) {
    if (hops.length === 0) continue
    const passed = mutants.filter(({ touches }) => hops.some(touches))
    const red = await findKill(scenario, passed)
    if (red) killed[scenario.name] = red.id
    else never.push(scenario.name)
  }
  writeFileSync(process.env.STORIES ?? '/dev/null', JSON.stringify(killed))
  expect(never).toEqual([])
}, 900_000)
