import { credentialsChart } from '../../machines/credentials.ts'
import { askSignIn } from '../steps/ask-sign-in.ts'
import { askCredentialsRateLimit } from '../steps/ask-rate-limit.ts'
import { checkCsrf } from '../steps/check-csrf.ts'
import { authorize, findMember } from '../steps/credentials.ts'
import { issueSession } from '../steps/issue-session.ts'
import { resolveCallbackUrl } from '../steps/resolve-callback-url.ts'
import { failed, faulted, sentElsewhere, signedIn } from './endings.ts'
import { flow } from './flow.ts'

export const credentialsFlow = flow({
  chart: credentialsChart,
  begins: ['visit', 'credentialsProvider'],
  steps: {
    checkCsrf,
    resolveCallbackUrl,
    askRateLimit: askCredentialsRateLimit,
    authorize,
    askSignIn,
    findMember,
    issueSession,
  },
  outcomes: {
    signedIn,
    sentElsewhere,
    refused: failed,
    declined: failed,
    denied: failed,
    faulted,
  },
})
