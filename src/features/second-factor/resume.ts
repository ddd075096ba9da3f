import { AccessDenied } from '../../errors/classes.ts'
import { tell } from '../../policy/tell.ts'
import { readUser } from '../../session/stored.ts'
import { type Given, step } from '../../flows/engine/step.ts'
import { requireStore, type World } from '../../flows/engine/world.ts'

/** Returns to the held sign-in, which the handler continues, or to the session. */
export const resume = step({
  needs: ['visit', 'factor', 'nextFactor'],
  may: ['heldSignIn', 'currentUser', 'heldCookie'],
  says: { 'sign-in.held': ['heldSignIn'], 'session.held': ['currentUser', 'heldCookie'] },
  async run({ heldSignIn, currentUser, heldCookie, ...used }, world) {
    await tellRecovery(heldSignIn?.passed.userId ?? currentUser?.id, used, world)
    if (heldSignIn) return { type: 'sign-in.held', heldSignIn }
    if (!currentUser || heldCookie === undefined)
      throw new AccessDenied('There is neither a sign-in nor a session')
    return { type: 'session.held', currentUser, heldCookie }
  },
})

/** Tells the user if a recovery code was used: anyone who has the list of codes needs no device. */
async function tellRecovery(
  userId: string | undefined,
  { visit, factor, nextFactor }: Given<'visit' | 'factor' | 'nextFactor', never>,
  world: World,
): Promise<void> {
  if (nextFactor.recovery.length === factor.record.recovery.length) return
  const user = readUser(await requireStore(world).getUser(userId ?? ''), 'getUser')
  if (!user) return
  const message = { user, change: 'code-used' } as const
  tell('use-recovery-code', { event: 'updateSecondFactor', message }, { user, visit }, world.out)
}
