import type { AnyFeature } from '../types/feature.ts'

/** Returns the feature that has a route for the action, or undefined. */
export function findFeature(features: readonly AnyFeature[], action: string): AnyFeature | undefined {
  return features.find(({ routes = {} }) => Object.hasOwn(routes, action))
}
