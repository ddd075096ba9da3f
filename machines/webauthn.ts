import { callingSignIn, confirmingUser } from './admission.ts'
import { chart, does, piece } from './chart.ts'
import { challenged, faulted, stale } from './endings.ts'
import { checkingFactor, describingNewcomer, issuance, keepingAuthentication } from './issuance.ts'
import { nobody, recognition, somebody } from './recognition.ts'
import { checkingCsrf, resolvingCallbackUrl } from './opening.ts'
import { held, passingGates } from './slots.ts'

/**
 * Like `issuance`, but checks the passkey again after the session is stored. In the meantime, the first
 * verification of the user's address may have removed the passkey. It removed only the sessions that were stored by
 * then.
 */
const passkeyIssuance = piece({
  ...issuance,
  exits: ['user.admitted', 'user.denied', 'session.withdrawn'],
  states: {
    ...issuance.states,
    storingSession: {
      ...issuance.states.storingSession,
      on: { 'session.stored': 'recheckingPasskey' },
    },
    recheckingPasskey: {
      description: 'Check that the passkey was not removed before the session was stored',
      meta: { spec: ['AL-04', 'DEC-39c'] },
      invoke: does('recheckPasskey'),
      on: { 'passkey.kept': 'recheckingStamp', 'passkey.removed': 'withdrawingSession' },
    },
    withdrawingSession: {
      description: 'Remove the session of the removed passkey',
      meta: { spec: ['AL-04', 'DEC-39c'] },
      invoke: does('withdrawSession'),
      on: {},
    },
  },
})

/** Like `admission`, for a credential that responded: only its owner signs in, and nothing is stored. */
export const ownerAdmission = piece({
  description: 'Find the owner, ask the application, and issue the session',
  meta: { spec: ['WA-07', 'WA-09', 'SE-01'] },
  exits: [
    'user.admitted',
    'user.denied',
    'sent.elsewhere',
    'owner.mismatched',
    'account.taken',
    'factor.demanded',
    'session.withdrawn',
    'gate.held',
    'gate.refused',
  ],
  initial: 'findingOwner',
  states: {
    findingOwner: {
      description: 'Find the owner of the credential, who must match the challenge',
      meta: { spec: ['WA-07', 'WA-02', 'AL-05', 'WIR-044'] },
      invoke: does('findCredentialOwner'),
      on: { 'owner.found': 'callingSignIn' },
    },
    callingSignIn: { ...callingSignIn, on: { 'signin.allowed': 'checkingFactor' } },
    checkingFactor: checkingFactor('passingGates'),
    passingGates: passingGates('issuingSession'),
    issuingSession: passkeyIssuance,
  },
})

/**
 * Like `admission`, for a new credential: it goes to the user who requested it, or to a new one. Registering a known
 * credential never signs in its owner.
 */
export const enrolment = piece({
  description: 'Identify the user, ask the application, store the credential, and issue the session',
  meta: { spec: ['WA-06', 'WA-09', 'WA-11', 'SE-01'] },
  exits: [
    'user.admitted',
    'user.denied',
    'sent.elsewhere',
    'registrant.gone',
    'session.stale',
    'step-up.demanded',
    'account.taken',
    'conflict.unexplained',
    'session.withdrawn',
    'gate.held',
    'gate.refused',
  ],
  initial: 'findingCredential',
  states: {
    findingCredential: {
      description: 'Check that the credential is new',
      meta: { spec: ['WA-06'] },
      invoke: does('findCredential'),
      on: { 'credential.new': 'recognising' },
    },
    recognising: {
      ...recognition,
      on: { ...somebody('identifyingRegistrant'), ...nobody('identifyingRegistrant') },
    },
    identifyingRegistrant: {
      description: 'Check that the user who requested it is still signed in',
      meta: { spec: ['WA-11', 'SE-04'] },
      invoke: does('identifyRegistrant'),
      on: { 'registrant.identified': 'checkingSession', 'newcomer.identified': 'callingSignIn' },
    },
    checkingSession: {
      description: 'Check that the user signed in recently, with the second factor if there is one',
      meta: { spec: ['SF-20', 'POL-02'] },
      invoke: does('checkSession'),
      on: { 'session.sufficient': 'callingSignIn' },
    },
    callingSignIn: { ...callingSignIn, on: { 'signin.allowed': 'decidingMember' } },
    decidingMember: {
      description: 'Decide which user gets the credential',
      meta: { spec: ['WA-11', 'AL-01'] },
      invoke: does('decideMember'),
      on: { 'link.allowed': 'linkingAccount', 'user.new': 'passingGates' },
    },
    passingGates: passingGates('creatingUser'),
    creatingUser: {
      description: 'Store a new user without an address',
      meta: { spec: ['AL-07', 'WA-10', 'DEC-39a'] },
      invoke: does('createUser'),
      on: { 'user.created': 'linkingAccount', 'user.unconfirmed': 'confirmingUser' },
    },
    confirmingUser: confirmingUser('linkingAccount', 'explainingConflict'),
    linkingAccount: {
      description: 'Store the account',
      meta: { spec: ['AL-02'] },
      invoke: does('linkCredential'),
      on: { 'account.linked': 'storingAuthenticator', 'account.conflicting': 'withdrawing' },
    },
    storingAuthenticator: {
      description: 'Store the public key and the counter',
      meta: { spec: ['WA-06', 'AL-07'] },
      invoke: does('storeAuthenticator'),
      on: { 'authenticator.stored': 'recheckingSession', 'authenticator.conflicting': 'withdrawing' },
    },
    recheckingSession: {
      description: 'Check that the session did not end before the credential was stored',
      meta: { spec: ['WA-11', 'AL-04', 'DEC-39c'] },
      invoke: does('recheckSession'),
      on: { 'session.kept': 'announcing', 'session.ended': 'abandoning' },
    },
    abandoning: {
      description: 'Remove the credential of a user who is no longer signed in',
      meta: { spec: ['WA-11', 'AL-04', 'DEC-39c'] },
      invoke: does('abandonEnrolment'),
      on: {},
    },
    announcing: {
      description: 'Announce the events of the credential and its user',
      meta: { spec: ['AL-07', 'DEC-21b'] },
      invoke: does('announceEnrolment'),
      on: { 'newcomer.announced': 'describingNewcomer', 'passkey.announced': 'keepingAuthentication' },
    },
    describingNewcomer: describingNewcomer('issuingSession'),
    keepingAuthentication: keepingAuthentication('issuingSession'),
    withdrawing: {
      description: 'Remove what was stored',
      meta: { spec: ['FI-02', 'AL-11'] },
      invoke: does('withdrawEnrolment'),
      on: { 'enrolment.withdrawn': 'explainingConflict' },
    },
    explainingConflict: {
      description: 'Check whether another request has registered the credential',
      meta: { spec: ['CC-01', 'WA-06'] },
      invoke: does('explainConflict'),
      on: {},
    },
    issuingSession: passkeyIssuance,
  },
})

/** Second half of a WebAuthn ceremony: the authenticator has responded. */
export const webauthnChart = chart({
  id: 'webauthn',
  description: 'Verify the response of the authenticator, and sign in its owner',
  meta: { spec: ['PRV-001', 'DEC-30a'] },
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
