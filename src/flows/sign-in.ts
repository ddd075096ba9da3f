import { signInChart } from '../../machines/sign-in.ts'
import { checkCsrf } from '../steps/check-csrf.ts'
import { findSession, findUser, openToken, readSessionCookie } from '../steps/recognise.ts'
import { resolveCallbackUrl } from '../steps/resolve-callback-url.ts'
import { buildAuthorizationUrl, discoverAuthorizationServer, mintChecks } from '../steps/sign-in.ts'
import { faultedAtStart, notStarted } from './endings.ts'
import { flow, outcome } from './flow.ts'

export const signInFlow = flow({
  chart: signInChart,
  begins: ['visit', 'provider'],
  steps: {
    checkCsrf,
    resolveCallbackUrl,
    readSessionCookie,
    openToken,
    findUser,
    findSession,
    discoverServer: discoverAuthorizationServer,
    mintChecks,
    buildAuthorizationUrl,
  },
  outcomes: {
    sentToProvider: outcome({
      needs: ['authorizationUrl'],
      answer: ({ authorizationUrl }) => ({ kind: 'redirect', location: authorizationUrl }),
    }),
    refused: notStarted,
    failed: notStarted,
    faulted: faultedAtStart,
  },
})
