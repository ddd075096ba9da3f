import { once } from '../../once.ts'
import { demandStore, type World } from '../engine/world.ts'

const loadRenewal = once(() => import('../../second-factor/renew-binding.ts'))

/** Ends pending sign-ins and remembered devices of a user, if the configuration has a second factor. */
export async function endDevices(userId: string, world: World): Promise<void> {
  const { settings, keys } = world
  if (!settings.secondFactor) return
  await (await loadRenewal()).renewBinding(userId, { store: demandStore(world), keys, settings })
}
