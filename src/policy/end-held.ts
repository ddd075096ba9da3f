import type { World } from '../flows/engine/world.ts'
import { vaultOf } from '../flows/shared/vault.ts'
import type { Visit } from '../http/visit.ts'
import { endHeldSignIns } from '../second-factor/held-sign-ins.ts'
import { pendingCookie } from '../second-factor/pending-sign-in.ts'
import { heldCookie } from '../session/held-by-gate.ts'
import { endHeldByGates } from './held-by-gates.ts'

/**
 * Ends the sign-in of this browser that waits for the second factor, and the one that a gate holds, with every copy of
 * their cookies.
 */
export async function endHeldOf(visit: Visit, world: World): Promise<void> {
  const pending = await pendingCookie.peek(visit, world)
  const held = await heldCookie.peek(visit, world)
  world.out.setCookies([...pendingCookie.remove(visit), ...heldCookie.remove(visit)])
  const ids = new Set([pending?.userId, held?.passed.userId])
  for (const id of ids) if (id !== undefined) await endHeld(id, world)
}

/** Ends the sign-ins of a user that wait for the second factor or that a gate holds. */
export async function endHeld(userId: string, world: World): Promise<void> {
  if (world.settings.secondFactor) await endHeldSignIns(userId, vaultOf(world))
  await endHeldByGates(userId, world)
}
