import { step } from '../flows/engine/step.ts'
import type { World } from '../flows/engine/world.ts'
import type { AccountChange } from '../types/account-notice.ts'
import { kept, type KeptClass } from './kept.ts'
import { renewStamp } from './renew-stamp.ts'
import type { Scope } from './end-sessions.ts'
import type { Stamp } from '../session/stamp.ts'
import { ruleOf } from './table.ts'

/** The session of this browser, and the link to a new address that makes the change. They do not end. */
type Spared = Omit<Scope, 'sessions'> & { readonly linkToken?: string }

/**
 * Ends the sessions, the trust, the pending operations and the unproven credentials that the row of a change names. Call it
 * before the change is stored, so that a fault never leaves a stored change that has ended nothing, and again afterwards,
 * for sign-ins that ran at the same time. Trust and pending operations end together, with the stamp of the account.
 *
 * @param spared the session of this browser, if it stays. An empty object spares none, for a caller that has no browser
 * @param held the stamp that this run read before it checked a credential
 * @returns the stamp by which this run may open a session
 */
export async function endKept(
  change: AccountChange,
  userId: string,
  world: World,
  spared?: Spared,
  held?: Stamp,
): Promise<Stamp | undefined> {
  const { ends } = ruleOf(change)
  const isRenewed = ends.includes('trust') || ends.includes('pending')
  const stamp = isRenewed ? await renewStamp(change, userId, world, held, spared?.linkToken) : held
  const scope = { ...spared, sessions: spared ? 'others' : 'all' } as const
  const endsSessions = ends.includes('all sessions') || ends.includes('other sessions')
  if (endsSessions) await endClass('session', userId, scope, world)
  if (ends.includes('unproven credentials')) await endUnproven(userId, scope, world)
  // The stamp is newer than the revocation, so that the token that this run issues stays valid.
  return stamp && { ...stamp, at: world.platform.now() }
}

async function endUnproven(userId: string, scope: Scope, world: World): Promise<void> {
  // A request that adds a passkey looks up its session again after it has stored the passkey, and one that signs in with
  // a passkey looks up the passkey again after it has stored the session. So sessions end before the passkeys that they
  // could add, and again after the passkeys that could open them.
  await endClass('credential', userId, scope, world)
  await endClass('session', userId, scope, world)
}

/** Creates the step that ends the classes of a change by the signed-in user. The session of this browser stays. */
export function endOthers(change: AccountChange) {
  const ending = step({
    needs: ['currentUser', 'heldCookie'],
    may: ['token'],
    says: { 'sessions.ended': ['stamp'] },
    async run({ currentUser, heldCookie, token }, world) {
      const stamp = await endKept(change, currentUser.id, world, { heldCookie, token })
      return { type: 'sessions.ended', stamp }
    },
  })
  return { ...ending, change }
}

/** Creates the step that ends the classes of a change whose user has no session yet. */
export function endAll(change: AccountChange) {
  const ending = step({
    needs: ['member'],
    may: ['stamp'],
    says: { 'sessions.ended': ['stamp'] },
    async run({ member, stamp: held }, world) {
      const stamp = await endKept(change, member.id, world, undefined, held)
      return { type: 'sessions.ended', stamp }
    },
  })
  return { ...ending, change }
}

async function endClass(ended: KeptClass, userId: string, scope: Scope, world: World): Promise<void> {
  for (const each of kept)
    if (each.class === ended && typeof each.ends === 'function') await each.ends(userId, scope, world)
}
