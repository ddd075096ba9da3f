import type { Arrival } from '../../flows/engine/facts.ts'
import type { FactorDecision, FactorGate, World } from '../../flows/engine/world.ts'
import { idOf } from '../../flows/shared/hold-sign-in.ts'
import type { Visit } from '../../http/visit.ts'
import { enteredFactor } from '../../session/held-sign-in.ts'
import type { Stamp } from '../../session/stamp.ts'
import { isProven } from '../../session/stored.ts'
import { readFactor } from './factor-record.ts'
import { endHeldSignIns, isAwaited, renewBinding } from './held-sign-ins.ts'
import { deviceCookie } from './remembered-device.ts'
import type { FactorRecord } from './types.ts'

export { removal } from './remove.ts'

/** The gate of every sign-in, for users who have a second factor. */
export const factorGate: FactorGate = {
  check,
  read: readFactor,
  endHeld: endHeldSignIns,
  endBound: renewBinding,
}

async function check(facts: Arrival, world: World): Promise<FactorDecision> {
  const { visit, stamp, passed } = facts
  const stored = await readFactor(idOf(facts), world)
  const entered = enteredFactor(passed)
  if (entered) {
    // Only the second factor of this user has this binding.
    const isSame = stored && isAwaited(entered.binding, passed?.provenAt ?? 0, stored.record)
    return isSame ? 'pass' : { refuse: changed }
  }
  if (!stored) return 'pass'
  // A remembered browser proves nothing about the person, so it changes nothing: it only signs in.
  const isExempt = !changesAccount(facts) && (await isRemembered(stored.record, stamp, visit, world))
  return isExempt ? 'pass' : { hold: stored.record.binding }
}

const changed = 'The second factor or the owner of the identity was changed in the meantime'

/** Returns whether this browser was remembered for the user, and no change to the account has ended that. */
async function isRemembered(
  { userId, binding }: FactorRecord,
  stamp: Stamp | undefined,
  visit: Visit,
  world: World,
): Promise<boolean> {
  const bound = { userId: String(userId), binding, stamp: stamp?.value ?? undefined }
  return (await deviceCookie.open(visit, bound, world)) !== undefined
}

/** Returns whether the sign-in links an account, proves an address for the first time, or sets a password. */
function changesAccount({ account, member, linking, passwordProvider, linkToken }: Arrival): boolean {
  if (linking || (passwordProvider && linkToken !== undefined)) return true
  return account.type === 'email' && member !== undefined && !isProven(member)
}
