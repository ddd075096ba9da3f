import type { Hop } from '../../src/flows/engine/run.ts'
import { flows } from '../../src/instrumented.ts'
import { openApp, type App } from '../support/app.ts'
import type { RecordedRun } from '../support/journeys/check.ts'
import { recordRuns } from '../support/journeys/record.ts'
import type { Scenario } from './scenario.ts'

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

/** A scenario with the hops that it takes on the library's flows, what its browsers do, and its duration. */
export interface ScenarioRun {
  readonly scenario: Scenario
  readonly hops: readonly Hop[]
  readonly browsers: readonly RecordedRun[]
  readonly milliseconds: number
}

/** Runs a scenario on the library's flows. @throws {Error} if it fails */
export async function recordScenario(scenario: Scenario): Promise<ScenarioRun> {
  const apps: App[] = []
  const open: typeof openApp = (options) => {
    const app = openApp(options)
    apps.push(app)
    return app
  }
  const startedAt = performance.now()
  const browsers = await recordRuns(scenario.name, () => scenario.run({ open }))
  const milliseconds = performance.now() - startedAt
  return { scenario, hops: apps.flatMap(({ hops }) => hops), browsers, milliseconds }
}
