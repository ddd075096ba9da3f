import { addressAdmissionOutcomes, addressAdmissionSteps } from '../../flows/email/address-admission.ts'
import { mailCodeGuessChart, mailCodeRequestChart } from '../../../machines/mail-codes.ts'
import { findTypedAddressee, readAddress, readIntent } from '../../flows/email/request.ts'
import { mailed, verifyRequestUrl } from '../../flows/email/verify-request-url.ts'
import { readStampOfAddress } from '../../flows/email/verification.ts'
import { flow, outcome } from '../../flows/engine/flow.ts'
import { redirect } from '../../flows/engine/result.ts'
import { toolsOf } from '../../extend/tools.ts'
import { callSignIn } from '../../flows/shared/call-sign-in.ts'
import { checkCsrf } from '../../flows/shared/check-csrf.ts'
import { checkFactor } from '../../flows/shared/check-factor.ts'
import { failed, faulted, faultedAtStart, notStarted, sentElsewhere } from '../../flows/shared/endings.ts'
import { withdrawToken } from '../../flows/shared/mailed-proof.ts'
import { checkMailRateLimit, checkVerificationRateLimit } from '../../flows/shared/rate-limit.ts'
import { recognitionSteps } from '../../flows/shared/recognition.ts'
import { resolveCallbackUrl } from '../../flows/shared/resolve-callback-url.ts'
import { prepareForm } from './form.ts'
import type { Shown } from './pages.ts'
import {
  compareCode,
  deferToken,
  forgetCode,
  grantAttempt,
  openCode,
  readCode,
  restoreToken,
  spendAttempt,
} from './guess.ts'
import { endOlderCode, rememberCode, sendCode, storeAttempt } from './request.ts'
import type { RequestedCode } from './requested-code.ts'

/** The facts that only the steps below provide. */
declare module '../../flows/engine/facts.ts' {
  interface Facts {
    /** The digits of a code. Only the mail has them. */
    readonly mailedCode: string
    /** The code that this browser requested, as its cookie holds it. */
    readonly requestedCode: RequestedCode
    /** How many guesses at the code are left. */
    readonly attemptsLeft: number
    /** The data of the page that asks for the code. */
    readonly codePage: Shown
  }
}

export const mailCodeRequestFlow = flow({
  chart: mailCodeRequestChart,
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
    endOlderCode,
    storeAttempt,
    sendCode,
    rememberCode,
    withdrawToken,
  },
  outcomes: {
    codeMailed: mailed,
    sentElsewhere,
    refused: notStarted,
    denied: notStarted,
    failed: notStarted,
    faulted: faultedAtStart,
  },
})

/** Where a held sign-in continues. */
const afterGates = {
  flow: mailCodeGuessChart.id,
  at: 'admitting',
  facts: ['identifier', 'requester', 'consumedToken', 'requestedCode', 'callbackUrl', 'stamp'],
} as const

export const mailCodeGuessFlow = flow({
  chart: mailCodeGuessChart,
  begins: ['visit', 'mailProvider'],
  steps: {
    checkCsrf,
    readCode,
    prepareForm,
    openCode,
    checkRateLimit: checkVerificationRateLimit,
    readStamp: readStampOfAddress,
    spendAttempt,
    compareCode,
    grantAttempt,
    forgetCode,
    ...addressAdmissionSteps,
    checkFactor: checkFactor(afterGates),
    deferToken,
    restoreToken,
  },
  continues: { admitting: afterGates },
  outcomes: {
    ...addressAdmissionOutcomes,
    awaitingCode: outcome({
      needs: ['visit', 'codePage'],
      answer: ({ visit, codePage }, world) => toolsOf(visit, world).show('code', codePage),
    }),
    askedElsewhere: sentElsewhere,
    codeMismatched: outcome({
      needs: ['visit', 'mailProvider', 'attemptsLeft', 'failure'],
      answer: ({ visit, mailProvider, attemptsLeft, failure }) => ({
        ...redirect(verifyRequestUrl(visit, mailProvider, attemptsLeft)),
        showsError: true,
        logs: failure,
      }),
    }),
    codeExhausted: failed,
    invalid: failed,
    refused: failed,
    faulted,
  },
})
