import { chart, does } from './chart.ts'
import { checkingCsrf, refused } from './opening.ts'

/** The session route, for both strategies: reads, extends, renews, expires or updates a session. */
export const sessionChart = chart({
  id: 'session',
  description: 'Return the session, and keep it alive',
  meta: { spec: ['RTE-003', 'SE-05'], title: 'Session', isRoutine: true },
  initial: 'checkingCsrf',
  on: { fault: '.unavailable' },
  states: {
    checkingCsrf: {
      ...checkingCsrf('readingCookie'),
      description: 'Check the CSRF token of an update; reading needs none',
    },
    readingCookie: {
      description: 'Read the session cookie',
      meta: { spec: ['SES-010'] },
      invoke: does('readSessionCookie'),
      on: { 'cookie.absent': 'anonymous', 'token.held': 'openingToken', 'id.held': 'findingSession' },
    },
    openingToken: {
      description: 'Decrypt and validate the session token',
      meta: { spec: ['SE-05', 'SE-10', 'SE-17', 'DEC-24b', 'JW-04'] },
      invoke: does('openToken'),
      on: { 'token.opened': 'renewingToken', 'token.expired': 'ended', 'token.invalid': 'ended' },
    },
    renewingToken: {
      description: 'Call the jwt callback',
      meta: { spec: ['CB-03', 'DEC-24a'] },
      invoke: does('renewToken'),
      on: { 'token.renewed': 'presentingToken', 'token.revoked': 'ended' },
    },
    presentingToken: {
      description: 'Call the session callback',
      meta: { spec: ['CB-04', 'SE-18'] },
      invoke: does('presentToken'),
      on: { 'session.presented': 'sealingToken', 'session.read': 'presented' },
    },
    sealingToken: {
      description: 'Encrypt the token again with a new expiry',
      meta: { spec: ['DEC-24a', 'SE-25'] },
      invoke: does('sealToken'),
      on: { 'token.sealed': 'presented' },
    },
    findingSession: {
      description: 'Look up the session',
      meta: { spec: ['SE-04', 'SE-05', 'SE-10'] },
      invoke: does('findSession'),
      on: {
        'session.found': 'checkingAge',
        'session.expired': 'removingSession',
        'session.unknown': 'ended',
      },
    },
    checkingAge: {
      description: 'Check whether an extension is due',
      meta: { spec: ['SE-06', 'SE-09'] },
      invoke: does('checkAge'),
      on: {
        'session.fresh': 'presentingSession',
        'session.due': 'extendingSession',
      },
    },
    extendingSession: {
      description: 'Extend the session in the store and the cookie',
      meta: { spec: ['SES-012', 'SE-07', 'DEC-17c'] },
      invoke: does('extendSession'),
      on: { 'session.extended': 'presentingSession', 'extension.unconfirmed': 'confirmingExtension' },
    },
    confirmingExtension: {
      description: 'Read the session again, because the store did not say whether it still exists',
      meta: { spec: ['DEC-47d', 'SE-25'] },
      invoke: does('confirmExtension'),
      on: { 'session.extended': 'presentingSession', 'session.gone': 'ended' },
    },
    presentingSession: {
      description: 'Call the session callback',
      meta: { spec: ['CB-04', 'SE-18', 'DEC-17e'] },
      invoke: does('presentSession'),
      on: { 'session.presented': 'presented' },
    },
    removingSession: {
      description: 'Remove the expired session from the store',
      meta: { spec: ['SES-014', 'SE-13'] },
      invoke: does('removeSession'),
      on: { 'session.removed': 'ended' },
    },
    presented: {
      type: 'final',
      description: 'The session is returned',
      meta: { spec: ['CB-04'], ending: 'success' },
    },
    anonymous: {
      type: 'final',
      description: 'Nobody is signed in',
      meta: { spec: ['SE-17'], ending: 'success' },
    },
    ended: {
      type: 'final',
      description: 'The session has ended, and its cookie is cleared',
      meta: { spec: ['SE-13', 'SE-17', 'DEC-23b'], ending: 'refusal' },
    },
    refused,
    unavailable: {
      type: 'final',
      description: 'The session could not be read; its cookie is kept',
      meta: { spec: ['FI-08', 'DEC-23a'], ending: 'fault' },
    },
  },
})
