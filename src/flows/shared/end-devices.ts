import { once } from '../../async/once.ts'
import type { World } from '../engine/world.ts'
import { vaultOf } from './vault.ts'

const loadRenewal = once(() => import('../../second-factor/renew-binding.ts'))

/** Ends pending sign-ins and remembered devices of a user, if the configuration has a second factor. */
export async function endDevices(userId: string, world: World): Promise<void> {
  if (!world.settings.secondFactor) return
  await (await loadRenewal()).renewBinding(userId, vaultOf(world))
}
