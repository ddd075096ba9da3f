import { step } from '../flows/engine/step.ts'
import type { World } from '../flows/engine/world.ts'
import type { AccountChange } from '../types/account-notice.ts'
import { kept, type KeptClass } from './kept.ts'
import { renewStamp } from './renew-stamp.ts'
import type { Scope } from './scope.ts'
import { ruleOf } from './table.ts'

/**
 * Ends what a change ends, after the change was made. What is pending or trusted ends together, with the stamp of the
 * account.
 *
 * @param spared the session of this browser, which stays if the row ends the other ones, or if there may be one to spare
 */
export async function endKept(
  change: AccountChange,
  userId: string,
  world: World,
  spared?: Omit<Scope, 'sessions'>,
): Promise<void> {
  const { ends } = ruleOf(change)
  if (ends.includes('trust') || ends.includes('pending')) await renewStamp(userId, world)
  const scope = { ...spared, sessions: spared ? 'others' : 'all' } as const
  const endsSessions = ends.includes('all sessions') || ends.includes('other sessions')
  if (endsSessions) await endClass('session', userId, scope, world)
  if (!ends.includes('unproven credentials')) return
  // A request that adds a passkey looks up its session again after it has stored the passkey, and one that signs in with
  // a passkey looks up the passkey again after it has stored the session. So sessions end before the passkeys that they
  // could add, and again after the passkeys that could open them.
  await endClass('credential', userId, scope, world)
  await endClass('session', userId, scope, world)
}

/** The step that ends what a change of the signed-in user ends. The session of this browser stays. */
export function endOthers(change: AccountChange) {
  const ending = step({
    needs: ['currentUser', 'heldCookie'],
    may: ['token'],
    says: { 'sessions.ended': [] },
    async run({ currentUser, heldCookie, token }, world) {
      await endKept(change, currentUser.id, world, { heldCookie, token })
      return { type: 'sessions.ended' }
    },
  })
  return { ...ending, change }
}

/** The step that ends what a change ends whose user has no session yet. */
export function endAll(change: AccountChange) {
  const ending = step({
    needs: ['member'],
    says: { 'sessions.ended': [] },
    async run({ member }, world) {
      await endKept(change, member.id, world)
      return { type: 'sessions.ended' }
    },
  })
  return { ...ending, change }
}

async function endClass(ended: KeptClass, userId: string, scope: Scope, world: World): Promise<void> {
  for (const each of kept)
    if (each.class === ended && typeof each.ends === 'object')
      await (
        await each.ends.load()
      )(userId, scope, world)
}
