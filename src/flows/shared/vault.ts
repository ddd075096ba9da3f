import type { Vault } from '../../second-factor/factor-record.ts'
import { requireStore, type World } from '../engine/world.ts'

/** Returns the store and the keys of second factors. */
export function vaultOf(world: World): Vault {
  return { store: requireStore(world), keys: world.keys, platform: world.platform }
}
