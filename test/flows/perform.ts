import type { Hop } from '../../src/flows/run.ts'
import { flows } from '../../src/handler/flows.ts'
import { openApp, type App } from '../support/app.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'

/** Milliseconds after which a story on a broken flow has failed: it waits for what never comes. */
const patience = 5000

/** Runs a story on some flows; answers the hops it took, and whether it failed. */
export async function perform(
  { run }: Scenario,
  driven = flows,
  limit = patience,
): Promise<{ readonly hops: Hop[]; readonly failed: boolean }> {
  const apps: App[] = []
  const open: typeof openApp = (options) => {
    const app = openApp({ ...options, flows: driven })
    apps.push(app)
    return app
  }
  const waited = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), limit).unref())
  const told = run({ open }).then(
    () => false,
    () => true,
  )
  const failed = await Promise.race([told, waited])
  return { hops: apps.flatMap(({ hops }) => hops), failed }
}

/** A story, and the hops it takes on unbroken flows. */
export interface Told {
  readonly scenario: Scenario
  readonly hops: readonly Hop[]
}

/** Tells every story once. @throws when one fails on unbroken flows */
export async function tell(): Promise<Told[]> {
  const told: Told[] = []
  for (const scenario of scenarios) {
    const { hops, failed } = await perform(scenario, flows, 60_000)
    if (failed) throw new Error(`the story fails on unbroken flows: ${scenario.name}`)
    told.push({ scenario, hops })
  }
  return told
}
