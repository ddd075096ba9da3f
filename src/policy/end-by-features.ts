import { createSiteTools } from '../flows/engine/site-tools.ts'
import type { World } from '../flows/engine/world.ts'
import type { Feature } from '../types/feature.ts'
import type { Scope } from './end-sessions.ts'

/** Returns a function that ends the data of one class that the features of a site store. */
export function endByFeatures(ended: keyof NonNullable<Feature['ends']>) {
  return async (userId: string, _scope: Scope, world: World): Promise<void> => {
    for (const feature of world.settings.features)
      await feature.ends?.[ended]?.(userId, createSiteTools({ feature, world }, {}))
  }
}
