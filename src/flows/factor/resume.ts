import { AccessDenied } from '../../errors.ts'
import { addSecondFactor, describeFirstFactor } from '../../session/authentication.ts'
import { demandUser } from '../../session/stored.ts'
import { step } from '../engine/step.ts'
import { demandStore } from '../engine/world.ts'

/** Returns to the sign-in, with the facts that it had before the second factor, or to the session. */
export const resume = step({
  needs: ['factorMethod'],
  may: ['pending', 'currentUser', 'heldCookie'],
  says: {
    'identity.resumed': ['candidate', 'member', 'account', 'authentication', 'provider', 'profile', 'grant'],
    'user.resumed': ['candidate', 'member', 'account', 'authentication'],
    'session.held': ['currentUser', 'heldCookie'],
  },
  async run({ factorMethod, pending, currentUser, heldCookie }, world) {
    if (currentUser && heldCookie !== undefined) return { type: 'session.held', currentUser, heldCookie }
    if (!pending) throw new AccessDenied('There is neither a sign-in nor a session')
    const { account, profile, claims } = pending
    const now = world.platform.now()
    const member = demandUser(await demandStore(world).getUser(pending.userId), 'getUser')
    const authentication = addSecondFactor(describeFirstFactor(account.type, now), factorMethod, now)
    const resumed = { candidate: member, member, account, authentication }
    const provider = world.settings.providers.get(account.provider)
    if (!provider) throw new AccessDenied('The provider of the sign-in is no longer configured')
    if (provider.kind !== 'oauth' || !profile) return { type: 'user.resumed', ...resumed }
    return { type: 'identity.resumed', ...resumed, provider, profile, grant: { tokens: {}, claims } }
  },
})
