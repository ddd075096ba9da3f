import { callbackChart } from '../../machines/callback.ts'
import { clearChecks } from '../session/check-cookies.ts'
import {
  askSignIn,
  createUser,
  decideLink,
  findOwner,
  linkAccount,
  removeUser,
  rereadOwner,
} from '../steps/admission.ts'
import { judgeResponse, openChecks, openProxyState, readResponse } from '../steps/callback.ts'
import { exchangeCode, mapProfile, readProfile, verifyIdToken } from '../steps/identity.ts'
import { issueSession } from '../steps/issue-session.ts'
import { findSession, findUser, openToken, readSessionCookie } from '../steps/recognise.ts'
import { resolveRemembered } from '../steps/resolve-callback-url.ts'
import { discoverTokenServer } from '../steps/sign-in.ts'
import { failed, faulted, sentElsewhere, signedIn } from './endings.ts'
import { flow, outcome, type Ending } from './flow.ts'

type Declared = typeof failed | typeof faulted | typeof signedIn | typeof sentElsewhere

/** Every end but the hop takes the check cookies back (decision 12). */
function clearing<D extends Declared>(declared: D) {
  return outcome({
    needs: [...declared.needs, 'visit'],
    may: declared.may,
    answer: (facts, world) => ({
      ...(declared as Ending).answer(facts, world),
      cookies: clearChecks(facts.visit),
    }),
  })
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
    createUser,
    linkAccount,
    removeUser,
    rereadOwner,
    issueSession,
  },
  outcomes: {
    signedIn: clearing(signedIn),
    sentElsewhere: clearing(sentElsewhere),
    forwarded: sentElsewhere,
    refused: clearing(failed),
    declined: clearing(failed),
    denied: clearing(failed),
    notLinked: clearing(failed),
    failed: clearing(failed),
    faulted: clearing(faulted),
  },
})
