import { emailChangeChart, emailChangeConfirmChart } from '../../../machines/email-change.ts'
import { flow, outcome } from '../engine/flow.ts'
import { show } from '../engine/result.ts'
import { checkCsrf } from '../shared/check-csrf.ts'
import { checkChange } from '../../policy/check-change.ts'
import { failed, faulted, notStarted, returningTo } from '../shared/endings.ts'
import { checkAddressRateLimit, checkAddressVerificationRateLimit } from '../shared/rate-limit.ts'
import { recognitionSteps } from '../shared/recognition.ts'
import { refreshSession } from '../shared/refresh-session.ts'
import { restoreToken } from '../shared/mailed-proof.ts'
import { releaseAddress } from '../shared/store-user.ts'
import {
  changeAddress,
  endSessions,
  findHolder,
  findTypedHolder,
  rereadHolder,
  sendNotice,
} from './change.ts'
import { prepareConfirmation, prepareForm } from './form.ts'
import { consumeToken, openLink, readToken, storeToken, withdrawToken } from './link.ts'
import { readAddress, sendLink, warnOwner } from './request.ts'
import type { EmailChangePage } from '../../pages/page.ts'

/** The facts that only the steps below provide. */
declare module '../engine/facts.ts' {
  interface Facts {
    /** Why a new address of the user is refused. */
    readonly addressObjection: NonNullable<EmailChangePage['objection']>
    readonly addressForm: EmailChangePage
  }
}

export const emailChangeFlow = flow({
  chart: emailChangeChart,
  begins: ['visit'],
  steps: {
    checkCsrf,
    ...recognitionSteps,
    checkSession: checkChange('request-address'),
    readAddress,
    checkRateLimit: checkAddressRateLimit,
    storeToken,
    findHolder: findTypedHolder,
    sendLink,
    warnOwner,
    withdrawToken,
    prepareForm,
  },
  outcomes: {
    linkMailed: outcome({
      needs: ['visit', 'identifier'],
      answer: ({ visit: { origin }, identifier }) =>
        show({ page: 'email-change', stage: 'sent', origin, email: identifier }),
    }),
    awaitingAddress: outcome({
      needs: ['addressForm'],
      answer: ({ addressForm }) => show(addressForm, addressForm.objection ? 422 : 200),
    }),
    ...returningTo(({ base }) => `${base}/email-change`),
    refused: failed,
    denied: failed,
    failed: notStarted,
    faulted,
  },
})

export const emailChangeConfirmFlow = flow({
  chart: emailChangeConfirmChart,
  begins: ['visit'],
  steps: {
    checkCsrf,
    ...recognitionSteps,
    checkSession: checkChange('confirm-address'),
    openLink,
    prepareConfirmation,
    checkRateLimit: checkAddressVerificationRateLimit,
    consumeToken,
    findHolder,
    releaseAddress,
    changeAddress,
    rereadHolder,
    restoreToken,
    sendNotice,
    endSessions,
    refreshSession,
  },
  outcomes: {
    changed: outcome({
      needs: ['visit', 'identifier'],
      answer: ({ visit: { origin }, identifier }) =>
        show({ page: 'email-change', stage: 'changed', origin, email: identifier }),
    }),
    awaitingConfirmation: outcome({ needs: ['addressForm'], answer: ({ addressForm }) => show(addressForm) }),
    ...returningTo(
      (visit) =>
        `${visit.base}/email-change-confirm?${new URLSearchParams({ token: readToken(visit) ?? '' })}`,
    ),
    invalid: outcome({
      needs: ['visit', 'addressObjection', 'failure'],
      answer: ({ visit: { base, origin }, addressObjection, failure }) => ({
        ...show(
          {
            page: 'email-change',
            stage: 'stopped',
            origin,
            objection: addressObjection,
            again: `${base}/email-change`,
          },
          403,
        ),
        logs: failure,
      }),
    }),
    refused: failed,
    denied: failed,
    restored: faulted,
    faulted,
  },
})
