import { settingsOf } from '../config/derive-settings.ts'
import { copyOfError } from '../copies/copy-handed-out.ts'
import { withDeadline } from '../flows/engine/deadline.ts'
import { createSiteTools } from '../flows/engine/site-tools.ts'
import type { AuthConfig } from '../types/config.ts'
import type { Feature, SiteTools } from '../types/feature.ts'
import { createWorld } from './run-flow.ts'

/** A method whose types the caller has checked. */
type Method = (tools: SiteTools, ...args: readonly unknown[]) => unknown

/** Calls a method of a feature, outside of any request. */
export async function callMethod(
  config: AuthConfig,
  feature: Feature<object>,
  name: string,
  args: readonly unknown[],
): Promise<unknown> {
  const settings = settingsOf(config)
  if (settings.fault) throw copyOfError(settings.fault)
  const found = settings.features.find((each) => each === feature)
  if (!found)
    throw new TypeError(`The feature "${feature.name}" is not in \`features\` of this configuration`)
  const { [name]: method } = (found.methods ?? {}) as Readonly<Record<string, Method>>
  if (!method) throw new TypeError(`The feature "${feature.name}" has no method "${name}"`)
  const tools = createSiteTools({ feature: found, world: createWorld(settings) }, {})
  const called = async () => method(tools, ...args)
  return withDeadline(called(), `The method "${name}" of the feature "${feature.name}"`, settings.platform)
}
