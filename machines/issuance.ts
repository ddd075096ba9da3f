import { does, piece } from './chart.ts'

/** The end of every sign-in: a session of either kind. */
export const issuance = piece({
  description: 'Issue a new session, and revoke the previous one of the browser',
  meta: { spec: ['DEC-15a', 'SE-01', 'SE-02'] },
  exits: ['user.admitted', 'user.denied'],
  initial: 'preparingSession',
  states: {
    preparingSession: {
      description: 'Determine the kind and lifetime of the session',
      meta: { spec: ['OPT-007', 'TX-19'] },
      invoke: does('prepareSession'),
      on: { 'token.wanted': 'issuingToken', 'row.wanted': 'storingSession' },
    },
    issuingToken: {
      description: 'Call the jwt callback, and encrypt the session token',
      meta: { spec: ['CB-03', 'DEC-21a'] },
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
      on: { 'session.stored': 'revokingPreviousSession' },
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
