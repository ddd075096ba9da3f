import type { AccountChange } from '../types/account-notice.ts'
import { isSameId } from '../session/stored.ts'
import { readStamp, renewRecord } from './stamp.ts'
import type { Stamp } from '../session/stamp.ts'
import { factorOf, type World } from '../flows/engine/world.ts'

/** Changes that remove or replace the binding of the second factor, which ends everything that is bound to it. */
const unbinding: readonly AccountChange[] = ['enrol-factor', 'remove-factor', 'application-removes-factor']

/**
 * Ends everything that is bound to the stamp of an account: pending and trusted things. Without records, only
 * a new password changes the stamp, and a new binding ends remembered devices and sign-ins that wait for the second factor.
 *
 * @param held the stamp that this run read before it checked a credential
 * @param linkToken a link to a new address that stays valid, because it makes the change
 * @returns the new stamp, or `held` if another request has renewed it in the meantime: this run then opens no session
 */
export async function renewStamp(
  change: AccountChange,
  userId: string,
  world: World,
  held?: Stamp,
  linkToken?: string,
): Promise<Stamp | undefined> {
  const renewed = await renewRecord(userId, world, linkToken)
  if (!renewed) {
    if (!unbinding.includes(change)) await (await factorOf(world))?.endBound(userId, world)
    return readStamp({ id: userId }, world)
  }
  const expected = isSameId(held?.userId, userId) ? held?.value : null
  if (held && expected !== renewed.before) return held
  return { userId, value: renewed.after, at: world.platform.now() }
}
