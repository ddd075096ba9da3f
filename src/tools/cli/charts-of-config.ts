import { settingsOf } from '../../config/derive-settings.ts'
import type { AnyChart } from '../../../machines/chart.ts'
import { addGates } from '../../extend/gates.ts'
import * as all from '../../flows/all-flows.ts'
import type { Flow } from '../../flows/engine/flow.ts'
import type { AuthConfig } from '../../types/config.ts'
import type { FeatureFlow } from '../../types/feature.ts'
import { drawable } from '../diagrams/drawable.ts'

/** Returns the charts that run with a configuration, by name: with the gates of its features, and their own flows. */
export async function chartsOfConfig(config: AuthConfig): Promise<ReadonlyMap<string, AnyChart>> {
  const quiet = { error() {}, warn() {}, debug() {} }
  const { features } = settingsOf({ ...config, logger: quiet })
  const chartOf = (flow: Flow) => addGates(flow, { features }).chart
  const routes = features.flatMap((feature) => Object.values(feature.routes ?? {}))
  const own = await Promise.all(routes.map(async (route) => route.flow()))
  const charts = [
    ...Object.values<Flow>(all).map(chartOf),
    ...own.map((flow) => (isFlow(flow) ? chartOf(flow) : flow.chart)),
  ]
  return new Map([...drawable, ...charts.map((chart): [string, AnyChart] => [chart.id, chart])])
}

function isFlow(flow: FeatureFlow): flow is Flow {
  return 'continues' in flow
}
