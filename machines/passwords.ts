import { addressAdmission } from './address-admission.ts'
import { callingSignIn, releasingAddress, revokingAccess } from './admission.ts'
import { chart, does, piece } from './chart.ts'
import { challenged, faulted } from './endings.ts'
import { endingAgain, endingFirst } from './ends.ts'
import { checkingFactor, describingNewcomer, issuance } from './issuance.ts'
import {
  consumingToken,
  failed,
  restored,
  restoringToken,
  sendingLink,
  withdrawingToken,
} from './mailed-proof.ts'
import { findingAddressee, readingAddress } from './mail-request.ts'
import { checkingRateLimit, checkingCsrf, refused, resolvingCallbackUrl } from './opening.ts'
import { nobody, recognition, somebody } from './recognition.ts'
import { held, passingGates } from './slots.ts'

/** Links are bound to the password that they replace, so a new password invalidates all of them. */
function readingHash<const T extends string>(target: T) {
  return {
    description: 'Read the password hash of the user, which every link is bound to',
    meta: { spec: ['PW-07', 'PW-08'] },
    invoke: does('readHash'),
    on: { 'hash.read': target },
  } as const
}

const checkingPassword = {
  description: 'Check the length of the new password, and whether it is known from a breach',
  meta: { spec: ['PW-06', 'PW-11'] },
  invoke: does('checkPassword'),
} as const

/** The form is shown without a session or a target, which its submission needs. */
function readingMethod<const T extends string>(shown: T) {
  return {
    description: 'Determine whether the page was opened or its form submitted',
    meta: { spec: ['PW-07', 'PW-10'] },
    invoke: does('readMethod'),
    on: { 'form.wanted': shown, 'form.submitted': 'resolvingCallbackUrl' },
  } as const
}

const awaitingPassword = {
  type: 'final',
  description: 'A page asks for a password',
  meta: { spec: ['PW-06', 'PW-08'], ending: 'success' },
} as const

const denied = {
  type: 'final',
  description: 'The application refused the attempt',
  meta: { spec: ['CB-01', 'OPT-003'], ending: 'refusal' },
} as const

const sentElsewhere = {
  type: 'final',
  description: 'The signIn callback redirects the browser',
  meta: { spec: ['CB-01'], ending: 'refusal' },
} as const

/** First half of a reset, and of a registration: mails a link to the address, whether or not it has a user. */
export const passwordRequestChart = chart({
  id: 'password-request',
  description: 'Send a link that sets a password',
  meta: { spec: ['PW-07'], title: 'New password', starts: 'POST' },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('readingMethod'),
    readingMethod: readingMethod('awaitingAddress'),
    resolvingCallbackUrl: resolvingCallbackUrl('readingAddress'),
    readingAddress: readingAddress('checkingRateLimit'),
    checkingRateLimit: checkingRateLimit('findingAddressee'),
    findingAddressee: findingAddressee('callingSignIn'),
    callingSignIn: {
      ...callingSignIn,
      on: { 'signin.allowed': 'readingHash', 'user.denied': 'denied', 'sent.elsewhere': 'sentElsewhere' },
    },
    readingHash: readingHash('storingToken'),
    storingToken: {
      description: 'Store the hash of the token',
      meta: { spec: ['PW-08', 'SU-04'] },
      invoke: does('storeToken'),
      on: { 'token.stored': 'sendingLink' },
    },
    sendingLink: { ...sendingLink('linkMailed'), meta: { spec: ['PW-07', 'SU-11'] } },
    withdrawingToken,
    awaitingAddress: {
      type: 'final',
      description: 'A page asks for the address',
      meta: { spec: ['PW-07'], ending: 'success' },
    },
    linkMailed: {
      type: 'final',
      description: 'The link was sent',
      meta: { spec: ['PW-07'], ending: 'success' },
    },
    sentElsewhere,
    refused: { ...refused, description: 'The CSRF token or the address is invalid' },
    denied,
    failed,
    faulted,
  },
})

const { creatingUser, rereading, provingAddress } = addressAdmission.states

/** Like `addressAdmission`, for the user of a link only, whose password is set before the session is issued. */
const passwordAdmission = piece({
  description: 'Ask the application, find or create the user, set the password, and issue the session',
  meta: { spec: ['PW-09', 'CB-01', 'SE-01'] },
  exits: [
    'user.admitted',
    'user.denied',
    'sent.elsewhere',
    'conflict.unexplained',
    'factor.demanded',
    'gate.held',
    'gate.refused',
  ],
  initial: 'findingAddressee',
  states: {
    findingAddressee: findingAddressee('callingSignIn'),
    callingSignIn: { ...callingSignIn, on: { 'signin.allowed': 'decidingUser' } },
    decidingUser: {
      description: 'Check whether there is a user',
      meta: { spec: ['AL-07', 'PW-09'] },
      invoke: does('decideUser'),
      on: {
        'user.known': 'checkingFactor',
        'user.new': 'passingGatesOfNewcomer',
        'address.contested': 'passingGatesOfClaimant',
      },
    },
    passingGatesOfClaimant: passingGates('releasingAddress'),
    releasingAddress,
    passingGatesOfNewcomer: passingGates('creatingUser'),
    creatingUser: {
      ...creatingUser,
      on: { 'user.created': 'describingNewcomer', 'user.conflicting': 'rereading' },
    },
    describingNewcomer: describingNewcomer('storingPassword'),
    rereading,
    checkingFactor: checkingFactor('passingGates'),
    passingGates: passingGates('revokingAccess'),
    revokingAccess: revokingAccess('provingAddress'),
    provingAddress: { ...provingAddress, on: { 'address.proven': 'endingSessions' } },
    endingSessions: endingFirst('endSessions', 'storingPassword'),
    storingPassword: {
      description: 'Store the hash of the password',
      meta: { spec: ['PW-01', 'PW-09'] },
      invoke: does('storePassword'),
      on: { 'password.stored': 'endingSessionsAgain' },
    },
    endingSessionsAgain: endingAgain('endSessions', 'issuingSession'),
    issuingSession: issuance,
  },
})

/** Second half: the link is opened, and its form is submitted. */
export const passwordResetChart = chart({
  id: 'password-reset',
  description: 'Use up the link, set the password, and sign in',
  meta: { spec: ['PW-08', 'PW-09'], title: 'New password', boundBy: ['requestedLinks'] },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('readingLink'),
    readingLink: {
      description: 'Determine whether the link was opened or its form submitted',
      meta: { spec: ['PW-08', 'SU-10', 'SU-13'] },
      invoke: does('readLink'),
      on: {
        'link.followed': 'awaitingPassword',
        'link.confirmed': 'resolvingCallbackUrl',
        'link.previewed': 'previewed',
        'link.malformed': 'invalid',
      },
    },
    resolvingCallbackUrl: resolvingCallbackUrl('checkingRateLimit'),
    checkingRateLimit: checkingRateLimit('readingHash'),
    readingHash: readingHash('consumingToken'),
    consumingToken: {
      ...consumingToken('checkingPassword'),
      meta: { spec: ['PW-08', 'SU-01', 'STM-02'] },
    },
    checkingPassword: {
      ...checkingPassword,
      meta: { spec: ['PW-06', 'PW-11', 'POL-05'] },
      on: {
        'password.accepted': 'hashingPassword',
        'password.refused': 'returningLink',
        fault: 'restoringToken',
      },
    },
    hashingPassword: {
      description: 'Hash the password',
      meta: { spec: ['PW-01'] },
      invoke: does('hashPassword'),
      on: { 'password.hashed': 'admitting', fault: 'restoringToken' },
    },
    returningLink: {
      description: 'Store the token again, so that the user can choose another password',
      meta: { spec: ['PW-06'] },
      invoke: does('restoreToken'),
      on: { 'token.restored': 'awaitingPassword' },
    },
    admitting: {
      ...passwordAdmission,
      on: {
        'user.admitted': 'signedIn',
        'user.denied': 'denied',
        'sent.elsewhere': 'sentElsewhere',
        'conflict.unexplained': 'restoringToken',
        'factor.demanded': 'held',
        'gate.held': 'held',
        'gate.refused': 'denied',
        fault: 'restoringToken',
      },
    },
    restoringToken,
    signedIn: {
      type: 'final',
      description: 'The password is set, and the browser has a new session',
      meta: { spec: ['PW-09', 'SE-01'], ending: 'success' },
    },
    held,
    awaitingPassword,
    previewed: {
      type: 'final',
      description: 'The link was only previewed and still works',
      meta: { spec: ['SU-10'], ending: 'refusal' },
    },
    sentElsewhere,
    invalid: {
      type: 'final',
      description: 'The link is invalid, expired or already used',
      meta: { spec: ['PW-08'], ending: 'refusal' },
    },
    refused,
    denied,
    restored,
    faulted,
  },
})

/** A signed-in user replaces the password. */
export const passwordChangeChart = chart({
  id: 'password-change',
  description: 'Replace the password of the signed-in user, who knows the current one',
  meta: { spec: ['PW-10'], title: 'Password change' },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('readingMethod'),
    readingMethod: readingMethod('awaitingPassword'),
    resolvingCallbackUrl: resolvingCallbackUrl('recognising'),
    recognising: { ...recognition, on: { ...somebody('checkingSession'), ...nobody('anonymous') } },
    checkingSession: {
      description: 'Check that the session has the second factor of the user, if there is one',
      meta: { spec: ['POL-01', 'PW-10'] },
      invoke: does('checkSession'),
      on: {
        'session.sufficient': 'checkingRateLimit',
        'session.stale': 'anonymous',
        'step-up.demanded': 'challenged',
      },
    },
    checkingRateLimit: checkingRateLimit('checkingCurrent'),
    checkingCurrent: {
      description: 'Compare the current password',
      meta: { spec: ['PW-10'] },
      invoke: does('checkCurrent'),
      on: { 'password.matched': 'checkingPassword', 'password.refused': 'awaitingPassword' },
    },
    checkingPassword: {
      ...checkingPassword,
      on: { 'password.accepted': 'endingSessions', 'password.refused': 'awaitingPassword' },
    },
    endingSessions: endingFirst('endSessions', 'replacingPassword'),
    replacingPassword: {
      description: 'Hash and store the new password, unless another request has replaced the current one',
      meta: { spec: ['PW-05', 'PW-10'] },
      invoke: does('replacePassword'),
      on: { 'password.stored': 'endingSessionsAgain', 'password.refused': 'awaitingPassword' },
    },
    endingSessionsAgain: endingAgain('endSessions', 'changed'),
    changed: {
      type: 'final',
      description: 'The password is replaced, and this session continues',
      meta: { spec: ['PW-10'], ending: 'success' },
    },
    awaitingPassword,
    challenged,
    anonymous: {
      type: 'final',
      description: 'Nobody is signed in',
      meta: { spec: ['PW-10'], ending: 'refusal' },
    },
    refused,
    denied,
    faulted,
  },
})
