import { renewBinding } from '../../second-factor/renew-binding.ts'
import type { World } from '../engine/world.ts'
import { vaultOf } from './vault.ts'

/** Ends pending sign-ins and remembered devices of a user, if the configuration has a second factor. */
export async function endDevices(userId: string, world: World): Promise<void> {
  if (world.settings.secondFactor) await renewBinding(userId, vaultOf(world))
}
