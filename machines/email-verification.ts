import { does, chart, piece } from './chart.ts'
import { callingSignIn, checkingSession, releasingAddress, revokingAccess } from './admission.ts'
import { challenged, faulted, stale } from './endings.ts'
import { endingAgain, endingFirst } from './ends.ts'
import { checkingFactor, describingNewcomer, issuance } from './issuance.ts'
import { consumingToken, restored, restoringToken } from './mailed-proof.ts'
import { nobody, recognition, somebody } from './recognition.ts'
import {
  checkingRateLimit,
  checkingCsrf,
  choosingMethod,
  endingOlderLinks,
  refused,
  resolvingCallbackUrl,
} from './opening.ts'
import { held, passingGates } from './slots.ts'

/**
 * Like `admission`, for a newly verified address: it has a user, is added to the signed-in user, or gets a new user.
 */
export const addressAdmission = piece({
  description: 'Ask the application, find or create the user of the address, and issue the session',
  meta: { spec: ['CB-02', 'EM-10', 'SE-01'] },
  exits: [
    'user.admitted',
    'user.denied',
    'sent.elsewhere',
    'conflict.unexplained',
    'factor.demanded',
    'session.stale',
    'step-up.demanded',
    'session.refreshed',
    'gate.held',
    'gate.refused',
  ],
  initial: 'findingAddressee',
  states: {
    findingAddressee: {
      description: 'Look up the user of the address',
      meta: { spec: ['ADP-005', 'EM-05'] },
      invoke: does('findAddressee'),
      on: {
        'addressee.found': 'callingSignIn',
        'addressee.unknown': 'callingSignIn',
        'address.unproven': 'callingSignIn',
      },
    },
    callingSignIn: { ...callingSignIn, on: { 'signin.allowed': 'decidingUser' } },
    decidingUser: {
      description: 'Check whether there is a user',
      meta: { spec: ['AL-07'] },
      invoke: does('decideUser'),
      on: {
        'user.known': 'checkingFactor',
        'user.new': 'passingGatesOfNewcomer',
        'address.contested': 'passingGatesOfClaimant',
        'starter.remembered': 'recognising',
      },
    },
    recognising: {
      ...recognition,
      description: 'Check that the user who requested the mail is still signed in',
      on: { ...somebody('decidingStarter'), ...nobody('decidingStarter') },
    },
    decidingStarter: {
      description: 'Check that the user who requested the mail is signed in and has no verified address',
      meta: { spec: ['DEC-39e', 'SE-03'] },
      invoke: does('decideStarter'),
      on: {
        'user.known': 'checkingFactor',
        'user.new': 'passingGatesOfNewcomer',
        'address.contested': 'passingGatesOfClaimant',
        'address.gained': 'checkingSession',
      },
    },
    passingGatesOfClaimant: passingGates('releasingAddress'),
    releasingAddress,
    checkingSession: checkingSession('transferringAddress'),
    transferringAddress: {
      ...releasingAddress,
      description: 'Remove the address from the user who never verified it, if there is one',
      invoke: does('releaseClaim'),
      on: { 'address.released': 'endingSessions' },
    },
    endingSessions: endingFirst('endSessions', 'addingAddress'),
    addingAddress: {
      description: 'Store the verified address with the signed-in user, who keeps the passkeys',
      meta: { spec: ['EM-10', 'DEC-39e', 'POL-02'] },
      invoke: does('addAddress'),
      on: { 'address.added': 'endingSessionsAgain', 'user.conflicting': 'rereading' },
    },
    endingSessionsAgain: endingAgain('endSessions', 'refreshingSession'),
    refreshingSession: {
      description: 'Put the address into the session of this browser',
      meta: { spec: ['POL-04'] },
      invoke: does('refreshSession'),
      on: {},
    },
    passingGatesOfNewcomer: passingGates('creatingUser'),
    creatingUser: {
      description: 'Store a new user with a verified address',
      meta: { spec: ['EM-10', 'CC-02'] },
      invoke: does('createUser'),
      on: { 'user.created': 'describingNewcomer', 'user.conflicting': 'rereading' },
    },
    describingNewcomer: describingNewcomer('issuingSession'),
    rereading: {
      description: 'Check whether another request has stored it',
      meta: { spec: ['CC-01', 'CC-02'] },
      invoke: does('rereadAddressee'),
      on: { 'user.known': 'checkingFactor' },
    },
    checkingFactor: checkingFactor('passingGates'),
    passingGates: passingGates('revokingAccess'),
    revokingAccess: revokingAccess('provingAddress'),
    provingAddress: {
      description: 'Record when the address was first verified',
      meta: { spec: ['EM-10'] },
      invoke: does('proveAddress'),
      on: { 'address.proven': 'issuingSession' },
    },
    issuingSession: issuance,
  },
})

/** Runs before a link or a code is checked, so that a change in the meantime is noticed before there is a session. */
function readingStamp<const T extends string>(target: T) {
  return {
    description: 'Look up who has the address, and read the stamp of that account',
    meta: { spec: ['STM-01', 'STM-02', 'EM-05'] },
    invoke: does('readStamp'),
    on: { 'stamp.read': target },
  } as const
}

/** Second half of an e-mail sign-in: the link is opened, or the code is entered. */
export const emailVerificationChart = chart({
  id: 'email-verification',
  description: 'Use up the link or the code, and sign in',
  meta: { spec: ['ATN-009', 'SU-01', 'CD-02'] },
  initial: 'choosingMethod',
  on: { fault: '.faulted' },
  states: {
    choosingMethod: choosingMethod('readingLink', 'readingCode'),
    readingLink: {
      description: 'Determine who opens the link',
      meta: { spec: ['SU-10', 'SU-13', 'DEC-28c'] },
      invoke: does('readLink'),
      on: {
        'link.followed': 'checkingRequester',
        'link.confirmed': 'checkingCsrf',
        'link.previewed': 'previewed',
        'link.malformed': 'invalid',
      },
    },
    checkingRequester: {
      description: 'Check whether this browser requested the link',
      meta: { spec: ['SE-03', 'TX-21', 'DEC-28d', 'DEC-37'] },
      invoke: does('checkRequester'),
      on: {
        'confirmation.waived': 'resolvingCallbackUrl',
        'confirmation.required': 'preparingConfirmation',
      },
    },
    preparingConfirmation: {
      description: 'Build the confirmation page',
      meta: { spec: ['TX-21', 'DEC-28d'] },
      invoke: does('prepareConfirmation'),
      on: { 'confirmation.prepared': 'awaitingConfirmation' },
    },
    checkingCsrf: {
      ...checkingCsrf('resolvingCallbackUrl'),
      description: 'Check the CSRF token of the confirmation page',
      meta: { spec: ['TX-18', 'TX-21'] },
    },
    resolvingCallbackUrl: {
      ...resolvingCallbackUrl('checkingRateLimit'),
      description: 'Determine where the browser goes next',
    },
    checkingRateLimit: checkingRateLimit('readingStamp'),
    readingStamp: readingStamp('consumingToken'),
    consumingToken: {
      ...consumingToken('endingOlderLinks'),
      meta: { spec: ['SU-01', 'SU-02', 'SU-03', 'RO-03', 'SU-15', 'STM-02'] },
    },
    endingOlderLinks: {
      ...endingOlderLinks('forgettingLink'),
      on: { 'older-links.ended': 'forgettingLink', fault: 'restoringToken' },
    },
    forgettingLink: {
      description: 'Remove the link from the cookie of the browser that requested it',
      meta: { spec: ['DEC-37'] },
      invoke: does('forgetLink'),
      on: { 'link.forgotten': 'admitting' },
    },
    readingCode: {
      description: 'Read the code from the form',
      meta: { spec: ['SU-13', 'CD-08'] },
      invoke: does('readCode'),
      on: { 'code.read': 'checkingCodeCsrf', 'code.malformed': 'invalid' },
    },
    checkingCodeCsrf: checkingCsrf('openingCode'),
    openingCode: {
      description: 'Check that this browser requested a code, of this provider, that has not expired',
      meta: { spec: ['CD-03', 'CD-04', 'CD-05', 'SU-15'] },
      invoke: does('openCode'),
      on: { 'code.opened': 'limitingGuesses', 'code.unrequested': 'invalid' },
    },
    limitingGuesses: checkingRateLimit('readingCodeStamp'),
    readingCodeStamp: readingStamp('spendingAttempt'),
    spendingAttempt: {
      description: 'Remove the row of this attempt from the store, which only one request can do',
      meta: { spec: ['CD-02', 'SU-01', 'RO-03'] },
      invoke: does('spendAttempt'),
      on: { 'token.consumed': 'comparingCode', 'token.unknown': 'invalid' },
    },
    comparingCode: {
      description: 'Compare the code with the one that was mailed',
      meta: { spec: ['CD-02', 'CD-08', 'STM-02'] },
      invoke: does('compareCode'),
      on: {
        'code.matched': 'forgettingCode',
        'code.mismatched': 'grantingAttempt',
        'code.outdated': 'invalid',
      },
    },
    grantingAttempt: {
      description: 'Store a row for the next attempt, unless this was the last one',
      meta: { spec: ['CD-02'] },
      invoke: does('grantAttempt'),
      on: { 'attempt.granted': 'codeMismatched', 'attempts.exhausted': 'codeExhausted' },
    },
    forgettingCode: {
      description: 'Remove the cookie of the code',
      meta: { spec: ['CD-02'] },
      invoke: does('forgetCode'),
      on: { 'code.forgotten': 'admitting' },
    },
    admitting: {
      ...addressAdmission,
      on: {
        'user.admitted': 'signedIn',
        'user.denied': 'denied',
        'sent.elsewhere': 'sentElsewhere',
        'conflict.unexplained': 'restoringToken',
        'factor.demanded': 'held',
        'session.refreshed': 'addressAdded',
        'session.stale': 'deferring',
        'step-up.demanded': 'deferringForFactor',
        'gate.held': 'held',
        'gate.refused': 'denied',
        fault: 'restoringToken',
      },
    },
    restoringToken,
    deferring: {
      description: 'Store the token again, for a user who signs in again first',
      meta: { spec: ['POL-02'] },
      invoke: does('deferToken'),
      on: { 'token.deferred': 'stale' },
    },
    deferringForFactor: {
      description: 'Store the token again, for a user who enters the second factor first',
      meta: { spec: ['POL-02'] },
      invoke: does('deferToken'),
      on: { 'token.deferred': 'challenged' },
    },
    addressAdded: {
      type: 'final',
      description: 'The signed-in user has the address, and the session continues',
      meta: { spec: ['EM-10', 'POL-04'], ending: 'success' },
    },
    stale,
    challenged,
    signedIn: {
      type: 'final',
      description: 'The browser has a new session',
      meta: { spec: ['SE-01', 'ATN-009'], ending: 'success' },
    },
    held,
    codeMismatched: {
      type: 'final',
      description: 'The code is wrong, and the page asks for it again',
      meta: { spec: ['CD-02', 'CD-09'], ending: 'refusal' },
    },
    codeExhausted: {
      type: 'final',
      description: 'The code is wrong, and this was the last attempt',
      meta: { spec: ['CD-02', 'CD-09'], ending: 'refusal' },
    },
    awaitingConfirmation: {
      type: 'final',
      description:
        'A page shows the address and asks for a click: a scanner or a stranger may have opened the link',
      meta: { spec: ['DEC-28d', 'SU-10'], ending: 'success' },
    },
    previewed: {
      type: 'final',
      description: 'The link was only previewed and still works',
      meta: { spec: ['SU-10', 'DEC-28c'], ending: 'refusal' },
    },
    sentElsewhere: {
      type: 'final',
      description: 'The signIn callback redirects the browser',
      meta: { spec: ['CB-01'], ending: 'refusal' },
    },
    invalid: {
      type: 'final',
      description: 'The link or the code is invalid, expired or already used',
      meta: { spec: ['SU-01', 'SU-03'], ending: 'refusal' },
    },
    refused,
    denied: {
      type: 'final',
      description: 'The application refused the sign-in',
      meta: { spec: ['CB-01', 'SU-12'], ending: 'refusal' },
    },
    restored,
    faulted,
  },
})
