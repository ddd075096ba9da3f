import { passwordChangeChart, passwordRequestChart, passwordResetChart } from '../../../machines/passwords.ts'
import { findAddressee, findTypedAddressee, readAddress } from '../../flows/email/request.ts'
import { mailed } from '../../flows/email/verify-request-url.ts'
import { createProvenUser, proveAddress, readLink, rereadAddressee } from '../../flows/email/verification.ts'
import { flow, outcome } from '../../flows/engine/flow.ts'
import { json, redirect } from '../../flows/engine/result.ts'
import { callSignIn } from '../../flows/shared/call-sign-in.ts'
import { checkCsrf } from '../../flows/shared/check-csrf.ts'
import { endAll, endOthers } from '../../policy/end-kept.ts'
import { checkChange } from '../../policy/check-change.ts'
import {
  failed,
  faulted,
  faultedAtStart,
  held,
  notStarted,
  sentElsewhere,
  signedIn,
  returningTo,
} from '../../flows/shared/endings.ts'
import { checkFactor, describeNewcomer } from '../../flows/shared/check-factor.ts'
import { issuanceSteps } from '../../flows/shared/issue-session.ts'
import { checkMailRateLimit, checkVerificationRateLimit } from '../../flows/shared/rate-limit.ts'
import { pathOfRoute } from '../../http/parse-visit.ts'
import { recognitionSteps } from '../../flows/shared/recognition.ts'
import { resolveCallbackUrl, resolveTarget } from '../../flows/shared/resolve-callback-url.ts'
import { releaseAddress, revokeAccess } from '../../flows/shared/store-user.ts'
import { readMethod, showing } from './form.ts'
import { withdrawToken } from '../../flows/shared/mailed-proof.ts'
import { checkChangeRateLimit } from './rate-limit.ts'
import { consumeToken, readHash, restoreToken, sendLink, storeToken } from './link.ts'
import {
  checkCurrent,
  checkPassword,
  decideUser,
  hashPassword,
  replacePassword,
  storePassword,
} from './set.ts'
import type { Objection } from './pages.ts'

/** The facts that only the steps below provide. */
declare module '../../flows/engine/facts.ts' {
  interface Facts {
    /** The hash of the password of a form. */
    readonly passwordHash: string
    /** Why a form asks for a password again. */
    readonly objection: Objection
  }
}

export const passwordRequestFlow = flow({
  chart: passwordRequestChart,
  begins: ['visit', 'passwordProvider', 'mailProvider'],
  steps: {
    checkCsrf,
    readMethod,
    resolveCallbackUrl,
    readAddress,
    checkRateLimit: checkMailRateLimit,
    findAddressee: findTypedAddressee,
    callSignIn,
    readHash,
    storeToken,
    sendLink,
    withdrawToken,
  },
  outcomes: {
    awaitingAddress: showing('request'),
    linkMailed: mailed,
    sentElsewhere,
    refused: notStarted,
    denied: notStarted,
    failed: notStarted,
    faulted: faultedAtStart,
  },
})

/** Where a held sign-in continues. */
const afterGates = {
  flow: passwordResetChart.id,
  at: 'admitting',
  facts: ['identifier', 'consumedToken', 'linkToken', 'passwordHash', 'storedHash', 'callbackUrl', 'stamp'],
} as const

export const passwordResetFlow = flow({
  chart: passwordResetChart,
  begins: ['visit', 'passwordProvider', 'mailProvider'],
  steps: {
    checkCsrf,
    readLink,
    resolveCallbackUrl: resolveTarget,
    checkRateLimit: checkVerificationRateLimit,
    checkPassword,
    hashPassword,
    readHash,
    consumeToken,
    findAddressee,
    callSignIn,
    decideUser,
    releaseAddress,
    createUser: createProvenUser,
    rereadAddressee,
    restoreToken,
    revokeAccess,
    proveAddress,
    storePassword,
    describeNewcomer,
    endSessions: endAll('reset-password'),
    checkFactor: checkFactor(afterGates),
    ...issuanceSteps,
  },
  continues: { admitting: afterGates },
  outcomes: {
    signedIn,
    held,
    awaitingPassword: showing('reset'),
    previewed: outcome({ answer: () => json() }),
    sentElsewhere,
    invalid: failed,
    refused: failed,
    denied: failed,
    restored: faulted,
    faulted,
  },
})

export const passwordChangeFlow = flow({
  chart: passwordChangeChart,
  begins: ['visit', 'passwordProvider'],
  steps: {
    checkCsrf,
    readMethod,
    resolveCallbackUrl: resolveTarget,
    ...recognitionSteps,
    checkRateLimit: checkChangeRateLimit,
    checkCurrent,
    checkPassword,
    replacePassword,
    checkSession: checkChange('change-password'),
    endSessions: endOthers('change-password'),
  },
  outcomes: {
    changed: outcome({ needs: ['callbackUrl'], answer: ({ callbackUrl }) => redirect(callbackUrl) }),
    awaitingPassword: showing('change'),
    ...returningTo((visit) => `${visit.base}/${pathOfRoute(visit)}`),
    refused: failed,
    denied: failed,
    faulted,
  },
})
