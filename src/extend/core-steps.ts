import { outcome } from '../flows/engine/flow.ts'
import { redirect } from '../flows/engine/result.ts'
import { step } from '../flows/engine/step.ts'
import { checkCsrf } from '../flows/shared/check-csrf.ts'
import {
  failed,
  faulted,
  held,
  returningTo,
  sentElsewhere,
  signedIn,
  stale,
} from '../flows/shared/endings.ts'
import { recognitionSteps } from '../flows/shared/recognition.ts'
import { resolveTarget } from '../flows/shared/resolve-callback-url.ts'
import { readChunked } from '../cookies/chunks.ts'
import { admissionSteps as stepsOfAdmission } from '../flows/shared/admission.ts'
import { approveSignIn, noteStamp } from '../flows/shared/approve-sign-in.ts'
import { callSignIn } from '../flows/shared/call-sign-in.ts'
import { issuanceSteps } from '../flows/shared/issue-session.ts'
import { checkFeatureRateLimit } from '../flows/shared/rate-limit.ts'
import { InvalidConfig } from '../errors/classes.ts'
import { pathOfRoute } from '../http/parse-visit.ts'
import { check, checking } from '../policy/check-change.ts'
import { fresh } from '../policy/table.ts'
import { claimIdentity } from './claim-identity.ts'
import { checkFactor, holdLink } from '../flows/shared/check-factor.ts'
import { openHeld, type Place } from '../flows/shared/hold-sign-in.ts'

/** Opens the sign-in that the gate of this feature holds in this browser. */
const openHeldSignIn = step({
  needs: ['visit'],
  says: { 'sign-in.held': ['subject'], 'sign-in.absent': [] },
  async run({ visit }, world) {
    const opened = world.feature && (await openHeld(world.feature.name, visit, world))
    return opened ? { type: 'sign-in.held', subject: opened.subject } : { type: 'sign-in.absent' }
  },
})

/** Checks the session by the rule that the library applies before its own sensitive changes (FT-25). */
const checkSession = step({
  ...checking,
  run(facts, world) {
    const { feature, settings } = world
    if (settings.recordsAuthentication) return check(fresh, facts, world)
    throw new InvalidConfig(
      `The feature "${feature?.name}" uses the state \`checkingSession\`. Set \`needsRecentSignIn: true\` in the feature.`,
    )
  },
})

/** The steps of the states that `authmachine/extend` exports. The library adds them to every flow of a feature. */
export const coreSteps = {
  checkCsrf,
  resolveCallbackUrl: resolveTarget,
  ...recognitionSteps,
  openHeldSignIn,
  checkSession,
  checkRateLimit: checkFeatureRateLimit,
  noteStamp,
  approveSignIn,
}

/** Returns the steps of the chart `admitting`. @param place where a held sign-in continues */
export function admissionStepsAt(place: Place) {
  return {
    claimIdentity,
    ...stepsOfAdmission,
    checkFactor: checkFactor(place),
    holdLink: holdLink(place),
    callSignIn,
    ...issuanceSteps,
  }
}

/**
 * Redirects to the sign-in page, without a callback URL: if the gate holds the next sign-in, it redirects here anyway.
 */
const lapsed = outcome({
  needs: ['visit'],
  answer({ visit: { base, origin, cookies, cookieTable } }) {
    const isSignedIn = readChunked(cookies, cookieTable.sessionToken.name) !== undefined
    return redirect(isSignedIn ? origin : `${base}/signin?error=SessionRequired`)
  },
})

/** The outcomes of the final states that `authmachine/extend` exports. */
export const coreOutcomes = {
  refused: failed,
  faulted,
  lapsed,
  ...returningTo((visit) => `${visit.base}/${pathOfRoute(visit)}`),
}

/** The outcomes of `admitted`. A flow may replace them. */
export const admissionOutcomes = {
  signedIn,
  held,
  stale,
  denied: failed,
  sentElsewhere,
  notLinked: failed,
}
