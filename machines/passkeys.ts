import { chart, does } from './chart.ts'
import { challenged, faulted, stale } from './endings.ts'
import { checkingCsrf, checkingRateLimit, resolvingCallbackUrl } from './opening.ts'
import { enrolment, ownerAdmission } from './passkey-admission.ts'
import { nobody, recognition, somebody } from './recognition.ts'
import { held } from './slots.ts'

/** First half of a WebAuthn ceremony: the page's script requests options. */
export const webauthnOptionsChart = chart({
  id: 'webauthn-options',
  description: 'Identify the user, choose the ceremony, and seal its challenge',
  meta: { spec: ['WIR-048', 'WA-02'], title: 'Passkey options', starts: 'GET', isRoutine: true },
  initial: 'readingAction',
  on: { fault: '.faulted' },
  states: {
    readingAction: {
      description: 'Read the requested ceremony',
      meta: { spec: ['WIR-048'] },
      invoke: does('readAction'),
      on: { 'action.read': 'checkingRateLimit', 'action.invalid': 'refused' },
    },
    checkingRateLimit: {
      ...checkingRateLimit('recognising'),
      meta: { spec: ['RL-01'] },
    },
    recognising: {
      ...recognition,
      on: { ...somebody('choosingCeremony'), ...nobody('identifyingAsker') },
    },
    identifyingAsker: {
      description: 'Identify the user by the form',
      meta: { spec: ['WIR-048', 'WA-08', 'EM-05'] },
      invoke: does('identifyAsker'),
      on: {
        'asker.known': 'choosingCeremony',
        'asker.new': 'choosingCeremony',
        'asker.untold': 'choosingCeremony',
      },
    },
    choosingCeremony: {
      description: 'Choose between authentication and registration',
      meta: { spec: ['WA-11', 'WIR-048'] },
      invoke: does('chooseCeremony'),
      on: {
        'authentication.chosen': 'offeringCredentials',
        'registration.chosen': 'excludingCredentials',
        'ceremony.impossible': 'refused',
      },
    },
    offeringCredentials: {
      description: 'List the credentials that may respond',
      meta: { spec: ['WA-07', 'WA-08'] },
      invoke: does('listCredentials'),
      on: { 'credentials.listed': 'buildingAuthenticationOptions' },
    },
    excludingCredentials: {
      description: 'List the credentials that the user already has',
      meta: { spec: ['WA-06'] },
      invoke: does('listCredentials'),
      on: { 'credentials.listed': 'buildingRegistrationOptions' },
    },
    buildingAuthenticationOptions: {
      description: 'Build the options of an authentication',
      meta: { spec: ['DEC-30a'] },
      invoke: does('buildAuthenticationOptions'),
      on: { 'options.built': 'sealingChallenge' },
    },
    buildingRegistrationOptions: {
      description: 'Build the options of a registration',
      meta: { spec: ['DEC-30a'] },
      invoke: does('buildRegistrationOptions'),
      on: { 'options.built': 'sealingChallenge' },
    },
    sealingChallenge: {
      description: 'Seal the challenge and its context into a cookie',
      meta: { spec: ['WA-02'] },
      invoke: does('sealChallenge'),
      on: { 'challenge.sealed': 'answered' },
    },
    answered: {
      type: 'final',
      description: 'The script gets its options',
      meta: { spec: ['WIR-048'], ending: 'success' },
    },
    refused: {
      type: 'final',
      description: 'The ceremony does not exist, or not for this user',
      meta: { spec: ['WIR-048', 'WA-11'], ending: 'refusal' },
    },
    denied: {
      type: 'final',
      description: 'There were too many attempts',
      meta: { spec: ['RL-01', 'RL-02'], ending: 'refusal' },
    },
    faulted,
  },
})

/** The challenge that a browser holds, as a region of the journey. */
const challenge = {
  description: 'A sign-in or a registration with a passkey',
  meta: { spec: ['WA-02', 'DEC-30c'] },
  initial: 'unchallenged',
  on: {
    'webauthn-options.answered': '.challenged',
    'factor.offered': '.challenged',
    'webauthn.refused': '.unchallenged',
    'webauthn.unproven': '.unchallenged',
    'webauthn.faulted': '.unchallenged',
  },
  states: {
    unchallenged: {
      description: 'The browser holds no challenge, so no response of an authenticator counts',
      meta: { spec: ['WA-02'] },
      on: {},
    },
    challenged: {
      description: 'The page asks the authenticator, and the challenge is in a cookie',
      meta: { spec: ['WA-02', 'DEC-30c'] },
      on: {
        'webauthn.signed-in': 'unchallenged',
        'webauthn.held': 'unchallenged',
        'webauthn.denied': 'unchallenged',
        'webauthn.not-linked': 'unchallenged',
        'webauthn.stale': 'unchallenged',
        'webauthn.challenged': 'unchallenged',
        'webauthn.sent-elsewhere': 'unchallenged',
        'time.passed-challenge-age': 'unchallenged',
      },
    },
  },
} as const

/** Second half of a WebAuthn ceremony: the authenticator has responded. */
export const webauthnChart = chart({
  id: 'webauthn',
  description: 'Verify the response of the authenticator, and sign in its owner',
  meta: { spec: ['PRV-001', 'DEC-30a'], boundBy: ['webauthnChallenge'], holds: { passkey: challenge } },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: {
      ...checkingCsrf('resolvingCallbackUrl'),
      meta: { spec: ['TX-17', 'TX-18', 'DEC-30b'] },
    },
    resolvingCallbackUrl: resolvingCallbackUrl('readingCredential'),
    readingCredential: {
      description: 'Parse the response of the authenticator',
      meta: { spec: ['WA-12'] },
      invoke: does('readCredential'),
      on: { 'credential.read': 'openingChallenge', 'credential.malformed': 'unproven' },
    },
    openingChallenge: {
      description: 'Open the challenge of this ceremony and provider',
      meta: { spec: ['WA-01', 'WA-02'] },
      invoke: does('openChallenge'),
      on: {
        'authentication.challenged': 'findingAuthenticator',
        'registration.challenged': 'verifyingRegistration',
        'challenge.missing': 'refused',
        'challenge.invalid': 'refused',
      },
    },
    findingAuthenticator: {
      description: 'Look up the credential, which must be one of those offered',
      meta: { spec: ['WA-07'] },
      invoke: does('findAuthenticator'),
      on: {
        'authenticator.found': 'verifyingAuthentication',
        'authenticator.unknown': 'unproven',
        'credential.unoffered': 'unproven',
      },
    },
    verifyingAuthentication: {
      description: 'Verify the authentication: signature, challenge, site and user',
      meta: { spec: ['WA-02', 'WA-03', 'WA-04', 'WA-12'] },
      invoke: does('verifyAuthentication'),
      on: { 'authentication.verified': 'advancingCounter', 'authentication.unverified': 'unproven' },
    },
    advancingCounter: {
      description:
        'Check that the signature counter has increased; if not, the credential may have been copied',
      meta: { spec: ['WA-05'] },
      invoke: does('advanceCounter'),
      on: { 'counter.advanced': 'admittingOwner', 'counter.stale': 'unproven' },
    },
    admittingOwner: {
      ...ownerAdmission,
      on: {
        'user.admitted': 'signedIn',
        'user.denied': 'denied',
        'sent.elsewhere': 'sentElsewhere',
        'owner.mismatched': 'unproven',
        'session.withdrawn': 'unproven',
        'account.taken': 'notLinked',
        'factor.demanded': 'held',
        'gate.held': 'held',
        'gate.refused': 'denied',
      },
    },
    verifyingRegistration: {
      description: 'Verify the registration: challenge, site and user',
      meta: { spec: ['WA-02', 'WA-03', 'WA-04', 'WA-12'] },
      invoke: does('verifyRegistration'),
      on: { 'registration.verified': 'enrolling', 'registration.unverified': 'unproven' },
    },
    enrolling: {
      ...enrolment,
      on: {
        'user.admitted': 'signedIn',
        'user.denied': 'denied',
        'sent.elsewhere': 'sentElsewhere',
        'registrant.gone': 'refused',
        'session.stale': 'stale',
        'step-up.demanded': 'challenged',
        'session.withdrawn': 'unproven',
        'account.taken': 'notLinked',
        'conflict.unexplained': 'faulted',
        'gate.held': 'held',
        'gate.refused': 'denied',
      },
    },
    signedIn: {
      type: 'final',
      description: 'The browser has a new session',
      meta: { spec: ['SE-01'], ending: 'success' },
    },
    held,
    stale,
    challenged,
    sentElsewhere: {
      type: 'final',
      description: 'The signIn callback redirects the browser',
      meta: { spec: ['CB-01', 'WA-09'], ending: 'refusal' },
    },
    refused: {
      type: 'final',
      description: 'The response does not belong to a ceremony of this browser',
      meta: { spec: ['TX-18', 'WA-02', 'WA-11'], ending: 'refusal' },
    },
    unproven: {
      type: 'final',
      description: 'The response could not be verified',
      meta: { spec: ['WA-03', 'WA-05', 'WA-07', 'WA-12'], ending: 'refusal' },
    },
    denied: {
      type: 'final',
      description: 'The application refused the sign-in',
      meta: { spec: ['CB-01', 'WA-09'], ending: 'refusal' },
    },
    notLinked: {
      type: 'final',
      description: 'The credential belongs to another user',
      meta: { spec: ['WA-06', 'WIR-044'], ending: 'refusal' },
    },
    faulted,
  },
})
