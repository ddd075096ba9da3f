import { checkChange } from '../../policy/check-change.ts'
import { endOthers } from '../../policy/end-kept.ts'
import { outcome } from '../engine/flow.ts'
import { redirect } from '../engine/result.ts'
import { callSignIn } from '../shared/call-sign-in.ts'
import { describeNewcomer } from '../shared/check-factor.ts'
import { challenged, failed, faulted, held, sentElsewhere, signedIn, stale } from '../shared/endings.ts'
import { issuanceSteps } from '../shared/issue-session.ts'
import { recognitionSteps } from '../shared/recognition.ts'
import { refreshSession } from '../shared/refresh-session.ts'
import { releaseAddress, releaseClaim, revokeAccess } from '../shared/store-user.ts'
import { findAddressee } from './request.ts'
import {
  addAddress,
  createProvenUser,
  decideStarter,
  decideUser,
  proveAddress,
  rereadAddressee,
} from './verification.ts'

/** The steps of the chart `addressAdmission`, except those that depend on the proof: `checkFactor` and what restores it. */
export const addressAdmissionSteps = {
  findAddressee,
  callSignIn,
  decideUser,
  ...recognitionSteps,
  decideStarter,
  checkSession: checkChange('add-address'),
  addAddress,
  endSessions: endOthers('add-address'),
  refreshSession,
  describeNewcomer,
  releaseAddress,
  releaseClaim,
  createUser: createProvenUser,
  rereadAddressee,
  revokeAccess,
  proveAddress,
  ...issuanceSteps,
}

/** The outcomes of the states to which `addressAdmissionEnds` leads. */
export const addressAdmissionOutcomes = {
  signedIn,
  addressAdded: outcome({ needs: ['callbackUrl'], answer: ({ callbackUrl }) => redirect(callbackUrl) }),
  held,
  stale,
  challenged,
  sentElsewhere,
  denied: failed,
  restored: faulted,
}
