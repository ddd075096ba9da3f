import { does, piece } from './chart.ts'
import { passingGates, settlingGates } from './slots.ts'

/** The final state of a sign-in whose user has a second factor, or of a registration that needs it. */
export const factorDemanded = {
  type: 'final',
  description: 'The first factor was accepted, and a page asks for the second one',
  meta: { spec: ['SF-01'], ending: 'success' },
} as const

/** Runs before anything changes for a user who may have a second factor. Otherwise it ends by `factor.demanded`. */
export function checkingFactor<const T extends string>(target: T) {
  return {
    description: 'Check whether the user must enter a second factor first',
    meta: { spec: ['SF-01', 'SF-02', 'SF-09', 'POL-01'] },
    invoke: does('checkFactor'),
    on: { 'factor.unneeded': target },
  } as const
}

/** A user who was just created has no second factor. */
export function describingNewcomer<const T extends string>(target: T) {
  return {
    description: 'Record how and when a new user authenticated',
    meta: { spec: ['SF-07'] },
    invoke: does('describeNewcomer'),
    on: { 'authentication.described': target },
  } as const
}

/** For a signed-in user who adds a credential, and thereby proves no earlier credential. */
export function keepingAuthentication<const T extends string>(target: T) {
  return {
    description: 'Keep how and when the signed-in user authenticated',
    meta: { spec: ['SF-07', 'POL-04'] },
    invoke: does('keepAuthentication'),
    on: { 'authentication.kept': target },
  } as const
}

/** The end of every sign-in: a session of either kind, unless the user must enter a second factor first. */
export const issuance = piece({
  description: 'Issue a new session, and revoke the previous one of the browser',
  meta: { spec: ['DEC-15a', 'SE-01', 'SE-02'] },
  exits: ['user.admitted', 'user.denied', 'factor.demanded', 'gate.held', 'gate.refused'],
  initial: 'checkingFactor',
  states: {
    checkingFactor: checkingFactor('passingGates'),
    passingGates: passingGates('settlingGates'),
    settlingGates: settlingGates('preparingSession'),
    preparingSession: {
      description: 'Determine the kind and lifetime of the session',
      meta: { spec: ['OPT-007', 'TX-19'] },
      invoke: does('prepareSession'),
      on: { 'token.wanted': 'issuingToken', 'row.wanted': 'storingSession' },
    },
    issuingToken: {
      description: 'Call the jwt callback, and encrypt the session token',
      meta: { spec: ['CB-03', 'DEC-21a', 'STM-01'] },
      invoke: does('issueToken'),
      on: { 'token.issued': 'revokingPreviousToken' },
    },
    revokingPreviousToken: {
      description: 'Revoke the previous token of the browser, if there is a revocation list',
      meta: { spec: ['SE-02', 'FI-13'] },
      invoke: does('revokePreviousToken'),
      on: { 'previous-session.revoked': 'admittingUser' },
    },
    storingSession: {
      description: 'Store the session',
      meta: { spec: ['SE-01', 'DEC-15a'] },
      invoke: does('storeSession'),
      on: { 'session.stored': 'recheckingStamp' },
    },
    recheckingStamp: {
      description: 'Remove the session if the account has changed since the credential was checked',
      meta: { spec: ['STM-01'] },
      invoke: does('recheckStamp'),
      on: { 'stamp.kept': 'revokingPreviousSession' },
    },
    revokingPreviousSession: {
      description: 'Remove the previous session of the browser from the store',
      meta: { spec: ['SE-02', 'FI-13'] },
      invoke: does('revokePreviousSession'),
      on: { 'previous-session.revoked': 'admittingUser' },
    },
    admittingUser: {
      description: 'Set the cookies of the session, and change the CSRF token',
      meta: { spec: ['SE-01', 'TX-19', 'DEC-21b'] },
      invoke: does('admitUser'),
      on: {},
    },
  },
})

const { checkingFactor: _passed, passingGates: _gates, ...grantedStates } = issuance.states

/** The same issuance, for a user who has passed the second factor and the gates, or needs none. */
export const grantedIssuance = piece({
  description: issuance.description,
  meta: issuance.meta,
  exits: ['user.admitted', 'user.denied'],
  initial: 'settlingGates',
  states: grantedStates,
})
