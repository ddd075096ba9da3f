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

/** Checks the session as before the sensitive changes of the library (FT-25). */
const checkSession = step({
  ...checking,
  run(facts, world) {
    const { feature, settings } = world
    if (settings.recordsAuthentication) return check(fresh, facts, world)
    throw new InvalidConfig(
      `The feature "${feature?.name}" has the state \`checkingSession\`, and needs \`needsRecentSignIn: true\``,
    )
  },
})

/** The steps of the pieces that `authmachine/extend` exports. A flow of a feature does not list them. */
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

/** The steps of `admitting`. Only flows that contain it have them. @param place where a held sign-in continues */
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

/** The sign-in page does not lead back here: the next sign-in comes here by itself, if its gate holds it. */
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
