import { webauthnChart, webauthnOptionsChart } from '../../../machines/passkeys.ts'
import { RateLimited } from '../../errors/classes.ts'
import { jsonHeaders, limitHeaders } from '../../http/respond.ts'
import { confirmUser } from '../../flows/shared/store-user.ts'
import { callSignIn } from '../../flows/shared/call-sign-in.ts'
import { checkCsrf } from '../../flows/shared/check-csrf.ts'
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
import { checkChange } from '../../policy/check-change.ts'
import { checkFactor, describeNewcomer, keepAuthentication } from '../../flows/shared/check-factor.ts'
import { issuanceSteps } from '../../flows/shared/issue-session.ts'
import {
  advanceCounter,
  buildAuthenticationOptions,
  checkOptionsRateLimit,
  findAuthenticator,
  findCredentialOwner,
  verifyAuthentication,
} from '../../flows/shared/prove-passkey.ts'
import { recognitionSteps } from '../../flows/shared/recognition.ts'
import { resolveCallbackUrl } from '../../flows/shared/resolve-callback-url.ts'
import {
  buildRegistrationOptions,
  chooseCeremony,
  identifyAsker,
  listCredentials,
  readAction,
  sealChallenge,
} from './ceremony.ts'
import { openChallenge, readCredential, recheckPasskey, withdrawSession } from './response.ts'
import { challengeCookie } from '../../webauthn/challenge.ts'
import {
  challenged,
  clearing,
  failed,
  faulted,
  held,
  sentElsewhere,
  signedIn,
  stale,
} from '../../flows/shared/endings.ts'
import { flow, outcome } from '../../flows/engine/flow.ts'
import { json } from '../../flows/engine/result.ts'
import type { AdapterAccount } from '../../types/adapter.ts'
import type { CeremonyKind } from '../../webauthn/challenge.ts'
import type { NewAuthenticator } from '../../webauthn/verify.ts'

/** The facts that only the steps below provide. */
declare module '../../flows/engine/facts.ts' {
  interface Facts {
    /** The ceremony that the page's script requests. */
    readonly wish: CeremonyKind | 'whatever-suits'
    /** Why the page's script gets no options. */
    readonly complaint: string
    /** The authenticator that is being registered. */
    readonly enrolled: NewAuthenticator
    /** The account that this run stored for it. */
    readonly linked: AdapterAccount
  }
}

export const webauthnOptionsFlow = flow({
  chart: webauthnOptionsChart,
  begins: ['visit', 'webauthnProvider'],
  steps: {
    readAction,
    checkRateLimit: checkOptionsRateLimit,
    ...recognitionSteps,
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

/** Where the held sign-in of an owner continues. */
const ownerAfterGates = {
  flow: webauthnChart.id,
  at: 'admittingOwner',
  facts: ['credential', 'challenge', 'authenticator', 'callbackUrl', 'stamp'],
} as const

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
    callSignIn,
    ...recognitionSteps,
    verifyRegistration,
    findCredential,
    identifyRegistrant,
    checkSession: checkChange('add-passkey'),
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
    checkFactor: checkFactor(ownerAfterGates),
    ...issuanceSteps,
  },
  continues: {
    admittingOwner: ownerAfterGates,
    enrolling: { at: 'enrolling', facts: ['enrolled', 'account', 'challenge', 'callbackUrl'] },
  },
  outcomes: {
    signedIn: clearing(signedIn, challengeCookie.remove),
    held: clearing(held, challengeCookie.remove),
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
