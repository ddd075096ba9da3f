import { webauthnOptionsChart } from '../../machines/webauthn-options.ts'
import { webauthnChart } from '../../machines/webauthn.ts'
import { askSignIn } from '../steps/ask-sign-in.ts'
import { checkCsrf } from '../steps/check-csrf.ts'
import {
  createNewcomer,
  decideMember,
  explainConflict,
  findCredential,
  identifyRegistrant,
  linkCredential,
  storeAuthenticator,
  verifyRegistration,
  withdrawEnrolment,
} from '../steps/enrolment.ts'
import { issueSession } from '../steps/issue-session.ts'
import { findSession, findUser, openToken, readSessionCookie } from '../steps/recognise.ts'
import { resolveCallbackUrl } from '../steps/resolve-callback-url.ts'
import {
  buildAuthenticationOptions,
  buildRegistrationOptions,
  chooseCeremony,
  identifyAsker,
  listCredentials,
  readAction,
  sealChallenge,
} from '../steps/webauthn-options.ts'
import {
  advanceCounter,
  findAuthenticator,
  findCredentialOwner,
  openChallenge,
  readCredential,
  verifyAuthentication,
} from '../steps/webauthn.ts'
import { clearChallenge } from '../webauthn/challenge.ts'
import { clearing, failed, faulted, sentElsewhere, signedIn } from './endings.ts'
import { flow, outcome } from './flow.ts'

export const webauthnOptionsFlow = flow({
  chart: webauthnOptionsChart,
  begins: ['visit', 'webauthnProvider'],
  steps: {
    readAction,
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
      answer: ({ ceremony }) => ({ kind: 'json', status: 200, body: ceremony }),
    }),
    refused: outcome({
      needs: ['complaint'],
      answer: ({ complaint }) => ({ kind: 'json', status: 400, body: { error: complaint } }),
    }),
    faulted,
  },
})

/** A challenge is good for one answer, whatever comes of it. */
const failedOnce = clearing(failed, clearChallenge)

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
    decideMember,
    createUser: createNewcomer,
    linkCredential,
    storeAuthenticator,
    withdrawEnrolment,
    explainConflict,
    issueSession,
  },
  outcomes: {
    signedIn: clearing(signedIn, clearChallenge),
    sentElsewhere: clearing(sentElsewhere, clearChallenge),
    refused: failedOnce,
    unproven: failedOnce,
    denied: failedOnce,
    notLinked: failedOnce,
    faulted: clearing(faulted, clearChallenge),
  },
})
