import { describe, expect, it } from 'vitest'
import { flows } from '../../src/handler/flows.ts'
import { placesOf } from '../../fuzz/charts/chart-walk.ts'
import { brokenSteps, retargetedEdges, type ChartMutant } from '../mutants/chart-mutants.ts'
import { perform, tell } from './perform.ts'
import { equivalent, unreachable } from './unreachable.ts'

/** Each edge is led to the state that is most alike; `EDGES=all` leads it to every other. */
const alternatives = process.env.EDGES === 'all' ? Number.POSITIVE_INFINITY : 1
const told = await tell()

/** The first story that turns red on a mutant. Those that go another way by it are told first. */
async function kill(mutant: ChartMutant): Promise<string | undefined> {
  const touched = told.filter(({ hops }) => hops.some(mutant.touches))
  const diverted = touched.filter(({ hops }) => hops.some(mutant.diverts))
  for (const { scenario } of new Set([...diverted, ...touched]))
    if ((await perform(scenario, mutant.flows)).failed) return scenario.name
  return undefined
}

async function survivors(mutants: readonly ChartMutant[]): Promise<string[]> {
  const alive: string[] = []
  for (const mutant of mutants) if (!(mutant.id in equivalent) && !(await kill(mutant))) alive.push(mutant.id)
  process.stdout.write(`  ${mutants.length} mutants, ${alive.length} survive\n`)
  return alive
}

describe('the stories', () => {
  it('MD-02 take only edges that are drawn, and every one of them', () => {
    const taken = new Set(
      told.flatMap(({ hops }) => hops.map(({ flow, state, event }) => `${flow}: ${state} -(${event})->`)),
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

  it('MD-02 turn red when any one edge leads elsewhere', async () => {
    const reachable = retargetedEdges(flows, alternatives).filter(({ touches }) =>
      told.some(({ hops }) => hops.some(touches)),
    )
    expect(await survivors(reachable)).toEqual([])
  }, 300_000)

  it('MD-02 turn red when any one step is taken out, or lies', async () => {
    const reachable = brokenSteps(flows).filter(({ touches }) => told.some(({ hops }) => hops.some(touches)))
    expect(await survivors(reachable)).toEqual([])
  }, 300_000)
})
