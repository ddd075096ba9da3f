import { does, piece } from './chart.ts'
import { settlingGates } from './slots.ts'

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

/** The end of every sign-in: a session of either kind. */
export const issuance = piece({
  description: 'Issue a new session, and revoke the previous one of the browser',
  meta: { spec: ['DEC-15a', 'SE-01', 'SE-02'] },
  exits: ['user.admitted', 'user.denied'],
  initial: 'settlingGates',
  states: {
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
