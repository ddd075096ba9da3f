import { parseRow } from '../session/row-id.ts'
import { readAuthentication } from '../session/session-token.ts'
import { addFactor, isSufficient } from '../session/authentication.ts'
import { enteredFactor } from '../session/held-sign-in.ts'
import { type Given, step } from '../flows/engine/step.ts'
import { factorOf, type World } from '../flows/engine/world.ts'
import type { AccountChange } from '../types/account-notice.ts'
import type { Authentication } from '../types/authentication.ts'
import { type ChangeRule, ruleOf } from './table.ts'

/** Seconds since the last authentication within which a session is fresh. */
export const freshness = 900

/** Returns how the user of the session authenticated, with the second factor that the user has entered since. */
export function authenticationOf({
  token,
  session,
  passed,
}: Given<never, 'token' | 'session' | 'passed'>): Authentication {
  const noted = token ? readAuthentication(token) : session && parseRow(session.sessionToken).authentication
  const factor = enteredFactor(passed)
  return factor ? addFactor(noted ?? {}, factor.method, factor.at) : (noted ?? {})
}

/** The facts and events of every step that checks a session. */
export const checking = {
  needs: ['currentUser'],
  may: ['token', 'session', 'passed'],
  says: { 'session.sufficient': ['storedFactor'], 'session.stale': [], 'step-up.demanded': [] },
} as const

/** The step that decides whether the session of this browser may make a change. It runs before anything is changed. */
export function checkChange(change: AccountChange) {
  return {
    ...step({ ...checking, run: (facts, world) => check(ruleOf(change).demands, facts, world) }),
    change,
  }
}

/** Checks the session of a signed-in user by the demands of a change. */
export async function check(
  demands: ChangeRule['demands'],
  { currentUser, passed, ...held }: Given<'currentUser', 'token' | 'session' | 'passed'>,
  world: World,
) {
  const { settings, platform } = world
  const storedFactor = await (await factorOf(world))?.read(currentUser.id, world)
  const isPassed = enteredFactor(passed)?.binding === storedFactor?.record.binding
  const known = isPassed ? { ...held, passed } : held
  const authentication = settings.recordsAuthentication ? authenticationOf(known) : {}
  const required = {
    ...(demandsFreshness(demands, authentication) && { freshness }),
    factor: demands.factor === true && storedFactor !== undefined,
  }
  if (isSufficient(authentication, required, platform.now()))
    return { type: 'session.sufficient', storedFactor } as const
  return { type: storedFactor ? 'step-up.demanded' : 'session.stale' } as const
}

function demandsFreshness({ session }: ChangeRule['demands'], { auth_time }: Authentication): boolean {
  return session === 'fresh' || (session === 'fresh where recorded' && auth_time !== undefined)
}
