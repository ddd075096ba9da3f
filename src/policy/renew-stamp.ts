import { endDevices } from '../flows/shared/end-devices.ts'
import type { World } from '../flows/engine/world.ts'

/** Ends everything that is bound to the stamp of an account: what is pending, and what is trusted. */
export async function renewStamp(userId: string, world: World): Promise<void> {
  await endDevices(userId, world)
}
