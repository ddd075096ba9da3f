import { describe, expect, it } from 'vitest'
import { flows } from '../../src/instrumented.ts'
import { placesOf } from '../../fuzz/charts/chart-walk.ts'
import { brokenSteps, retargetedEdges, type ChartMutant } from '../mutants/chart-mutants.ts'
import { runScenario, runScenarios } from './run-scenarios.ts'
import { equivalent, unreachable } from './unreachable.ts'

/** Redirects each edge to the most similar state; `EDGES=all` redirects it to every other state. */
const alternatives = process.env.EDGES === 'all' ? Number.POSITIVE_INFINITY : 1
const runs = await runScenarios()

/**
 * Finds the first scenario that fails on a mutant. Scenarios that take another path because of the mutant run first.
 */
async function kill(mutant: ChartMutant): Promise<string | undefined> {
  const touched = runs.filter(({ hops }) => hops.some(mutant.touches))
  const diverted = touched.filter(({ hops }) => hops.some(mutant.diverts))
  for (const { scenario } of new Set([...diverted, ...touched]))
    if ((await runScenario(scenario, mutant.flows)).failed) return scenario.name
  return undefined
}

async function survivors(mutants: readonly ChartMutant[]): Promise<string[]> {
  const alive: string[] = []
  for (const mutant of mutants) if (!(mutant.id in equivalent) && !(await kill(mutant))) alive.push(mutant.id)
  process.stdout.write(`  ${mutants.length} mutants, ${alive.length} survive\n`)
  return alive
}

describe('the scenarios', () => {
  it('MD-02 take only edges of the charts, and take every one of them', () => {
    const taken = new Set(
      runs.flatMap(({ hops }) => hops.map(({ flow, state, event }) => `${flow}: ${state} -(${event})->`)),
    )
    const drawn = Object.values(flows).flatMap((flow) =>
      [...placesOf(flow.chart).values()].flatMap(({ name, state }) =>
        'invoke' in state
          ? Object.keys(flow.steps[state.invoke.src]?.says ?? {}).map(
              (event) => `${flow.id}: ${name} -(${event})->`,
            )
          : [],
      ),
    )
    const faults = [...taken].filter((edge) => edge.endsWith('-(fault)->'))
    for (const id of Object.keys(flows))
      expect(
        faults.some((edge) => edge.startsWith(`${id}:`)),
        id,
      ).toBe(true)
    expect([...taken].filter((edge) => !drawn.includes(edge) && !faults.includes(edge))).toEqual([])
    expect(drawn.filter((edge) => !taken.has(edge)).toSorted()).toEqual(Object.keys(unreachable).toSorted())
  })

  it('MD-02 fail if any edge leads to another state', async () => {
    const reachable = retargetedEdges(flows, alternatives).filter(({ touches }) =>
      runs.some(({ hops }) => hops.some(touches)),
    )
    expect(await survivors(reachable)).toEqual([])
  }, 300_000)

  it('MD-02 fail if any step is removed or reports a wrong event', async () => {
    const reachable = brokenSteps(flows).filter(({ touches }) => runs.some(({ hops }) => hops.some(touches)))
    expect(await survivors(reachable)).toEqual([])
  }, 300_000)
})
