import { chart, does } from './chart.ts'
import { nobody, recognition, somebody } from './recognition.ts'
import { askingRateLimit, checkingCsrf, endingOlderLinks, resolvingCallbackUrl } from './opening.ts'

/** First half of an e-mail sign-in: sends a link to the address. */
export const emailRequestChart = chart({
  id: 'email-request',
  description: 'Send a link that signs in once',
  meta: { spec: ['ATN-007', 'SU-11'] },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('resolvingCallbackUrl'),
    resolvingCallbackUrl: resolvingCallbackUrl('readingAddress'),
    readingAddress: {
      description: 'Validate the e-mail address',
      meta: { spec: ['EM-02', 'EM-04', 'EM-06'] },
      invoke: does('readAddress'),
      on: { 'address.read': 'askingRateLimit', 'address.malformed': 'refused' },
    },
    askingRateLimit: askingRateLimit('findingAddressee'),
    findingAddressee: {
      description: 'Look up the user of the address',
      meta: { spec: ['ADP-005', 'EM-05'] },
      invoke: does('findAddressee'),
      on: {
        'addressee.found': 'askingSignIn',
        'addressee.unknown': 'askingSignIn',
        'address.unproven': 'askingSignIn',
      },
    },
    askingSignIn: {
      description: 'Ask the signIn callback whether to send a link',
      meta: { spec: ['CB-02', 'SU-12'] },
      invoke: does('askSignIn'),
      on: {
        'signin.allowed': 'readingIntent',
        'user.denied': 'denied',
        'sent.elsewhere': 'sentElsewhere',
      },
    },
    readingIntent: {
      description:
        'Check whether the address may be added to the signed-in user, who registered with a passkey',
      meta: { spec: ['DEC-38', 'DEC-39e'] },
      invoke: does('readIntent'),
      on: {
        'linking.possible': 'recognising',
        'linking.unwanted': 'endingOlderLinks',
      },
    },
    recognising: {
      ...recognition,
      on: { ...somebody('endingOlderLinks'), ...nobody('endingOlderLinks') },
    },
    endingOlderLinks: endingOlderLinks('storingToken'),
    storingToken: {
      description: 'Store the hash of the token',
      meta: { spec: ['SU-04', 'SU-05', 'SU-11'] },
      invoke: does('storeToken'),
      on: { 'token.stored': 'sendingLink' },
    },
    sendingLink: {
      description: 'Send the link',
      meta: { spec: ['SU-11', 'EM-08'] },
      invoke: does('sendLink'),
      on: { 'link.sent': 'rememberingLink', 'link.unsent': 'withdrawingToken' },
    },
    rememberingLink: {
      description: 'Mark this browser as the one that requested the link',
      meta: { spec: ['SE-03', 'DEC-37'] },
      invoke: does('rememberLink'),
      on: { 'link.remembered': 'linkMailed' },
    },
    withdrawingToken: {
      description: 'Remove the token of a link that was not sent',
      meta: { spec: ['SU-11'] },
      invoke: does('withdrawToken'),
      on: { 'token.withdrawn': 'failed' },
    },
    linkMailed: {
      type: 'final',
      description: 'The link was sent',
      meta: { spec: ['CB-02', 'IL-01'], ending: 'success' },
    },
    sentElsewhere: {
      type: 'final',
      description: 'The signIn callback redirects the browser',
      meta: { spec: ['CB-01'], ending: 'refusal' },
    },
    refused: {
      type: 'final',
      description: 'The CSRF token or the address is invalid',
      meta: { spec: ['TX-18', 'EM-06'], ending: 'refusal' },
    },
    denied: {
      type: 'final',
      description: 'The application refused the sign-in',
      meta: { spec: ['SU-12'], ending: 'refusal' },
    },
    failed: {
      type: 'final',
      description: 'The mail could not be sent',
      meta: { spec: ['SU-11'], ending: 'fault' },
    },
    faulted: {
      type: 'final',
      description: 'An unexpected error occurred',
      meta: { spec: ['FI-01', 'DEC-34'], ending: 'fault' },
    },
  },
})
