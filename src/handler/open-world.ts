import type { Settings } from '../config/settings.ts'
import type { World } from '../flows/engine/world.ts'
import { loadFeatures, loadOptional } from '../flows/flows.ts'
import { createWorld } from './run-flow.ts'

const loadFactor = async () => (await loadOptional()).loadFactor()

/**
 * Creates the world of a run that may sign a user in or change an account. The entry point for middleware only reads
 * sessions, and must not contain the second factor.
 */
export function openWorld(settings: Settings): World {
  return { ...createWorld(settings), loadFactor, loadFeatures: () => loadFeatures(settings) }
}
