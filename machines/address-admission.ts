import { callingSignIn, checkingSession, releasingAddress, revokingAccess } from './admission.ts'
import { does, piece } from './chart.ts'
import { challenged, stale } from './endings.ts'
import { endingAgain, endingFirst } from './ends.ts'
import { checkingFactor, describingNewcomer, issuance } from './issuance.ts'
import { findingAddressee } from './mail-request.ts'
import { nobody, recognition, somebody } from './recognition.ts'
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
    findingAddressee: findingAddressee('callingSignIn'),
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

/** Leads the exits of `addressAdmission` to the states of a chart. Its proof can be used again if the sign-in fails. */
export const addressAdmissionEnds = {
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
} as const

/** The states to which `addressAdmissionEnds` leads, except `restoringToken`. */
export const addressAdmitted = {
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
  sentElsewhere: {
    type: 'final',
    description: 'The signIn callback redirects the browser',
    meta: { spec: ['CB-01'], ending: 'refusal' },
  },
  denied: {
    type: 'final',
    description: 'The application refused the sign-in',
    meta: { spec: ['CB-01', 'SU-12'], ending: 'refusal' },
  },
} as const
