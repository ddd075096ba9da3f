import { flowsOf } from 'authmachine/instrumented'
import type { Feature, FeatureFlow } from 'authmachine/extend'
import type { Gates } from '../world/browser.ts'
import ours from './ours.ts'
import type { LibraryTarget } from './target.ts'

/** What {@link withFeatures} needs. */
export interface FeatureTargetOptions {
  /** The name of the target in reports. */
  readonly name: string
  readonly features: readonly Feature[]
  /** How a person answers the gates of the features, by route. */
  readonly gates?: Gates
}

/**
 * Returns a target that tests this library with features in every application; those that need an adapter, in every
 * application that has one. Each property that signs in passes their gates, so the features are attacked, too.
 *
 * @example
 * export default withFeatures({
 *   name: 'terms',
 *   features: [terms({ version: '2026-11', url: '/terms' })],
 *   gates: { terms: () => ({ accept: 'yes' }) },
 * })
 */
export function withFeatures({ name, features, gates = {} }: FeatureTargetOptions): LibraryTarget {
  const { open, operate, capabilities, turnOn: { gate: _, ...turnOn } = {} } = ours
  const withoutNeeds = features.filter(({ needs = [] }) => needs.length === 0)
  const isGated = Object.keys(gates).length > 0
  /** The configuration of each application with the features, so that its handler and its operations share one. */
  const completed = new WeakMap<object, Record<string, unknown>>()
  const complete = (config: Record<string, unknown>) => {
    const has = (operation: string) => Object.hasOwn(Object(config.adapter), operation)
    const fitting = features.filter(({ needs = [] }) => needs.every(has))
    const made = completed.get(config) ?? { ...config, features: fitting }
    completed.set(config, made)
    return made
  }
  return {
    ...ours,
    name,
    capabilities: capabilities.filter((each) => each !== 'gate' || isGated),
    lacks: ['sample-gate'],
    // Without a function, a capability is always on.
    turnOn,
    open: (config) => open(complete(config)),
    operate: (config) => operate?.(complete(config)) ?? {},
    gates,
    charts: async () => [
      ...[...flowsOf(features), ...flowsOf(withoutNeeds)].map(({ chart }) => chart),
      ...(await loadFlows(features)).map(({ chart }) => chart),
    ],
  }
}

function loadFlows(features: readonly Feature[]): Promise<readonly FeatureFlow[]> {
  const routes = features.flatMap((feature) => Object.values(feature.routes ?? {}))
  return Promise.all(routes.map(async (route) => route.flow()))
}
