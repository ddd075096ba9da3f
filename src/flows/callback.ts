import { callbackChart } from '../../machines/callback.ts'
import { clearChecks } from '../session/check-cookies.ts'
import {
  createUser,
  decideLink,
  findOwner,
  linkAccount,
  releaseAddress,
  removeUser,
  rereadOwner,
  updateAccount,
} from '../steps/admission.ts'
import { askSignIn } from '../steps/ask-sign-in.ts'
import { judgeResponse, openChecks, openProxyState, readResponse } from '../steps/callback.ts'
import { exchangeCode, mapProfile, readProfile, verifyIdToken } from '../steps/identity.ts'
import { issueSession } from '../steps/issue-session.ts'
import { findSession, findUser, openToken, readSessionCookie } from '../steps/recognise.ts'
import { resolveRemembered } from '../steps/resolve-callback-url.ts'
import { discoverTokenServer } from '../steps/sign-in.ts'
import { clearing, failed, faulted, sentElsewhere, signedIn } from './endings.ts'
import { flow } from './flow.ts'

/** Every end but the hop takes the check cookies back. */
const ends = {
  signedIn: clearing(signedIn, clearChecks),
  sentElsewhere: clearing(sentElsewhere, clearChecks),
  failed: clearing(failed, clearChecks),
  faulted: clearing(faulted, clearChecks),
}

export const callbackFlow = flow({
  chart: callbackChart,
  begins: ['visit', 'provider'],
  steps: {
    readResponse,
    openProxyState,
    openChecks,
    discoverServer: discoverTokenServer,
    judgeResponse,
    exchangeCode,
    verifyIdToken,
    readProfile,
    mapProfile,
    resolveCallbackUrl: resolveRemembered,
    findOwner,
    askSignIn,
    readSessionCookie,
    openToken,
    findUser,
    findSession,
    decideLink,
    releaseAddress,
    createUser,
    linkAccount,
    removeUser,
    rereadOwner,
    updateAccount,
    issueSession,
  },
  outcomes: {
    signedIn: ends.signedIn,
    sentElsewhere: ends.sentElsewhere,
    forwarded: sentElsewhere,
    refused: ends.failed,
    declined: ends.failed,
    denied: ends.failed,
    notLinked: ends.failed,
    failed: ends.failed,
    faulted: ends.faulted,
  },
})
