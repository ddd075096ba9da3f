import { describeFirstFactor } from '../../session/authentication.ts'
import { authenticationOf } from '../../policy/check-change.ts'
import { isStamped, readStamp } from '../../policy/stamp.ts'
import { type Given, step } from '../engine/step.ts'
import type { World } from '../engine/world.ts'
import type { Place } from './hold-sign-in.ts'
import { holdForSession, requireFactor } from './require-factor.ts'

/**
 * Decides whether the user must enter the second factor before anything changes and before there is a session. Reads the
 * stamp of the account, unless the run has read it before it checked the credential.
 *
 * @param place where the sign-in continues after that
 */
export function checkFactor(place: Place) {
  return step({
    needs: ['visit', 'candidate', 'account'],
    may: [
      ...(['member', 'holder', 'linking', 'passwordProvider', 'linkToken'] as const),
      ...(['stamp', 'passed', 'approved'] as const),
      ...place.facts,
    ],
    says: {
      'factor.unneeded': ['authentication', 'stamp'],
      'factor.demanded': ['gate'],
      'user.denied': ['failure'],
    },
    inTurn: true,
    async run(facts, world) {
      const stamp = facts.stamp ?? (await readStampOf(facts, world))
      if (!world.settings.recordsAuthentication)
        return { type: 'factor.unneeded', authentication: undefined, stamp }
      return requireFactor(place, { ...facts, stamp }, world)
    },
  })
}

/** A user of `authorize` may be unknown to the store, which may still have a second factor for the user. */
function readStampOf({ holder, member, candidate }: Given<'candidate', 'holder' | 'member'>, world: World) {
  const { secondFactor, features } = world.settings
  const isAsked = secondFactor !== undefined || features.some(({ gate }) => gate)
  const user = holder ?? member ?? (isAsked && candidate)
  return user && isStamped(world.settings) ? readStamp(user, world) : undefined
}

/** Holds a sign-in that links an account until the user enters the second factor, which the session lacks. */
export function holdLink(place: Place) {
  return step({
    needs: ['visit', 'candidate', 'account', 'member'],
    may: ['linking', 'token', 'session', ...place.facts],
    says: { 'factor.demanded': ['gate'] },
    run(facts, world) {
      return holdForSession(place, facts, authenticationOf(facts), world)
    },
  })
}

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
  may: ['token', 'session', 'passed'],
  says: { 'authentication.kept': ['authentication', 'earlier'] },
  run({ token, session, passed }, { settings }) {
    const held = settings.recordsAuthentication ? authenticationOf({ token, session, passed }) : undefined
    // The claims of a token name even an unknown authentication, so that no callback can set one.
    const isNamed = token !== undefined || held?.auth_time !== undefined
    const authentication = isNamed ? held : undefined
    return { type: 'authentication.kept', authentication, earlier: { token, session } }
  },
})
