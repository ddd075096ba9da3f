import { emailRequestChart } from '../../machines/email-request.ts'
import { emailVerificationChart } from '../../machines/email-verification.ts'
import { releaseAddress } from '../steps/admission.ts'
import { askSignIn } from '../steps/ask-sign-in.ts'
import { askMailRateLimit, askVerificationRateLimit } from '../steps/ask-rate-limit.ts'
import { checkCsrf } from '../steps/check-csrf.ts'
import {
  endOlderLinks,
  findAddressee,
  readAddress,
  rememberRequest,
  sendLink,
  storeToken,
  withdrawToken,
} from '../steps/email-request.ts'
import {
  checkRequester,
  consumeToken,
  createProvenUser,
  decideUser,
  forgetUsedLink,
  prepareConfirmation,
  proveAddress,
  readLink,
  rereadAddressee,
} from '../steps/email-verification.ts'
import { issueSession } from '../steps/issue-session.ts'
import { resolveCallbackUrl, resolveTarget } from '../steps/resolve-callback-url.ts'
import { revokeAccess } from '../steps/revoke-access.ts'
import { failed, faulted, faultedAtStart, notStarted, sentElsewhere, signedIn } from './endings.ts'
import { flow, outcome } from './flow.ts'

export const emailRequestFlow = flow({
  chart: emailRequestChart,
  begins: ['visit', 'mailProvider'],
  steps: {
    checkCsrf,
    resolveCallbackUrl,
    readAddress,
    askRateLimit: askMailRateLimit,
    findAddressee,
    askSignIn,
    endOlderLinks,
    storeToken,
    sendLink,
    rememberLink: rememberRequest,
    withdrawToken,
  },
  outcomes: {
    linkMailed: outcome({
      needs: ['visit', 'mailProvider'],
      answer: ({ visit, mailProvider }) => ({
        kind: 'redirect',
        location: `${visit.base}/verify-request?${new URLSearchParams({ provider: mailProvider.id, type: 'email' })}`,
      }),
    }),
    sentElsewhere,
    refused: notStarted,
    denied: notStarted,
    failed: notStarted,
    faulted: faultedAtStart,
  },
})

export const emailVerificationFlow = flow({
  chart: emailVerificationChart,
  begins: ['visit', 'mailProvider'],
  steps: {
    readLink,
    checkRequester,
    prepareConfirmation,
    checkCsrf,
    resolveCallbackUrl: resolveTarget,
    askRateLimit: askVerificationRateLimit,
    consumeToken,
    endOlderLinks,
    forgetLink: forgetUsedLink,
    findAddressee,
    askSignIn,
    decideUser,
    releaseAddress,
    createUser: createProvenUser,
    rereadAddressee,
    revokeAccess,
    proveAddress,
    issueSession,
  },
  outcomes: {
    signedIn,
    awaitingConfirmation: outcome({
      needs: ['confirmation'],
      answer: ({ confirmation }) => ({ kind: 'page', status: 200, page: confirmation }),
    }),
    previewed: outcome({ answer: () => ({ kind: 'json', status: 200, body: null }) }),
    sentElsewhere,
    invalid: failed,
    refused: failed,
    denied: failed,
    faulted,
  },
})
