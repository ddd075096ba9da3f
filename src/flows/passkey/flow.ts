import { webauthnOptionsChart } from '../../../machines/webauthn-options.ts'
import { webauthnChart } from '../../../machines/webauthn.ts'
import { RateLimited } from '../../errors/classes.ts'
import { jsonHeaders, limitHeaders } from '../../http/respond.ts'
import { confirmUser } from '../shared/store-user.ts'
import { askSignIn } from '../shared/ask-sign-in.ts'
import { checkCsrf } from '../shared/check-csrf.ts'
import {
  abandonEnrolment,
  announceEnrolment,
  createNewcomer,
  decideMember,
  explainConflict,
  findCredential,
  identifyRegistrant,
  linkCredential,
  recheckSession,
  storeAuthenticator,
  verifyRegistration,
  withdrawEnrolment,
} from './enrolment.ts'
import { askOptionsRateLimit } from '../shared/rate-limit.ts'
import { judgeChange } from '../../policy/judge-change.ts'
import { describeNewcomer, keepAuthentication } from '../shared/check-factor.ts'
import { issuanceSteps } from '../shared/issue-session.ts'
import { findSession, findUser, openToken, readSessionCookie } from '../shared/recognition.ts'
import { resolveCallbackUrl } from '../shared/resolve-callback-url.ts'
import {
  buildAuthenticationOptions,
  buildRegistrationOptions,
  chooseCeremony,
  identifyAsker,
  listCredentials,
  readAction,
  sealChallenge,
} from './options.ts'
import {
  findAuthenticator,
  findCredentialOwner,
  openChallenge,
  readCredential,
  recheckPasskey,
  verifyAuthentication,
  withdrawSession,
} from './sign-in.ts'
import { advanceCounter } from './signature-counter.ts'
import { challengeCookie } from '../../webauthn/challenge.ts'
import {
  challenged,
  clearing,
  factorDemanded,
  failed,
  faulted,
  sentElsewhere,
  signedIn,
  stale,
} from '../shared/endings.ts'
import { flow, outcome } from '../engine/flow.ts'
import { json } from '../engine/result.ts'

export const webauthnOptionsFlow = flow({
  chart: webauthnOptionsChart,
  begins: ['visit', 'webauthnProvider'],
  steps: {
    readAction,
    askRateLimit: askOptionsRateLimit,
    readSessionCookie,
    openToken,
    findUser,
    findSession,
    identifyAsker,
    chooseCeremony,
    listCredentials,
    buildAuthenticationOptions,
    buildRegistrationOptions,
    sealChallenge,
  },
  outcomes: {
    answered: outcome({
      needs: ['ceremony'],
      answer: ({ ceremony }) => json(ceremony),
    }),
    refused: outcome({
      needs: ['complaint'],
      answer: ({ complaint }) => json({ error: complaint }, 400),
    }),
    denied: outcome({
      needs: ['failure'],
      answer: ({ failure }) => ({
        ...json({ error: failure.type }, 429),
        headers: { ...jsonHeaders, ...(failure instanceof RateLimited && limitHeaders(failure)) },
        logs: failure,
      }),
    }),
    faulted,
  },
})

/** Ends the challenge, which is valid for a single response. */
const failedOnce = clearing(failed, challengeCookie.remove)

export const webauthnFlow = flow({
  chart: webauthnChart,
  begins: ['visit', 'webauthnProvider'],
  steps: {
    checkCsrf,
    resolveCallbackUrl,
    readCredential,
    openChallenge,
    findAuthenticator,
    verifyAuthentication,
    advanceCounter,
    findCredentialOwner,
    askSignIn,
    readSessionCookie,
    openToken,
    findUser,
    findSession,
    verifyRegistration,
    findCredential,
    identifyRegistrant,
    judgeSession: judgeChange('add-passkey'),
    describeNewcomer,
    keepAuthentication,
    decideMember,
    createUser: createNewcomer,
    confirmUser,
    linkCredential,
    storeAuthenticator,
    abandonEnrolment,
    recheckSession,
    announceEnrolment,
    recheckPasskey,
    withdrawSession,
    withdrawEnrolment,
    explainConflict,
    ...issuanceSteps,
  },
  outcomes: {
    signedIn: clearing(signedIn, challengeCookie.remove),
    factorDemanded: clearing(factorDemanded, challengeCookie.remove),
    stale: clearing(stale, challengeCookie.remove),
    challenged: clearing(challenged, challengeCookie.remove),
    sentElsewhere: clearing(sentElsewhere, challengeCookie.remove),
    refused: failedOnce,
    unproven: failedOnce,
    denied: failedOnce,
    notLinked: failedOnce,
    faulted: clearing(faulted, challengeCookie.remove),
  },
})
