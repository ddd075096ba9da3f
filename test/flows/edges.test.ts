import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Hop } from '../../src/flows/run.ts'
import { flows } from '../../src/handler/create-handler.ts'
import { openApp, type App } from '../support/app.ts'
import { placesOf } from '../support/chart-walk.ts'
import { brokenSteps, retargetedEdges, type ChartMutant } from './chart-mutants.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'
import { equivalent, unreachable } from './unreachable.ts'

/** Runs a story on some flows; answers the hops it took, or what made it fail. */
async function perform({ run }: Scenario, driven = flows): Promise<{ readonly hops: Hop[]; readonly failed: boolean }> {
  const apps: App[] = []
  const open: typeof openApp = (options) => {
    const app = openApp({ ...options, flows: driven })
    apps.push(app)
    return app
  }
  const failed = await run({ open }).then(
    () => false,
    () => true,
  )
  return { hops: apps.flatMap(({ hops }) => hops), failed }
}

const told = await Promise.all(
  scenarios.map(async (scenario) => ({ scenario, ...(await perform(scenario)) })),
)

/** The first story that turns red on a mutant. */
async function kill(mutant: ChartMutant): Promise<string | undefined> {
  for (const { scenario, hops } of told)
    if (hops.some(mutant.touches) && (await perform(scenario, mutant.flows)).failed) return scenario.name
  return undefined
}

async function findKill(scenario: Scenario, mutants: readonly ChartMutant[]): Promise<ChartMutant | undefined> {
  for (const mutant of mutants) if ((await perform(scenario, mutant.flows)).failed) return mutant
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
    const taken = new Set(told.flatMap(({ hops }) => hops.map(({ flow, state, event }) => `${flow}: ${state} -(${event})->`)))
    const drawn = Object.values(flows).flatMap((flow) =>
      [...placesOf(flow.chart).values()].flatMap(({ name, state }) =>
        'invoke' in state
          ? Object.keys(flow.steps[state.invoke.src]?.says ?? {}).map((event) => `${flow.id}: ${name} -(${event})->`)
          : [],
      ),
    )
    const faults = [...taken].filter((edge) => edge.endsWith('-(fault)->'))
    for (const id of Object.keys(flows)) expect(faults.some((edge) => edge.startsWith(`${id}:`)), id).toBe(true)
    expect([...taken].filter((edge) => !drawn.includes(edge) && !faults.includes(edge))).toEqual([])
    expect(drawn.filter((edge) => !taken.has(edge)).toSorted()).toEqual(Object.keys(unreachable).toSorted())
  })

  it('MD-02 turn red when any one edge leads elsewhere', async () => {
    const reachable = retargetedEdges(flows).filter(({ touches }) => told.some(({ hops }) => hops.some(touches)))
    expect(await survivors(reachable)).toEqual([])
  }, 300_000)

  it('MD-02 each story is turned red by some broken flow that it goes through', async () => {
    const mutants = [...brokenSteps(flows).toReversed(), ...retargetedEdges(flows)]
    const killed: Record<string, string> = {}
    const never: string[] = []
    for (const { scenario, hops } of told) {
      if (hops.length === 0) continue
      const red = await findKill(scenario, mutants.filter(({ touches }) => hops.some(touches)))
      if (red) killed[scenario.name] = red.id
      else never.push(scenario.name)
    }
    if (process.env.STORIES) writeFileSync(process.env.STORIES, JSON.stringify(killed))
    expect(never).toEqual([])
  }, 300_000)

  it('MD-02 turn red when any one step is taken out, or lies', async () => {
    const reachable = brokenSteps(flows).filter(({ touches }) => told.some(({ hops }) => hops.some(touches)))
    expect(await survivors(reachable)).toEqual([])
  }, 300_000)
})
