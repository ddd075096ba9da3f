import { provideCsrf } from '../../http/csrf.ts'
import { nameFactorBrowser } from '../../second-factor/browser-binding.ts'
import { readFactor } from '../../second-factor/factor-record.ts'
import { type PendingSignIn, writePending } from '../../second-factor/pending-sign-in.ts'
import { isRemembered } from '../../second-factor/remembered-device.ts'
import { describeFirstFactor } from '../../session/authentication.ts'
import type { Profile } from '../../types/records.ts'
import type { Given } from '../engine/step.ts'
import type { World } from '../engine/world.ts'
import { vaultOf } from './vault.ts'

type Arrival = Given<
  'visit' | 'candidate' | 'account' | 'callbackUrl',
  'member' | 'holder' | 'profile' | 'provider' | 'grant'
>

/** Binds the sign-in to this browser until the user enters the second factor, if the user has one. */
export async function demandFactor(facts: Arrival, world: World) {
  const { visit, candidate, account, callbackUrl, member, holder, profile, provider, grant } = facts
  const { settings, keys, platform, out } = world
  const now = platform.now()
  const userId = (holder ?? member ?? candidate).id ?? ''
  const held = settings.secondFactor && (await readFactor(userId, vaultOf(world)))
  if (!held || (await isRemembered(held.record, visit, keys, now)))
    return {
      type: 'factor.unneeded',
      authentication: describeFirstFactor(account.type, now),
    } as const
  const csrf = await provideCsrf(visit, settings)
  const pending: PendingSignIn = {
    userId,
    account,
    profile,
    claims: provider?.backChannelLogout ? nameSession(grant?.claims) : undefined,
    binding: held.record.binding,
    browser: await nameFactorBrowser(csrf.token),
    callbackUrl,
  }
  out.setCookies(csrf.cookies)
  out.setCookies(await writePending(pending, visit, keys, now))
  return { type: 'factor.demanded' } as const
}

/** The claims that a back-channel logout names a session by. */
function nameSession({ sub, sid, iat }: Profile = {}): Profile {
  return { sub, sid, iat }
}
