import type { World } from '../flows/engine/world.ts'
import { vaultOf } from '../flows/shared/vault.ts'
import type { Visit } from '../http/visit.ts'
import { endHeldSignIns } from '../second-factor/held-sign-ins.ts'
import { pendingCookie } from '../second-factor/pending-sign-in.ts'

/** Ends the sign-in of this browser that waits for the second factor, and every copy of its cookie. */
export async function endHeldOf(visit: Visit, world: World): Promise<void> {
  const pending = await pendingCookie.peek(visit, world)
  world.out.setCookies(pendingCookie.remove(visit))
  if (pending) await endHeld(pending.userId, world)
}

/** Ends the sign-ins of a user that wait for the second factor. */
export async function endHeld(userId: string, world: World): Promise<void> {
  if (world.settings.secondFactor) await endHeldSignIns(userId, vaultOf(world))
}
