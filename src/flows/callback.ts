import { callbackChart } from '../../machines/callback.ts'
import { AuthError, CallbackRouteError } from '../errors.ts'
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
import { withParameter } from './endings.ts'
import { flow, outcome } from './flow.ts'

/** Every end but the hop takes the check cookies back (decision 12). */
const refusal = outcome({
  needs: ['failure', 'visit'],
  answer: ({ failure, visit }) => ({ kind: 'error', error: failure, cookies: clearChecks(visit) }),
})

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
    signedIn: outcome({
      needs: ['visit', 'callbackUrl'],
      may: ['createdUser', 'member'],
      answer({ visit, callbackUrl, createdUser, member }, { settings }) {
        const { newUser } = settings.pages
        const isNew = createdUser !== undefined && createdUser === member
        const location =
          isNew && newUser ? withParameter(newUser, visit, 'callbackUrl', callbackUrl) : callbackUrl
        return { kind: 'redirect', location, cookies: clearChecks(visit) }
      },
    }),
    sentElsewhere: outcome({
      needs: ['visit', 'elsewhere'],
      answer: ({ visit, elsewhere }) => ({
        kind: 'redirect',
        location: elsewhere,
        cookies: clearChecks(visit),
      }),
    }),
    forwarded: outcome({
      needs: ['elsewhere'],
      answer: ({ elsewhere }) => ({ kind: 'redirect', location: elsewhere }),
    }),
    refused: refusal,
    declined: refusal,
    denied: refusal,
    notLinked: refusal,
    failed: refusal,
    faulted: outcome({
      needs: ['fault', 'visit', 'provider'],
      answer: ({ fault, visit, provider }) => ({
        kind: 'error',
        error: fault instanceof AuthError ? fault : new CallbackRouteError(fault, { provider: provider.id }),
        cookies: clearChecks(visit),
      }),
    }),
  },
})
