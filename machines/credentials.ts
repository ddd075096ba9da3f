import { askingSignIn, issuingSession } from './admission.ts'
import { chart, does } from './chart.ts'
import { askingRateLimit, checkingCsrf, resolvingCallbackUrl } from './opening.ts'

/** A sign-in by what the user typed, as the application judges it. */
export const credentialsChart = chart({
  id: 'credentials',
  description: 'Let the application judge what was typed, and let the user in',
  meta: { spec: ['ATN-006', 'ERR-004'] },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: {
      ...checkingCsrf('resolvingCallbackUrl'),
      meta: { spec: ['TX-17', 'TX-18', 'TX-21'] },
    },
    resolvingCallbackUrl: resolvingCallbackUrl('askingRateLimit'),
    askingRateLimit: askingRateLimit('authorizing'),
    authorizing: {
      description: 'Does authorize know the user?',
      meta: { spec: ['ATN-006', 'AL-08', 'CB-06', 'DEC-13c'] },
      invoke: does('authorize'),
      on: { 'credentials.accepted': 'askingSignIn', 'credentials.refused': 'declined' },
    },
    askingSignIn: {
      ...askingSignIn,
      on: { 'signin.allowed': 'findingMember', 'user.denied': 'denied', 'sent.elsewhere': 'sentElsewhere' },
    },
    findingMember: {
      description: 'A session in the store needs a user in the store',
      meta: { spec: ['DEC-18a', 'DEC-18b', 'SE-21'] },
      invoke: does('findMember'),
      on: {
        'member.found': 'issuingSession',
        'member.unneeded': 'issuingSession',
        'member.unknown': 'faulted',
      },
    },
    issuingSession: {
      ...issuingSession,
      on: { 'user.admitted': 'signedIn', 'user.denied': 'denied' },
    },
    signedIn: {
      type: 'final',
      description: 'The browser has a new session',
      meta: { spec: ['SE-01'], ending: 'success' },
    },
    sentElsewhere: {
      type: 'final',
      description: 'The signIn callback sends the browser to a URL of its own',
      meta: { spec: ['CB-01'], ending: 'refusal' },
    },
    refused: {
      type: 'final',
      description: 'The request was not made by a page of ours',
      meta: { spec: ['TX-18'], ending: 'refusal' },
    },
    declined: {
      type: 'final',
      description: 'What was typed does not let in',
      meta: { spec: ['CB-06', 'ERR-004'], ending: 'refusal' },
    },
    denied: {
      type: 'final',
      description: 'The application said no',
      meta: { spec: ['CB-01', 'DEC-21a'], ending: 'refusal' },
    },
    faulted: {
      type: 'final',
      description: 'Something that should not happen',
      meta: { spec: ['FI-01', 'DEC-34'], ending: 'fault' },
    },
  },
})
