import type { Hop } from '../../src/flows/engine/run.ts'
import { flows } from '../../src/instrumented.ts'
import { openApp, type App } from '../support/app.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'

/**
 * Runs a scenario on some flows.
 *
 * @param limit milliseconds after which the scenario counts as failed, since it may wait forever on a mutated flow
 * @returns the hops it took, and whether it failed
 */
export async function runScenario(
  { run }: Scenario,
  driven = flows,
  limit = 5000,
): Promise<{ readonly hops: Hop[]; readonly failed: boolean }> {
  const apps: App[] = []
  const open: typeof openApp = (options) => {
    const app = openApp({ ...options, flows: driven })
    apps.push(app)
    return app
  }
  const waited = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), limit).unref())
  const ended = run({ open }).then(
    () => false,
    () => true,
  )
  const failed = await Promise.race([ended, waited])
  return { hops: apps.flatMap(({ hops }) => hops), failed }
}

/** A scenario with the hops that it takes on the library's flows, and its duration. */
export interface ScenarioRun {
  readonly scenario: Scenario
  readonly hops: readonly Hop[]
  readonly milliseconds: number
}

/** Runs every scenario once on the library's flows. @throws Error when one fails */
export async function runScenarios(): Promise<ScenarioRun[]> {
  const runs: ScenarioRun[] = []
  for (const scenario of scenarios) {
    const startedAt = performance.now()
    const { hops, failed } = await runScenario(scenario, flows, 60_000)
    if (failed) throw new Error(`the scenario fails on the library's own flows: ${scenario.name}`)
    runs.push({ scenario, hops, milliseconds: performance.now() - startedAt })
  }
  return runs
}
