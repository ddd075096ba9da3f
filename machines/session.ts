import { chart, does } from './chart.ts'
import { checkingCsrf } from './opening.ts'

/** The session route: read, extend or renew, expire, update; both strategies. */
export const sessionChart = chart({
  id: 'session',
  description: 'Tell who is signed in, and keep the session alive',
  meta: { spec: ['RTE-003', 'SE-05'] },
  initial: 'checkingCsrf',
  on: { fault: '.unavailable' },
  states: {
    checkingCsrf: {
      ...checkingCsrf('readingCookie'),
      description: 'An update must come from a page of ours; reading needs no proof',
    },
    readingCookie: {
      description: 'Does the request carry a session cookie?',
      meta: { spec: ['ATN-010'] },
      invoke: does('readSessionCookie'),
      on: { 'cookie.absent': 'anonymous', 'token.held': 'openingToken', 'id.held': 'findingSession' },
    },
    openingToken: {
      description: 'Does the session token open, and is it still valid?',
      meta: { spec: ['SE-05', 'SE-17', 'DEC-24b', 'JW-04'] },
      invoke: does('openToken'),
      on: { 'token.opened': 'renewingToken', 'token.expired': 'ended', 'token.invalid': 'ended' },
    },
    renewingToken: {
      description: 'Let the jwt callback look at the token',
      meta: { spec: ['CB-03', 'DEC-24a'] },
      invoke: does('renewToken'),
      on: { 'token.renewed': 'presentingToken', 'token.revoked': 'ended' },
    },
    presentingToken: {
      description: 'Show what the session callback lets the client see',
      meta: { spec: ['CB-04', 'SE-18'] },
      invoke: does('presentToken'),
      on: { 'session.presented': 'sealingToken' },
    },
    sealingToken: {
      description: 'Seal the token again, with a new expiry',
      meta: { spec: ['DEC-24a', 'SE-25'] },
      invoke: does('sealToken'),
      on: { 'token.sealed': 'presented' },
    },
    findingSession: {
      description: 'Does the store hold the session, and is it live?',
      meta: { spec: ['SE-04', 'SE-05'] },
      invoke: does('findSession'),
      on: {
        'session.found': 'judgingAge',
        'session.expired': 'removingSession',
        'session.unknown': 'ended',
      },
    },
    judgingAge: {
      description: 'Is an extension due?',
      meta: { spec: ['SE-06', 'SE-09'] },
      invoke: does('judgeAge'),
      on: {
        'session.fresh': 'presentingSession',
        'session.due': 'extendingSession',
        'session.overlong': 'extendingSession',
      },
    },
    extendingSession: {
      description: 'Move the expiry in the store, and in the cookie',
      meta: { spec: ['SES-012', 'SE-07', 'DEC-17a', 'DEC-17c'] },
      invoke: does('extendSession'),
      on: { 'session.extended': 'presentingSession', 'session.gone': 'ended' },
    },
    presentingSession: {
      description: 'Show what the session callback lets the client see',
      meta: { spec: ['CB-04', 'SE-18', 'DEC-17e'] },
      invoke: does('presentSession'),
      on: { 'session.presented': 'presented' },
    },
    removingSession: {
      description: 'Take the expired session out of the store',
      meta: { spec: ['SES-014', 'SE-13'] },
      invoke: does('removeSession'),
      on: { 'session.removed': 'ended' },
    },
    presented: {
      type: 'final',
      description: 'The client sees its session',
      meta: { spec: ['CB-04'], ending: 'success' },
    },
    anonymous: {
      type: 'final',
      description: 'Nobody is signed in',
      meta: { spec: ['SE-17'], ending: 'success' },
    },
    ended: {
      type: 'final',
      description: 'The session is over, and its cookie is cleared',
      meta: { spec: ['SE-13', 'SE-17', 'DEC-23b'], ending: 'refusal' },
    },
    refused: {
      type: 'final',
      description: 'The update was not made by a page of ours',
      meta: { spec: ['TX-18'], ending: 'refusal' },
    },
    unavailable: {
      type: 'final',
      description: 'The session cannot be told now; its cookie is kept',
      meta: { spec: ['FI-08', 'DEC-23a'], ending: 'fault' },
    },
  },
})
