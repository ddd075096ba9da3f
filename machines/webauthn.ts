import { askingSignIn, issuingSession } from './admission.ts'
import { chart, does, piece } from './chart.ts'
import { nobody, recognition, somebody } from './recognition.ts'
import { checkingCsrf, resolvingCallbackUrl } from './opening.ts'

/**
 * As `admission`, for a credential that just answered: its owner comes in, and nobody else; nothing is stored.
 * Leaves by `user.admitted`, `user.denied`, `sent.elsewhere`, `owner.mismatched` or `account.taken`.
 */
export const ownerAdmission = piece({
  description: 'Find the owner, ask the application, and issue the session',
  meta: { spec: ['WA-07', 'WA-09', 'SE-01'] },
  initial: 'findingOwner',
  states: {
    findingOwner: {
      description: 'Whose credential is it, and was the challenge for that user?',
      meta: { spec: ['WA-07', 'WA-02', 'AL-05', 'WIR-044'] },
      invoke: does('findCredentialOwner'),
      on: { 'owner.found': 'askingSignIn' },
    },
    askingSignIn: { ...askingSignIn, on: { 'signin.allowed': 'issuingSession' } },
    issuingSession,
  },
})

/**
 * As `admission`, for a credential that was just made: it goes to the user who asked for it, or to a new one. Whoever
 * has it already never comes in by registering it.
 * Leaves by `user.admitted`, `user.denied`, `sent.elsewhere`, `registrant.gone`, `account.taken` or
 * `conflict.unexplained`.
 */
export const enrolment = piece({
  description: 'Find out for whom it is, ask the application, store the credential, and issue the session',
  meta: { spec: ['WA-06', 'WA-09', 'WA-11', 'SE-01'] },
  initial: 'findingCredential',
  states: {
    findingCredential: {
      description: 'Is the credential known already?',
      meta: { spec: ['WA-06'] },
      invoke: does('findCredential'),
      on: { 'credential.new': 'recognising' },
    },
    recognising: {
      ...recognition,
      on: { ...somebody('identifyingRegistrant'), ...nobody('identifyingRegistrant') },
    },
    identifyingRegistrant: {
      description: 'Is the user who asked still signed in?',
      meta: { spec: ['WA-11', 'DEC-30f', 'DEC-16a'] },
      invoke: does('identifyRegistrant'),
      on: { 'registrant.identified': 'askingSignIn', 'newcomer.identified': 'askingSignIn' },
    },
    askingSignIn: { ...askingSignIn, on: { 'signin.allowed': 'decidingMember' } },
    decidingMember: {
      description: 'Which user does the credential go to?',
      meta: { spec: ['WA-11', 'AL-01'] },
      invoke: does('decideMember'),
      on: { 'link.allowed': 'linkingAccount', 'user.new': 'creatingUser' },
    },
    creatingUser: {
      description: 'Store a new user, without an address',
      meta: { spec: ['AL-07', 'WA-10', 'DEC-39a'] },
      invoke: does('createUser'),
      on: { 'user.created': 'linkingAccount', 'user.conflicting': 'explainingConflict' },
    },
    linkingAccount: {
      description: 'Store the account with its user',
      meta: { spec: ['AL-02'] },
      invoke: does('linkCredential'),
      on: { 'account.linked': 'storingAuthenticator', 'account.conflicting': 'withdrawing' },
    },
    storingAuthenticator: {
      description: 'Store the public key and the counter',
      meta: { spec: ['WA-06', 'AL-07'] },
      invoke: does('storeAuthenticator'),
      on: { 'authenticator.stored': 'issuingSession', 'authenticator.conflicting': 'withdrawing' },
    },
    withdrawing: {
      description: 'Take back what was stored for nothing',
      meta: { spec: ['FI-02', 'AL-11'] },
      invoke: does('withdrawEnrolment'),
      on: { 'enrolment.withdrawn': 'explainingConflict' },
    },
    explainingConflict: {
      description: 'Has another request taken the credential?',
      meta: { spec: ['DEC-20a', 'WA-06'] },
      invoke: does('explainConflict'),
      on: {},
    },
    issuingSession,
  },
})

/** Second half of a WebAuthn ceremony: the authenticator has answered. */
export const webauthnChart = chart({
  id: 'webauthn',
  description: "Verify the authenticator's answer, and let its owner in",
  meta: { spec: ['ATN-001', 'DEC-30a'] },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: {
      ...checkingCsrf('resolvingCallbackUrl'),
      meta: { spec: ['TX-17', 'TX-18', 'DEC-30b'] },
    },
    resolvingCallbackUrl: resolvingCallbackUrl('readingCredential'),
    readingCredential: {
      description: 'Is it the answer of an authenticator at all?',
      meta: { spec: ['WA-12'] },
      invoke: does('readCredential'),
      on: { 'credential.read': 'openingChallenge', 'credential.malformed': 'unproven' },
    },
    openingChallenge: {
      description: 'Does this browser hold a challenge for this ceremony, at this provider?',
      meta: { spec: ['WA-01', 'WA-02', 'DEC-30c'] },
      invoke: does('openChallenge'),
      on: {
        'authentication.challenged': 'findingAuthenticator',
        'registration.challenged': 'verifyingRegistration',
        'challenge.missing': 'refused',
        'challenge.invalid': 'refused',
      },
    },
    findingAuthenticator: {
      description: 'Is it one of the credentials that were offered, and do we know it?',
      meta: { spec: ['WA-07', 'DEC-30d'] },
      invoke: does('findAuthenticator'),
      on: {
        'authenticator.found': 'verifyingAuthentication',
        'authenticator.unknown': 'unproven',
        'credential.unoffered': 'unproven',
      },
    },
    verifyingAuthentication: {
      description: 'Did it sign this challenge, for this site, with its user there?',
      meta: { spec: ['WA-02', 'WA-03', 'WA-04', 'WA-12'] },
      invoke: does('verifyAuthentication'),
      on: { 'authentication.verified': 'advancingCounter', 'authentication.unverified': 'unproven' },
    },
    advancingCounter: {
      description: 'Has it signed more often than we know of? If not, there may be a copy of it',
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
        'account.taken': 'notLinked',
      },
    },
    verifyingRegistration: {
      description: 'Was it made for this challenge and this site, with its user there?',
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
        'account.taken': 'notLinked',
        'conflict.unexplained': 'faulted',
      },
    },
    signedIn: {
      type: 'final',
      description: 'The browser has a new session',
      meta: { spec: ['SE-01'], ending: 'success' },
    },
    sentElsewhere: {
      type: 'final',
      description: 'The signIn callback sends the browser to a URL of its own',
      meta: { spec: ['CB-01', 'WA-09'], ending: 'refusal' },
    },
    refused: {
      type: 'final',
      description: 'The answer does not belong to a ceremony of this browser',
      meta: { spec: ['TX-18', 'WA-02', 'WA-11'], ending: 'refusal' },
    },
    unproven: {
      type: 'final',
      description: 'The answer does not prove who it is',
      meta: { spec: ['WA-03', 'WA-05', 'WA-07', 'WA-12'], ending: 'refusal' },
    },
    denied: {
      type: 'final',
      description: 'The application said no',
      meta: { spec: ['CB-01', 'WA-09'], ending: 'refusal' },
    },
    notLinked: {
      type: 'final',
      description: 'The credential is another user’s',
      meta: { spec: ['WA-06', 'WIR-044'], ending: 'refusal' },
    },
    faulted: {
      type: 'final',
      description: 'Something that should not happen',
      meta: { spec: ['FI-01', 'DEC-34'], ending: 'fault' },
    },
  },
})
