import { describe, expect, it } from 'vitest'
import { edgesOf, placesOf } from '../../fuzz/charts/chart-walk.ts'
import { journeyChart } from '../../machines/journey.ts'
import type { Hop } from '../../src/flows/engine/run.ts'
import { flows } from '../../src/instrumented.ts'
import { brokenSteps, retargetedEdges, type ChartMutant } from '../mutants/chart-mutants.ts'
import { findRefusal } from '../support/journeys/check.ts'
import { findNeeded, nameEdge } from '../support/journeys/edges.ts'
import { sample } from '../support/thorough.ts'
import { recordScenario, runScenario, type ScenarioRun } from './run-scenarios.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'
import { equivalent, unreachable } from './unreachable.ts'

const runs = new Map<Scenario, ScenarioRun>()

async function record(scenario: Scenario): Promise<ScenarioRun> {
  const run = runs.get(scenario) ?? (await recordScenario(scenario))
  runs.set(scenario, run)
  return run
}

/** The runs of all scenarios. With `-t`, most of them have not run yet. */
async function recordAll(): Promise<ScenarioRun[]> {
  const all: ScenarioRun[] = []
  for (const scenario of scenarios) all.push(await record(scenario))
  return all
}

describe('flows, with real requests', () => {
  for (const scenario of scenarios)
    it(scenario.name, async () => {
      const { browsers } = await record(scenario)
      expect(browsers.flatMap((each) => findRefusal(each) ?? [])).toEqual([])
    })
})

describe('the journey of a browser', () => {
  it('MD-02 rejects some browser run above if any one of its edges is removed', async () => {
    const needed = findNeeded((await recordAll()).flatMap(({ browsers }) => browsers)).map(nameEdge)
    expect(
      edgesOf(journeyChart)
        .map(nameEdge)
        .filter((edge) => !needed.includes(edge)),
    ).toEqual([])
  }, 300_000)
})

/** Redirects each edge to the most similar state; `EDGES=all` redirects it to every other state. */
const alternatives = process.env.EDGES === 'all' ? Number.POSITIVE_INFINITY : 1

/** The scenarios that take a hop. Hops differ by flow, state and event. */
interface Taker {
  readonly hop: Hop
  readonly runs: Set<ScenarioRun>
}

async function collectTakers(): Promise<Taker[]> {
  const found = new Map<string, Taker>()
  for (const run of await recordAll())
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
function findRuns(takers: readonly Taker[], isWanted: (hop: Hop) => boolean): ScenarioRun[] {
  const found = new Set(takers.filter(({ hop }) => isWanted(hop)).flatMap((taker) => [...taker.runs]))
  return [...found].toSorted((a, b) => a.milliseconds - b.milliseconds)
}

/**
 * Finds the first scenario that fails on a mutant. Scenarios that take another path because of the mutant run first.
 */
async function kill(mutant: ChartMutant, takers: readonly Taker[]): Promise<string | undefined> {
  for (const { scenario, milliseconds } of new Set([
    ...findRuns(takers, mutant.diverts),
    ...findRuns(takers, mutant.touches),
  ])) {
    const limit = 1000 + 10 * milliseconds
    if ((await runScenario(scenario, mutant.flows, limit)).failed) return scenario.name
  }
  return undefined
}

/** Every fourth of the mutants whose place some scenario reaches, or all in a thorough run, without those that fail one. */
async function survivors(mutants: readonly ChartMutant[]): Promise<string[]> {
  const takers = await collectTakers()
  const tried = sample(
    mutants.filter(({ touches }) => takers.some(({ hop }) => touches(hop))),
    4,
  )
  const alive: string[] = []
  for (const mutant of tried)
    if (!(mutant.id in equivalent) && !(await kill(mutant, takers))) alive.push(mutant.id)
  process.stdout.write(`  ${tried.length} mutants, ${alive.length} survive\n`)
  return alive
}

describe('the scenarios', { tags: 'slow', timeout: 300_000 }, () => {
  it('MD-02 take only edges of the charts, and take every one of them', async () => {
    const taken = new Set((await collectTakers()).map(({ hop }) => nameHop(hop)))
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
    expect(await survivors(retargetedEdges(flows, alternatives))).toEqual([])
  })

  it('MD-02 fail if any step is removed or reports a wrong event', async () => {
    expect(await survivors(brokenSteps(flows))).toEqual([])
  })
})
