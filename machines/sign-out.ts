import { chart, does } from './chart.ts'
import { checkingCsrf, refused, resolvingCallbackUrl } from './opening.ts'

/** Ends the session of this browser. */
export const signOutChart = chart({
  id: 'sign-out',
  description: 'Revoke the session, and clear its cookies',
  meta: { spec: ['SE-10', 'SE-11'], title: 'Sign-out' },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('resolvingCallbackUrl'),
    resolvingCallbackUrl: {
      ...resolvingCallbackUrl('clearingCookies'),
      meta: { spec: ['RD-09'] },
    },
    clearingCookies: {
      description: 'Clear the session cookies, and change the CSRF token',
      meta: { spec: ['SE-11', 'CK-16', 'TX-19'] },
      invoke: does('clearSessionCookies'),
      on: { 'cookies.cleared': 'endingHeldSignIn' },
    },
    endingHeldSignIn: {
      description:
        'End the sign-in of this browser that waits for the second factor, also in a copy of its cookie',
      meta: { spec: ['SF-02', 'POL-06'] },
      invoke: does('endHeldSignIn'),
      on: { 'held-sign-in.ended': 'readingCookie' },
    },
    readingCookie: {
      description: 'Read the session cookie',
      meta: { spec: ['SE-11'] },
      invoke: does('readSessionCookie'),
      on: { 'cookie.absent': 'signedOut', 'token.held': 'checkingNeed', 'id.held': 'revokingSession' },
    },
    checkingNeed: {
      description: 'Decide whether something needs the claims of the session token',
      meta: { spec: ['EVT-010'] },
      invoke: does('checkNeed'),
      on: { 'token.needed': 'openingToken', 'token.unneeded': 'signedOut' },
    },
    openingToken: {
      description: 'Decrypt the session token',
      meta: { spec: ['EVT-010'] },
      invoke: does('openToken'),
      on: { 'token.opened': 'revokingToken', 'token.expired': 'signedOut', 'token.invalid': 'signedOut' },
    },
    revokingToken: {
      description: 'Revoke all copies of the token, if there is a revocation list',
      meta: { spec: ['SE-10', 'SE-12', 'OPT-047'] },
      invoke: does('revokeToken'),
      on: { 'token.revoked': 'askingEndSession' },
    },
    revokingSession: {
      description: 'Remove the session from the store',
      meta: { spec: ['SE-10', 'SE-12'] },
      invoke: does('revokeSession'),
      on: { 'session.revoked': 'askingEndSession' },
    },
    askingEndSession: {
      description: 'Ask whether to end the session at the provider, too',
      meta: { spec: ['OPT-004'] },
      invoke: does('askEndSession'),
      on: { 'logout.local': 'signedOut', 'logout.wanted': 'locatingLogout' },
    },
    locatingLogout: {
      description: 'Build the logout request to the provider',
      meta: { spec: ['OPT-004', 'OPT-005'] },
      invoke: does('locateLogout'),
      on: { 'logout.located': 'signedOut', 'logout.unavailable': 'signedOut' },
    },
    signedOut: {
      type: 'final',
      description: 'Nobody is signed in',
      meta: { spec: ['SE-10', 'SE-11'], ending: 'success' },
    },
    refused,
    faulted: {
      type: 'final',
      description: 'The session could not be revoked',
      meta: { spec: ['SE-12'], ending: 'fault' },
    },
  },
})
