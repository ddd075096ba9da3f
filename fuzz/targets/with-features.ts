import { flowsOf } from 'authmachine/instrumented'
import type { Feature } from 'authmachine/extend'
import type { Chart } from 'authmachine/machines'
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
  const isGated = Object.keys(gates).length > 0
  const completed = new WeakMap<object, Completed>()
  /** Adds the features once, so that the handler of an application and its operations share one configuration. */
  const complete = (config: Record<string, unknown>) => {
    const made = completed.get(config) ?? { ...config, features: features.filter(fits(config)) }
    completed.set(config, made)
    return made
  }
  const drawn = new Map<string, Promise<readonly Chart[]>>()
  /** Returns the same list for the same features, because the edges of a list are computed once. */
  const listCharts = (fitting: readonly Feature[]) => {
    const names = JSON.stringify(fitting.map((feature) => feature.name))
    const known = drawn.get(names) ?? drawCharts(fitting)
    drawn.set(names, known)
    return known
  }
  return {
    ...ours,
    name,
    capabilities: capabilities.filter((each) => each !== 'gate' || isGated),
    // The features are there in every application, so no property chooses the gate.
    lacks: ['sample-gate'],
    turnOn,
    open: (config) => open(complete(config)),
    operate: (config) => operate?.(complete(config)) ?? {},
    gates,
    charts: (config) => listCharts(complete(config).features),
  }
}

type Completed = Record<string, unknown> & { readonly features: readonly Feature[] }

/** Returns whether the adapter of a configuration has what a feature needs. */
function fits({ adapter }: Record<string, unknown>): (feature: Feature) => boolean {
  return ({ needs = [] }) => needs.every((operation) => Object.hasOwn(Object(adapter), operation))
}

async function drawCharts(features: readonly Feature[]): Promise<readonly Chart[]> {
  const routes = features.flatMap((feature) => Object.values(feature.routes ?? {}))
  const own = await Promise.all(routes.map(async (route) => route.flow()))
  return [...flowsOf(features), ...own].map(({ chart }) => chart)
}
