import type { Vault } from '../../second-factor/factor-record.ts'
import { demandStore, type World } from '../engine/world.ts'

/** Returns the store and the keys of second factors. */
export function vaultOf(world: World): Vault {
  return { store: demandStore(world), keys: world.keys, platform: world.platform }
}
