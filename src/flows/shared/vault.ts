import type { Vault } from '../../second-factor/factor-record.ts'
import { demandStore, type World } from '../engine/world.ts'

/** Returns what reads and writes second factors. */
export function vaultOf(world: World): Vault {
  return { store: demandStore(world), keys: world.keys, settings: world.settings }
}
