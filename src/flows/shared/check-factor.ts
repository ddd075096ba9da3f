import { describeFirstFactor } from '../../session/authentication.ts'
import { authenticationOf } from '../../policy/check-change.ts'
import { isStamped, readStamp } from '../../policy/stamp.ts'
import { type Given, step } from '../engine/step.ts'
import type { World } from '../engine/world.ts'
import { requireFactor, holdForSession } from './require-factor.ts'

/**
 * Decides whether the user must enter the second factor before anything changes and before there is a session. Reads the
 * stamp of the account, unless the run has read it before it checked the credential.
 */
export const checkFactor = step({
  needs: ['visit', 'candidate', 'account', 'callbackUrl'],
  may: [
    'member',
    'holder',
    'profile',
    'provider',
    'grant',
    'linking',
    'passwordProvider',
    'linkToken',
    'stamp',
    'passed',
  ],
  says: { 'factor.unneeded': ['authentication', 'stamp'], 'factor.demanded': [] },
  inTurn: true,
  async run(facts, world) {
    const stamp = facts.stamp ?? (await readStampOf(facts, world))
    if (!world.settings.recordsAuthentication)
      return { type: 'factor.unneeded', authentication: undefined, stamp }
    return requireFactor({ ...facts, stamp }, world)
  },
})

/** A user of `authorize` may be unknown to the store, which may still have a second factor for the user. */
function readStampOf({ holder, member, candidate }: Given<'candidate', 'holder' | 'member'>, world: World) {
  const { secondFactor, features } = world.settings
  const isAsked = secondFactor !== undefined || features.some(({ gate }) => gate)
  const user = holder ?? member ?? (isAsked && candidate)
  return user && isStamped(world.settings) ? readStamp(user, world) : undefined
}

/** Seals an account into a sign-in that waits for the second factor: the session of the user lacks it. */
export const holdLink = step({
  needs: ['visit', 'candidate', 'account', 'callbackUrl', 'member'],
  may: ['profile', 'provider', 'grant', 'linking', 'token', 'session'],
  says: { 'factor.demanded': [] },
  run({ token, session, ...facts }, world) {
    return holdForSession(facts, authenticationOf({ token, session }), world)
  },
})

/** Describes the sign-in of a user who was just created, and therefore has no second factor. */
export const describeNewcomer = step({
  needs: ['account'],
  may: ['passed'],
  inTurn: true,
  says: { 'authentication.described': ['authentication'] },
  run({ account, passed }, { settings, platform }) {
    const isRecorded = settings.recordsAuthentication
    const authentication = isRecorded
      ? describeFirstFactor(account, passed?.provenAt ?? platform.now(), settings)
      : undefined
    return { type: 'authentication.described', authentication }
  },
})

/**
 * Passes the authentication of the session to the session that replaces it, and also the provider whose logout ends it:
 * adding a credential is not an authentication.
 */
export const keepAuthentication = step({
  may: ['token', 'session'],
  says: { 'authentication.kept': ['authentication', 'earlier'] },
  run({ token, session }, { settings }) {
    const held = settings.recordsAuthentication ? authenticationOf({ token, session }) : undefined
    // The claims of a token name even an unknown authentication, so that no callback can set one.
    const isNamed = token !== undefined || held?.auth_time !== undefined
    const authentication = isNamed ? held : undefined
    return { type: 'authentication.kept', authentication, earlier: { token, session } }
  },
})
