import { callbackChart } from '../../../machines/callback.ts'
import { signInChart } from '../../../machines/sign-in.ts'
import { flow, outcome } from '../engine/flow.ts'
import { admissionSteps } from '../shared/admission.ts'
import { callSignIn } from '../shared/call-sign-in.ts'
import type { CookieChange } from '../../cookies/cookie.ts'
import type { Visit } from '../../http/visit.ts'
import { checkCsrf } from '../shared/check-csrf.ts'
import { checkFactor, holdLink } from '../shared/check-factor.ts'
import {
  clearing,
  failed,
  faulted,
  faultedAtStart,
  notStarted,
  held,
  sentElsewhere,
  signedIn,
  stale,
} from '../shared/endings.ts'
import { issuanceSteps } from '../shared/issue-session.ts'
import { recognitionSteps } from '../shared/recognition.ts'
import { resolveCallbackUrl, resolveRemembered } from '../shared/resolve-callback-url.ts'
import { checkResponse, openChecks, openProxyState, readResponse, repeatResponse } from './callback.ts'
import { clearChecks } from './check-cookies.ts'
import { clearHeldResponse } from './held-response.ts'
import { exchangeCode, mapProfile, readProfile, verifyIdToken } from './identity.ts'
import { buildAuthorizationUrl, mintChecks, pushAuthorizationRequest } from './sign-in.ts'
import { discoverAuthorizationServer, discoverTokenServer } from '../shared/discover-server.ts'
import { redirect } from '../engine/result.ts'

/** The facts that only the steps below provide. */
declare module '../engine/facts.ts' {
  interface Facts {
    readonly authorizationUrl: string
    /** The parameters of the authorization response, not validated. */
    readonly response: URLSearchParams
    /** The parameters, with state and issuer validated. */
    readonly judgedResponse: URLSearchParams
    /** The id_token of the grant. */
    readonly idToken: string
  }
}

export const signInFlow = flow({
  chart: signInChart,
  begins: ['visit', 'provider'],
  steps: {
    checkCsrf,
    resolveCallbackUrl,
    ...recognitionSteps,
    discoverServer: discoverAuthorizationServer,
    mintChecks,
    buildAuthorizationUrl,
    pushAuthorizationRequest,
  },
  outcomes: {
    sentToProvider: outcome({
      needs: ['authorizationUrl'],
      answer: ({ authorizationUrl }) => redirect(authorizationUrl),
    }),
    refused: notStarted,
    failed: notStarted,
    faulted: faultedAtStart,
  },
})

function clearAll(visit: Visit, transaction?: string): CookieChange[] {
  return [...clearChecks(visit, transaction), ...clearHeldResponse(visit)]
}

/** Every ending except `forwarded` and `repeated` clears the cookies of the transaction. */
const ends = {
  signedIn: clearing(signedIn, clearAll),
  held: clearing(held, clearAll),
  stale: clearing(stale, clearAll),
  sentElsewhere: clearing(sentElsewhere, clearAll),
  failed: clearing(failed, clearAll),
  faulted: clearing(faulted, clearAll),
}

/** Where a held sign-in continues. */
const afterGates = {
  flow: callbackChart.id,
  at: 'admitting',
  facts: ['candidate', 'account', 'profile', 'grant', 'checks', 'callbackUrl', 'stamp'],
} as const

export const callbackFlow = flow({
  chart: callbackChart,
  begins: ['visit', 'provider'],
  steps: {
    readResponse,
    openProxyState,
    openChecks,
    repeatResponse,
    discoverServer: discoverTokenServer,
    checkResponse,
    exchangeCode,
    verifyIdToken,
    readProfile,
    mapProfile,
    resolveCallbackUrl: resolveRemembered,
    ...admissionSteps,
    checkFactor: checkFactor(afterGates),
    holdLink: holdLink(afterGates),
    callSignIn,
    ...recognitionSteps,
    ...issuanceSteps,
  },
  continues: { admitting: afterGates },
  outcomes: {
    signedIn: ends.signedIn,
    held: ends.held,
    stale: ends.stale,
    sentElsewhere: ends.sentElsewhere,
    forwarded: sentElsewhere,
    repeated: sentElsewhere,
    refused: ends.failed,
    declined: ends.failed,
    denied: ends.failed,
    notLinked: ends.failed,
    failed: ends.failed,
    faulted: ends.faulted,
  },
})
