import { chart, does } from './chart.ts'
import { checkingCsrf, resolvingCallbackUrl } from './opening.ts'

/** Ends the session of this browser. */
export const signOutChart = chart({
  id: 'sign-out',
  description: 'Revoke the session, and take its cookies back',
  meta: { spec: ['SE-10', 'SE-11'] },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('resolvingCallbackUrl'),
    resolvingCallbackUrl: {
      ...resolvingCallbackUrl('clearingCookies'),
      meta: { spec: ['RD-09'] },
    },
    clearingCookies: {
      description: 'Take back the session cookies, and change the CSRF token',
      meta: { spec: ['SE-11', 'CK-16', 'TX-19'] },
      invoke: does('clearSessionCookies'),
      on: { 'cookies.cleared': 'readingCookie' },
    },
    readingCookie: {
      description: 'Did the request carry a session cookie?',
      meta: { spec: ['SE-11'] },
      invoke: does('readSessionCookie'),
      on: { 'cookie.absent': 'signedOut', 'token.held': 'openingToken', 'id.held': 'revokingSession' },
    },
    openingToken: {
      description: 'Whose token was it?',
      meta: { spec: ['EVT-010'] },
      invoke: does('openToken'),
      on: { 'token.opened': 'askingEndSession', 'token.expired': 'signedOut', 'token.invalid': 'signedOut' },
    },
    revokingSession: {
      description: 'Take the session out of the store',
      meta: { spec: ['SE-10', 'SE-12', 'DEC-22'] },
      invoke: does('revokeSession'),
      on: { 'session.revoked': 'askingEndSession' },
    },
    askingEndSession: {
      description: 'Shall the session at the provider end, too?',
      meta: { spec: ['OPT-004'] },
      invoke: does('askEndSession'),
      on: { 'logout.local': 'signedOut', 'logout.wanted': 'locatingLogout' },
    },
    locatingLogout: {
      description: 'Where does the provider end sessions?',
      meta: { spec: ['OPT-004', 'OPT-005'] },
      invoke: does('locateLogout'),
      on: { 'logout.located': 'signedOut', 'logout.unavailable': 'signedOut' },
    },
    signedOut: {
      type: 'final',
      description: 'Nobody is signed in in this browser any more',
      meta: { spec: ['SE-10', 'SE-11'], ending: 'success' },
    },
    refused: {
      type: 'final',
      description: 'The request was not made by a page of ours',
      meta: { spec: ['TX-18'], ending: 'refusal' },
    },
    faulted: {
      type: 'final',
      description: 'The session could not be revoked',
      meta: { spec: ['SE-12', 'DEC-22'], ending: 'fault' },
    },
  },
})
