import { passwordChangeChart, passwordRequestChart, passwordResetChart } from '../../../machines/password.ts'
import { findAddressee, findTypedAddressee, readAddress } from '../email/request.ts'
import { mailed } from '../email/verify-request-url.ts'
import { createProvenUser, proveAddress, readLink, rereadAddressee } from '../email/verification.ts'
import { flow, outcome } from '../engine/flow.ts'
import { json, redirect, show } from '../engine/result.ts'
import { callSignIn } from '../shared/call-sign-in.ts'
import { checkCsrf } from '../shared/check-csrf.ts'
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
} from '../shared/endings.ts'
import { checkFactor, describeNewcomer } from '../shared/check-factor.ts'
import { issuanceSteps } from '../shared/issue-session.ts'
import { checkChangeRateLimit, checkMailRateLimit, checkVerificationRateLimit } from '../shared/rate-limit.ts'
import { recognitionSteps } from '../shared/recognition.ts'
import { resolveCallbackUrl, resolveTarget } from '../shared/resolve-callback-url.ts'
import { releaseAddress, revokeAccess } from '../shared/store-user.ts'
import { prepareForm } from './form.ts'
import { withdrawToken } from '../shared/mailed-proof.ts'
import { consumeToken, readHash, restoreToken, sendLink, storeToken } from './link.ts'
import {
  checkCurrent,
  checkPassword,
  decideUser,
  hashPassword,
  replacePassword,
  storePassword,
} from './set.ts'
import type { PasswordPage } from '../../pages/page.ts'

/** The facts that only the steps below provide. */
declare module '../engine/facts.ts' {
  interface Facts {
    /** The hash of the password of a form. */
    readonly passwordHash: string
    /** Why a form asks for a password again. */
    readonly objection: NonNullable<PasswordPage['complaint']>
    readonly passwordForm: PasswordPage
  }
}

export const passwordRequestFlow = flow({
  chart: passwordRequestChart,
  begins: ['visit', 'passwordProvider', 'mailProvider'],
  steps: {
    checkCsrf,
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
    linkMailed: mailed,
    sentElsewhere,
    refused: notStarted,
    denied: notStarted,
    failed: notStarted,
    faulted: faultedAtStart,
  },
})

/** Shows the form, with the reason if it is shown again. */
const awaitingPassword = outcome({
  needs: ['passwordForm'],
  answer: ({ passwordForm }) => show(passwordForm, passwordForm.complaint ? 422 : 200),
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
    readLink,
    prepareForm,
    checkCsrf,
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
    awaitingPassword,
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
    resolveCallbackUrl: resolveTarget,
    ...recognitionSteps,
    checkRateLimit: checkChangeRateLimit,
    checkCurrent,
    checkPassword,
    replacePassword,
    checkSession: checkChange('change-password'),
    endSessions: endOthers('change-password'),
    prepareForm,
  },
  outcomes: {
    changed: outcome({ needs: ['callbackUrl'], answer: ({ callbackUrl }) => redirect(callbackUrl) }),
    awaitingPassword,
    ...returningTo(({ base, action, providerId }) => `${base}/${action}/${providerId}`),
    refused: failed,
    denied: failed,
    faulted,
  },
})
