import { emailRequestChart } from '../../../machines/email-request.ts'
import { emailVerificationChart } from '../../../machines/email-verification.ts'
import { releaseAddress, releaseClaim, revokeAccess } from '../shared/store-user.ts'
import { withdrawToken } from '../shared/mailed-proof.ts'
import { callSignIn } from '../shared/call-sign-in.ts'
import { checkMailRateLimit, checkVerificationRateLimit } from '../shared/rate-limit.ts'
import { checkCsrf } from '../shared/check-csrf.ts'
import { mailed } from './verify-request-url.ts'
import {
  endOlderLinks,
  findAddressee,
  findTypedAddressee,
  readAddress,
  readIntent,
  rememberRequest,
  sendLink,
  storeToken,
} from './request.ts'
import {
  addAddress,
  checkRequester,
  consumeToken,
  createProvenUser,
  decideStarter,
  decideUser,
  deferToken,
  forgetUsedLink,
  prepareConfirmation,
  proveAddress,
  readLink,
  readStampOfAddress,
  rereadAddressee,
  restoreToken,
} from './verification.ts'
import { endOthers } from '../../policy/end-kept.ts'
import { checkChange } from '../../policy/check-change.ts'
import { checkFactor, describeNewcomer } from '../shared/check-factor.ts'
import { refreshSession } from '../shared/refresh-session.ts'
import { issuanceSteps } from '../shared/issue-session.ts'
import { recognitionSteps } from '../shared/recognition.ts'
import { resolveCallbackUrl, resolveTarget } from '../shared/resolve-callback-url.ts'
import {
  challenged,
  failed,
  faulted,
  faultedAtStart,
  held,
  notStarted,
  sentElsewhere,
  signedIn,
  stale,
} from '../shared/endings.ts'
import { flow, outcome } from '../engine/flow.ts'
import { json, redirect, show } from '../engine/result.ts'
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
    findAddressee,
    callSignIn,
    decideUser,
    ...recognitionSteps,
    decideStarter,
    checkSession: checkChange('add-address'),
    addAddress,
    endSessions: endOthers('add-address'),
    refreshSession,
    deferToken,
    describeNewcomer,
    releaseAddress,
    releaseClaim,
    createUser: createProvenUser,
    rereadAddressee,
    revokeAccess,
    proveAddress,
    restoreToken,
    checkFactor: checkFactor(afterGates),
    ...issuanceSteps,
  },
  continues: { admitting: afterGates },
  outcomes: {
    signedIn,
    addressAdded: outcome({ needs: ['callbackUrl'], answer: ({ callbackUrl }) => redirect(callbackUrl) }),
    held,
    stale,
    challenged,
    awaitingConfirmation: outcome({
      needs: ['confirmation'],
      answer: ({ confirmation }) => show(confirmation),
    }),
    previewed: outcome({ answer: () => json() }),
    sentElsewhere,
    invalid: failed,
    refused: failed,
    denied: failed,
    restored: faulted,
    faulted,
  },
})
