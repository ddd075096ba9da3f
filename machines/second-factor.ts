import { chart, does, piece } from './chart.ts'
import { faulted } from './endings.ts'
import { endingAgain, endingFirst } from './ends.ts'
import { issuance } from './issuance.ts'
import { checkingRateLimit, checkingCsrf, refused, resolvingCallbackUrl } from './opening.ts'
import { nobody, recognition, somebody } from './recognition.ts'

/** Gives the page's script the options with which it asks for a passkey of the user. */
const passkeyOffer = piece({
  description: 'Offer the passkeys of the user as the second factor',
  meta: { spec: ['SF-17', 'SF-18'] },
  exits: ['passkeys.absent', 'attempt.excessive', 'challenge.sealed'],
  initial: 'findingPasskeys',
  states: {
    findingPasskeys: {
      description: 'List the passkeys of the user, unless the first factor was a passkey, too',
      meta: { spec: ['SF-17', 'SF-18'] },
      invoke: does('findPasskeys'),
      on: { 'passkeys.found': 'checkingRateLimit' },
    },
    checkingRateLimit: {
      description: 'Ask the rateLimit callback',
      meta: { spec: ['RL-01'] },
      invoke: does('checkOptionsRateLimit'),
      on: { 'attempt.allowed': 'buildingOptions' },
    },
    buildingOptions: {
      description: 'Build the options of an authentication',
      meta: { spec: ['SF-17', 'DEC-30a'] },
      invoke: does('buildAuthenticationOptions'),
      on: { 'options.built': 'sealingChallenge' },
    },
    sealingChallenge: {
      description: 'Seal the challenge into a cookie, for this sign-in or session only',
      meta: { spec: ['SF-19', 'WA-02'] },
      invoke: does('sealFactorChallenge'),
      on: {},
    },
  },
})

/** Verifies a passkey as at a sign-in, and limits attempts as for codes. */
const passkeyCheck = piece({
  description: 'Verify a passkey of the user',
  meta: { spec: ['SF-17', 'SF-19'] },
  exits: [
    'attempt.excessive',
    'guess.premature',
    'challenge.invalid',
    'authenticator.unknown',
    'credential.unoffered',
    'authentication.unverified',
    'counter.stale',
    'owner.mismatched',
    'account.taken',
    'owner.found',
  ],
  initial: 'checkingRateLimit',
  states: {
    checkingRateLimit: {
      ...checkingRateLimit('limitingGuesses'),
      on: { 'attempt.allowed': 'limitingGuesses' },
    },
    limitingGuesses: {
      description: 'Check that not too many attempts of the user failed',
      meta: { spec: ['SF-11'] },
      invoke: does('limitGuesses'),
      on: { 'guess.allowed': 'openingChallenge' },
    },
    openingChallenge: {
      description: 'Open the challenge, which must be of this sign-in or session, and not used',
      meta: { spec: ['SF-18', 'SF-19'] },
      invoke: does('openFactorChallenge'),
      on: { 'challenge.opened': 'findingAuthenticator' },
    },
    findingAuthenticator: {
      description: 'Look up the passkey, which must be one of those offered',
      meta: { spec: ['SF-17', 'WA-07'] },
      invoke: does('findAuthenticator'),
      on: { 'authenticator.found': 'verifyingAuthentication' },
    },
    verifyingAuthentication: {
      description: 'Verify the authentication: signature, challenge, site and user',
      meta: { spec: ['SF-17', 'WA-02', 'WA-03', 'WA-04', 'WA-12'] },
      invoke: does('verifyAuthentication'),
      on: { 'authentication.verified': 'advancingCounter' },
    },
    advancingCounter: {
      description:
        'Check that the signature counter has increased; if not, the credential may have been copied',
      meta: { spec: ['SF-17', 'WA-05'] },
      invoke: does('advanceCounter'),
      on: { 'counter.advanced': 'findingOwner' },
    },
    findingOwner: {
      description: 'Find the owner of the passkey, who must be the user',
      meta: { spec: ['SF-17', 'WA-07'] },
      invoke: does('findCredentialOwner'),
      on: {},
    },
  },
})

/** Maps every event of a response that fails to prove a passkey of the user to one state. */
function unproven<const T extends string>(target: T) {
  return {
    'authenticator.unknown': target,
    'credential.unoffered': target,
    'authentication.unverified': target,
    'counter.stale': target,
    'owner.mismatched': target,
    'account.taken': target,
  } as const
}

/** Replaces the session of the browser with one that records that the user has passed the second factor. */
const elevation = piece({
  description: 'Replace the session with one that has the second factor',
  meta: { spec: ['SF-07', 'SF-08'] },
  exits: ['session.elevated'],
  initial: 'choosingKind',
  states: {
    choosingKind: {
      description: 'Determine the kind of the session',
      meta: { spec: ['SF-07'] },
      invoke: does('chooseKind'),
      on: { 'token.wanted': 'resealingToken', 'row.wanted': 'storingSession' },
    },
    resealingToken: {
      description: 'Encrypt the session token again, with the second factor in its claims',
      meta: { spec: ['SF-07', 'SF-08'] },
      invoke: does('resealToken'),
      on: {},
    },
    storingSession: {
      description: 'Store the session under a new id, which names the second factor',
      meta: { spec: ['SF-07', 'SF-08'] },
      invoke: does('storeElevated'),
      on: { 'session.stored': 'revokingPreviousSession' },
    },
    revokingPreviousSession: {
      ...issuance.states.revokingPreviousSession,
      on: { 'previous-session.revoked': 'settingCookies' },
    },
    settingCookies: {
      description: 'Set the cookies of the session',
      meta: { spec: ['SF-08'] },
      invoke: does('setSessionCookies'),
      on: {},
    },
  },
})

const preparingForm = {
  description: 'Build the form for a code',
  meta: { spec: ['SF-03', 'SF-11'] },
  invoke: does('prepareForm'),
  on: { 'form.prepared': 'awaitingCode' },
} as const

const awaitingCode = {
  type: 'final',
  description: 'A page asks for a code',
  meta: { spec: ['SF-03'], ending: 'success' },
} as const

const anonymous = {
  type: 'final',
  description: 'The user must sign in first, or again',
  meta: { spec: ['SF-10', 'SF-13'], ending: 'refusal' },
} as const

/** Asks for the second factor, to finish a sign-in or to confirm the user of a session. */
export const factorChart = chart({
  id: 'factor',
  description: 'Check the second factor, and continue the sign-in or replace the session',
  meta: { spec: ['SF-03', 'SF-08'], boundBy: ['pendingSignIn'] },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('resolvingCallbackUrl'),
    resolvingCallbackUrl: resolvingCallbackUrl('openingHeldSignIn'),
    openingHeldSignIn: {
      description: 'Check whether this browser has a sign-in that waits for the second factor',
      meta: { spec: ['SF-02', 'SF-10'] },
      invoke: does('openWaiting'),
      on: { 'sign-in.waits': 'findingFactor', 'sign-in.absent': 'recognising' },
    },
    recognising: { ...recognition, on: { ...somebody('findingFactor'), ...nobody('anonymous') } },
    findingFactor: {
      description: 'Read the second factor of the user, which must be the one that the sign-in waits for',
      meta: { spec: ['SF-04', 'SF-09', 'SF-10'] },
      invoke: does('findFactor'),
      on: { 'factor.found': 'readingAnswer', 'factor.absent': 'unenrolled', 'factor.replaced': 'anonymous' },
    },
    readingAnswer: {
      description: 'Read the code or the response of a passkey, or whether the script asks for options',
      meta: { spec: ['SF-03', 'SF-06', 'SF-17'] },
      invoke: does('readAnswer'),
      on: {
        'code.read': 'checkingRateLimit',
        'recovery-code.read': 'comparingRecoveryCode',
        'passkey.read': 'checkingPasskey',
        'passkey.wanted': 'offeringPasskeys',
        'answer.absent': 'preparingForm',
      },
    },
    offeringPasskeys: {
      ...passkeyOffer,
      on: {
        'challenge.sealed': 'offered',
        'passkeys.absent': 'unavailable',
        'attempt.excessive': 'denied',
      },
    },
    checkingPasskey: {
      ...passkeyCheck,
      on: {
        'owner.found': 'usingCode',
        ...unproven('countingGuess'),
        'challenge.invalid': 'preparingForm',
        'attempt.excessive': 'denied',
        'guess.premature': 'denied',
      },
    },
    checkingRateLimit: checkingRateLimit('limitingGuesses'),
    limitingGuesses: {
      description: 'Check that not too many attempts of the user failed',
      meta: { spec: ['SF-11'] },
      invoke: does('limitGuesses'),
      on: { 'guess.allowed': 'comparingCode', 'guess.premature': 'denied' },
    },
    comparingCode: {
      description: 'Compare the code with those of the current time, except used ones',
      meta: { spec: ['SF-03', 'SF-05'] },
      invoke: does('compareCode'),
      on: { 'code.matched': 'usingCode', 'code.mismatched': 'countingGuess' },
    },
    comparingRecoveryCode: {
      description: 'Compare the recovery code with those that are left',
      meta: { spec: ['SF-06'] },
      invoke: does('compareRecoveryCode'),
      on: { 'code.matched': 'usingCode', 'code.mismatched': 'preparingForm' },
    },
    usingCode: {
      description:
        'Record that the code or challenge was used, unless another request has changed the factor',
      meta: { spec: ['SF-05', 'SF-06', 'SF-19'] },
      invoke: does('useCode'),
      on: { 'code.used': 'rememberingDevice', 'factor.outrun': 'preparingForm' },
    },
    countingGuess: {
      description: 'Count the wrong code or passkey',
      meta: { spec: ['SF-11'] },
      invoke: does('countGuess'),
      on: { 'guess.counted': 'preparingForm' },
    },
    rememberingDevice: {
      description: 'Remember this browser, if the user wants that',
      meta: { spec: ['SF-09'] },
      invoke: does('rememberDevice'),
      on: { 'device.considered': 'resuming', fault: 'restoringCode' },
    },
    resuming: {
      description: 'Return to the sign-in or to the session',
      meta: { spec: ['SF-02', 'SF-08'] },
      invoke: does('resume'),
      on: { 'sign-in.held': 'passed', 'session.held': 'elevating', fault: 'restoringCode' },
    },
    elevating: { ...elevation, on: { 'session.elevated': 'steppedUp', fault: 'restoringCode' } },
    restoringCode: {
      description: 'Make the code work again, unless another request has changed the factor',
      meta: { spec: ['FI-09'] },
      invoke: does('restoreCode'),
      on: { 'code.restored': 'restored' },
    },
    preparingForm,
    passed: {
      type: 'final',
      description: 'The sign-in continues, with the second factor',
      meta: { spec: ['SF-02', 'FT-02'], ending: 'success' },
    },
    steppedUp: {
      type: 'final',
      description: 'The browser has a session with the second factor',
      meta: { spec: ['SF-08'], ending: 'success' },
    },
    awaitingCode,
    offered: {
      type: 'final',
      description: 'The script gets the options for a passkey',
      meta: { spec: ['SF-17'], ending: 'success' },
    },
    unavailable: {
      type: 'final',
      description: 'The user has no passkey that can be the second factor',
      meta: { spec: ['SF-17', 'SF-18'], ending: 'refusal' },
    },
    unenrolled: {
      type: 'final',
      description: 'The user has no second factor and can enrol one',
      meta: { spec: ['SF-13'], ending: 'refusal' },
    },
    anonymous,
    refused,
    denied: {
      type: 'final',
      description: 'The application refused the attempt, or too many attempts failed',
      meta: { spec: ['CB-01', 'SF-11'], ending: 'refusal' },
    },
    restored: {
      type: 'final',
      description: 'An unexpected error occurred, and the browser can enter the code again',
      meta: { spec: ['FI-01', 'FI-09'], ending: 'fault' },
    },
    faulted,
  },
})

/** A signed-in user enrols an authenticator app. */
export const factorEnrolmentChart = chart({
  id: 'factor-enrolment',
  description: 'Enrol an authenticator app, and show recovery codes once',
  meta: { spec: ['SF-04', 'SF-13'], title: 'Second factor' },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('resolvingCallbackUrl'),
    resolvingCallbackUrl: resolvingCallbackUrl('recognising'),
    recognising: { ...recognition, on: { ...somebody('checkingSession'), ...nobody('anonymous') } },
    checkingSession: {
      description: 'Check that the user signed in recently, with the second factor if there is one',
      meta: { spec: ['SF-13'] },
      invoke: does('checkSession'),
      on: {
        'session.sufficient': 'openingSetup',
        'session.stale': 'anonymous',
        'step-up.demanded': 'challenged',
      },
    },
    openingSetup: {
      description: 'Open the secret that the form contains',
      meta: { spec: ['SF-04'] },
      invoke: does('openSetup'),
      on: { 'setup.opened': 'comparingCode', 'setup.absent': 'mintingSetup' },
    },
    mintingSetup: {
      description: 'Create a secret',
      meta: { spec: ['SF-04'] },
      invoke: does('mintSetup'),
      on: { 'setup.minted': 'preparingForm' },
    },
    comparingCode: {
      description: 'Check that the authenticator app has the secret',
      meta: { spec: ['SF-04'] },
      invoke: does('compareFirstCode'),
      on: { 'code.matched': 'endingSessions', 'code.mismatched': 'preparingForm' },
    },
    endingSessions: endingFirst('endSessions', 'storingFactor'),
    storingFactor: {
      description:
        'Store the secret and the hashes of the recovery codes, unless another request has changed the factor',
      meta: { spec: ['SF-04', 'SF-06'] },
      invoke: does('storeFactor'),
      on: { 'factor.stored': 'endingSessionsAgain', 'factor.outrun': 'mintingSetup' },
    },
    endingSessionsAgain: endingAgain('endSessions', 'elevating'),
    elevating: { ...elevation, on: { 'session.elevated': 'enrolled' } },
    preparingForm,
    enrolled: {
      type: 'final',
      description: 'A page shows the recovery codes',
      meta: { spec: ['SF-04', 'SF-06'], ending: 'success' },
    },
    awaitingCode,
    challenged: {
      type: 'final',
      description: 'The user must pass the present second factor first',
      meta: { spec: ['SF-13'], ending: 'refusal' },
    },
    anonymous,
    refused,
    faulted,
  },
})
