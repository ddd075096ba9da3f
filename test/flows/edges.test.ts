import { describe, expect, it } from 'vitest'
import type { Hop } from '../../src/flows/engine/run.ts'
import { flows } from '../../src/instrumented.ts'
import { placesOf } from '../../fuzz/charts/chart-walk.ts'
import { brokenSteps, retargetedEdges, type ChartMutant } from '../mutants/chart-mutants.ts'
import { sample } from '../support/thorough.ts'
import { runScenario, runScenarios, type ScenarioRun } from './run-scenarios.ts'
import { equivalent, unreachable } from './unreachable.ts'

/** Redirects each edge to the most similar state; `EDGES=all` redirects it to every other state. */
const alternatives = process.env.EDGES === 'all' ? Number.POSITIVE_INFINITY : 1
const runs = await runScenarios()
const takers = collectTakers(runs)

/** The scenarios that take each distinct hop. Hops differ by flow, state and event. */
function collectTakers(
  all: readonly ScenarioRun[],
): { readonly hop: Hop; readonly runs: Set<ScenarioRun> }[] {
  const found = new Map<string, { hop: Hop; runs: Set<ScenarioRun> }>()
  for (const run of all)
    for (const hop of run.hops) {
      const key = nameHop(hop)
      const entry = found.get(key)
      if (entry) entry.runs.add(run)
      else found.set(key, { hop, runs: new Set([run]) })
    }
  return [...found.values()]
}

function nameHop({ flow, state, event }: Hop): string {
  return `${flow}: ${state} -(${event})->`
}

/** The scenarios with such a hop, the shortest first. */
function findRuns(isWanted: (hop: Hop) => boolean): ScenarioRun[] {
  const found = new Set(takers.filter(({ hop }) => isWanted(hop)).flatMap((taker) => [...taker.runs]))
  return [...found].toSorted((a, b) => a.milliseconds - b.milliseconds)
}

/**
 * Finds the first scenario that fails on a mutant. Scenarios that take another path because of the mutant run first.
 */
async function kill(mutant: ChartMutant): Promise<string | undefined> {
  for (const { scenario, milliseconds } of new Set([
    ...findRuns(mutant.diverts),
    ...findRuns(mutant.touches),
  ])) {
    const limit = 1000 + 10 * milliseconds
    if ((await runScenario(scenario, mutant.flows, limit)).failed) return scenario.name
  }
  return undefined
}

async function survivors(mutants: readonly ChartMutant[]): Promise<string[]> {
  const alive: string[] = []
  for (const mutant of mutants) if (!(mutant.id in equivalent) && !(await kill(mutant))) alive.push(mutant.id)
  process.stdout.write(`  ${mutants.length} mutants, ${alive.length} survive\n`)
  return alive
}

function isReachable({ touches }: ChartMutant): boolean {
  return takers.some(({ hop }) => touches(hop))
}

describe('the scenarios', () => {
  it('MD-02 take only edges of the charts, and take every one of them', () => {
    const taken = new Set(takers.map(({ hop }) => nameHop(hop)))
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
    expect(await survivors(sample(retargetedEdges(flows, alternatives).filter(isReachable), 4))).toEqual([])
  }, 300_000)

  it('MD-02 fail if any step is removed or reports a wrong event', async () => {
    expect(await survivors(sample(brokenSteps(flows).filter(isReachable), 4))).toEqual([])
  }, 300_000)
})
