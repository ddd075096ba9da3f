import { webauthnOptionsChart } from '../../../machines/webauthn-options.ts'
import { webauthnChart } from '../../../machines/webauthn.ts'
import { RateLimited } from '../../errors/classes.ts'
import { jsonHeaders, limitHeaders } from '../../http/respond.ts'
import { confirmUser } from '../shared/store-user.ts'
import { callSignIn } from '../shared/call-sign-in.ts'
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
import { checkOptionsRateLimit } from '../shared/rate-limit.ts'
import { checkChange } from '../../policy/check-change.ts'
import { checkFactor, describeNewcomer, keepAuthentication } from '../shared/check-factor.ts'
import { issuanceSteps } from '../shared/issue-session.ts'
import { recognitionSteps } from '../shared/recognition.ts'
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
  failed,
  faulted,
  held,
  sentElsewhere,
  signedIn,
  stale,
} from '../shared/endings.ts'
import { flow, outcome } from '../engine/flow.ts'
import { json } from '../engine/result.ts'
import type { AdapterAccount, AdapterAuthenticator } from '../../types/adapter.ts'
import type { CeremonyKind, Challenge } from '../../webauthn/challenge.ts'
import type { NewAuthenticator, SignatureState } from '../../webauthn/verify.ts'

/** The facts that only the steps below provide. */
declare module '../engine/facts.ts' {
  interface Facts {
    /** The ceremony that the page's script requests. */
    readonly wish: CeremonyKind | 'whatever-suits'
    /** Why the page's script gets no options. */
    readonly complaint: string
    /** Stored authenticators, to offer or to exclude. */
    readonly authenticators: readonly AdapterAuthenticator[]
    /** The ceremony and its options, for the page's script. */
    readonly ceremony: { readonly action: CeremonyKind; readonly options: object }
    /** A challenge, with everything that it is bound to. */
    readonly challenge: Challenge
    /** The stored authenticator that sent the response. */
    readonly authenticator: AdapterAuthenticator
    /** The signature counter and the backup state in the response. */
    readonly signatureState: SignatureState
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
