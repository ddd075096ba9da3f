import { AccessDenied } from '../../errors/classes.ts'
import { tell } from '../../policy/tell.ts'
import { readFactor } from '../../second-factor/factor-record.ts'
import { isHeld } from '../../second-factor/held-sign-ins.ts'
import { vaultOf } from '../shared/vault.ts'
import { pendingCookie, type PendingSignIn } from '../../second-factor/pending-sign-in.ts'
import { addSecondFactor, describeFirstFactor } from '../../session/authentication.ts'
import { requireCurrentUser } from '../../session/stored.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import { type Given, step } from '../engine/step.ts'
import { requireStore, type World } from '../engine/world.ts'

const factsOfUser = ['candidate', 'member', 'account', 'authentication'] as const
const factsOfIdentity = [...factsOfUser, 'provider', 'profile', 'grant'] as const

/** Returns to the sign-in, with the facts that it had before the second factor, or to the session. */
export const resume = step({
  needs: ['visit', 'factorMethod'],
  may: ['pending', 'currentUser', 'heldCookie', 'factor', 'nextFactor', 'passed'],
  says: {
    'identity.resumed': factsOfIdentity,
    'user.resumed': factsOfUser,
    'proof.resumed': factsOfUser,
    'link.resumed': [...factsOfIdentity, 'heldLink'],
    'vouched-link.resumed': [...factsOfIdentity, 'heldLink'],
    'reset.resumed': ['pending'],
    'session.held': ['currentUser', 'heldCookie'],
  },
  async run(facts, world) {
    const { pending, currentUser, heldCookie } = facts
    if (currentUser && heldCookie !== undefined) {
      tellRecovery(currentUser, facts, world)
      return { type: 'session.held', currentUser, heldCookie }
    }
    if (!pending) throw new AccessDenied('There is neither a sign-in nor a session')
    // A gate has held the sign-in since the code was used.
    const factor = facts.factor ?? (await readFactor(pending.userId, vaultOf(world)))
    if (!factor || !isHeld(pending, factor.record))
      throw new AccessDenied('The second factor was changed in the meantime')
    const member = requireCurrentUser(await requireStore(world).getUser(pending.userId), 'getUser')
    tellRecovery(member, facts, world)
    return continueSignIn(pending, member, facts, world)
  },
})

function continueSignIn(
  pending: PendingSignIn,
  member: AdapterUser,
  { factorMethod, passed }: Given<'factorMethod', 'passed'>,
  { settings, platform }: World,
) {
  const { account, profile, claims, rest } = pending
  if (rest?.kind === 'reset')
    return {
      type: 'reset.resumed',
      pending: { ...pending, rest: { ...rest, method: factorMethod } },
    } as const
  const now = passed?.provenAt ?? platform.now()
  const first = pending.first ?? describeFirstFactor(account, now, settings)
  const authentication = addSecondFactor(first, factorMethod, now)
  const resumed = { candidate: member, member, account, authentication }
  if (rest?.kind === 'proof') return { type: 'proof.resumed', ...resumed } as const
  const provider = settings.providers.get(account.provider)
  if (!provider) throw new AccessDenied('The provider of the sign-in is no longer configured')
  if (provider.kind !== 'oauth' || !profile) return { type: 'user.resumed', ...resumed } as const
  const identity = { ...resumed, provider, profile, grant: { tokens: {}, claims } }
  if (rest?.kind !== 'link') return { type: 'identity.resumed', ...identity } as const
  const type = rest.isVouched ? 'vouched-link.resumed' : 'link.resumed'
  return { type, ...identity, heldLink: rest } as const
}

/** Tells the user if a recovery code was used: anyone who has the list of codes needs no device. */
function tellRecovery(
  user: AdapterUser,
  { visit, factor, nextFactor }: Given<'visit', 'factor' | 'nextFactor'>,
  { out }: World,
): void {
  if (nextFactor?.recovery.length === factor?.record.recovery.length) return
  const message = { user, change: 'code-used' } as const
  tell('use-recovery-code', { event: 'updateSecondFactor', message }, { user, visit }, out)
}

/** Notes in the cookie that the second factor was accepted for the link, so that its form is shown. */
export const notePassed = step({
  needs: ['visit', 'pending'],
  says: { 'factor.noted': [] },
  async run({ visit, pending }, world) {
    world.out.setCookies(await pendingCookie.write(pending, visit, world))
    return { type: 'factor.noted' }
  },
})
