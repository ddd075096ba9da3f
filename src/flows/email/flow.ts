import { addressAdmissionOutcomes, addressAdmissionSteps } from './address-admission.ts'
import { emailRequestChart } from '../../../machines/email-request.ts'
import { emailVerificationChart } from '../../../machines/email-verification.ts'
import { withdrawToken } from '../shared/mailed-proof.ts'
import { callSignIn } from '../shared/call-sign-in.ts'
import { checkMailRateLimit, checkVerificationRateLimit } from '../shared/rate-limit.ts'
import { checkCsrf } from '../shared/check-csrf.ts'
import { mailed } from './verify-request-url.ts'
import {
  endOlderLinks,
  findTypedAddressee,
  readAddress,
  readIntent,
  rememberRequest,
  sendLink,
  storeToken,
} from './request.ts'
import {
  checkRequester,
  consumeToken,
  deferToken,
  forgetUsedLink,
  prepareConfirmation,
  readLink,
  readStampOfAddress,
  restoreToken,
} from './verification.ts'
import { checkFactor } from '../shared/check-factor.ts'
import { recognitionSteps } from '../shared/recognition.ts'
import { resolveCallbackUrl, resolveTarget } from '../shared/resolve-callback-url.ts'
import { failed, faulted, faultedAtStart, notStarted, sentElsewhere } from '../shared/endings.ts'
import { flow, outcome } from '../engine/flow.ts'
import { json, show } from '../engine/result.ts'
import type { ConfirmPage } from '../../pages/page.ts'
import type { LinkIntent, LinkStarter } from './requested-links.ts'

/** The facts that only the steps below provide. */
declare module '../engine/facts.ts' {
  interface Facts {
    /** Why the signed-in user may get the address of a link. */
    readonly intent: LinkIntent
    /** The user who requested the link in this browser; empty if no signed-in user can get its address. */
    readonly requester: Partial<LinkStarter>
    /** The confirmation page of a link, with the fields of its form. */
    readonly confirmation: ConfirmPage
  }
}

export const emailRequestFlow = flow({
  chart: emailRequestChart,
  begins: ['visit', 'mailProvider'],
  steps: {
    checkCsrf,
    resolveCallbackUrl,
    readAddress,
    checkRateLimit: checkMailRateLimit,
    findAddressee: findTypedAddressee,
    callSignIn,
    readIntent,
    ...recognitionSteps,
    endOlderLinks,
    storeToken,
    sendLink,
    rememberLink: rememberRequest,
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

/** Where a held sign-in continues. */
const afterGates = {
  flow: emailVerificationChart.id,
  at: 'admitting',
  facts: ['identifier', 'requester', 'consumedToken', 'linkToken', 'callbackUrl', 'stamp'],
} as const

export const emailVerificationFlow = flow({
  chart: emailVerificationChart,
  begins: ['visit', 'mailProvider'],
  steps: {
    readLink,
    checkRequester,
    prepareConfirmation,
    checkCsrf,
    resolveCallbackUrl: resolveTarget,
    checkRateLimit: checkVerificationRateLimit,
    readStamp: readStampOfAddress,
    consumeToken,
    endOlderLinks,
    forgetLink: forgetUsedLink,
    ...addressAdmissionSteps,
    checkFactor: checkFactor(afterGates),
    deferToken,
    restoreToken,
  },
  continues: { admitting: afterGates },
  outcomes: {
    ...addressAdmissionOutcomes,
    awaitingConfirmation: outcome({
      needs: ['confirmation'],
      answer: ({ confirmation }) => show(confirmation),
    }),
    previewed: outcome({ answer: () => json() }),
    invalid: failed,
    refused: failed,
    faulted,
  },
})
