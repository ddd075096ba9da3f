import { AccessDenied } from '../../errors/classes.ts'
import { addFactor, describeFirstFactor } from '../../session/authentication.ts'
import { enteredFactor } from '../../session/held-sign-in.ts'
import { authenticationOf } from '../../policy/check-change.ts'
import { isStamped, readStamp } from '../../policy/stamp.ts'
import { type Given, step } from '../engine/step.ts'
import { factorOf, type World } from '../engine/world.ts'
import { holdSignIn, idOf, mayHold, type Place } from './hold-sign-in.ts'

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
      const { settings, platform } = world
      const { account, passed, approved } = facts
      const stamp = facts.stamp ?? (await readStampOf(facts, world))
      // The session that approved has passed the second factor, and a change to it would have ended the approval.
      if (!settings.recordsAuthentication || approved)
        return { type: 'factor.unneeded', authentication: approved, stamp }
      const gate = await factorOf(world)
      const decision = gate ? await gate.check({ ...facts, stamp }, world) : 'pass'
      if (decision === 'pass') {
        const first = describeFirstFactor(account, passed?.provenAt ?? platform.now(), settings)
        const entered = gate && enteredFactor(passed)
        const authentication = entered ? addFactor(first, entered.method, entered.at) : first
        return { type: 'factor.unneeded', authentication, stamp }
      }
      if ('refuse' in decision) return { type: 'user.denied', failure: new AccessDenied(decision.refuse) }
      await holdSignIn({ gate: 'factor', binding: decision.hold, place }, { ...facts, stamp }, world)
      return { type: 'factor.demanded', gate: 'factor' }
    },
  })
}

/** A user of `authorize` may be unknown to the store, which may still have a second factor for the user. */
function readStampOf({ holder, member, candidate }: Given<'candidate', 'holder' | 'member'>, world: World) {
  const user = holder ?? member ?? (mayHold(world) && candidate)
  return user && isStamped(world.settings) ? readStamp(user, world) : undefined
}

/** Holds a sign-in that links an account until the user enters the second factor, which the session lacks. */
export function holdLink(place: Place) {
  return step({
    needs: ['visit', 'candidate', 'account', 'member'],
    may: ['linking', 'token', 'session', ...place.facts],
    says: { 'factor.demanded': ['gate'] },
    async run(facts, world) {
      const stamp = await readStamp({ id: idOf(facts) }, world)
      const stored = await (await factorOf(world))?.read(idOf(facts), world)
      if (!stored) throw new AccessDenied('Another request has removed the second factor')
      const { binding } = stored.record
      const first = authenticationOf(facts)
      await holdSignIn({ gate: 'factor', binding, place, first }, { ...facts, stamp }, world)
      return { type: 'factor.demanded', gate: 'factor' }
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
