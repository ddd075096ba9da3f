import { chart, does } from './chart.ts'
import { askingRateLimit, checkingCsrf, endingOlderLinks, resolvingCallbackUrl } from './opening.ts'

/** First half of a sign-in by e-mail: a link is mailed to the address. */
export const emailRequestChart = chart({
  id: 'email-request',
  description: 'Mail a link that signs in once',
  meta: { spec: ['ATN-007', 'SU-11'] },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('resolvingCallbackUrl'),
    resolvingCallbackUrl: resolvingCallbackUrl('readingAddress'),
    readingAddress: {
      description: 'Is it exactly one plain mailbox?',
      meta: { spec: ['EM-02', 'EM-04', 'EM-06', 'DEC-29a'] },
      invoke: does('readAddress'),
      on: { 'address.read': 'askingRateLimit', 'address.malformed': 'refused' },
    },
    askingRateLimit: askingRateLimit('findingAddressee'),
    findingAddressee: {
      description: 'Whose address is it?',
      meta: { spec: ['ADP-005', 'EM-05'] },
      invoke: does('findAddressee'),
      on: {
        'addressee.found': 'askingSignIn',
        'addressee.unknown': 'askingSignIn',
        'address.unproven': 'askingSignIn',
      },
    },
    askingSignIn: {
      description: 'Does the signIn callback let a link be sent?',
      meta: { spec: ['CB-02', 'SU-12'] },
      invoke: does('askSignIn'),
      on: {
        'signin.allowed': 'endingOlderLinks',
        'user.denied': 'denied',
        'sent.elsewhere': 'sentElsewhere',
      },
    },
    endingOlderLinks: endingOlderLinks('storingToken'),
    storingToken: {
      description: "Store the token's hash",
      meta: { spec: ['SU-04', 'SU-05', 'DEC-28a'] },
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
      description: 'A link that nobody got shall not work',
      meta: { spec: ['SU-11'] },
      invoke: does('withdrawToken'),
      on: { 'token.withdrawn': 'failed' },
    },
    linkMailed: {
      type: 'final',
      description: 'The link is on its way',
      meta: { spec: ['CB-02', 'IL-01'], ending: 'success' },
    },
    sentElsewhere: {
      type: 'final',
      description: 'The signIn callback sends the browser to a URL of its own',
      meta: { spec: ['CB-01'], ending: 'refusal' },
    },
    refused: {
      type: 'final',
      description: 'The request was not made by a page of ours, or its address is none',
      meta: { spec: ['TX-18', 'EM-06'], ending: 'refusal' },
    },
    denied: {
      type: 'final',
      description: 'The application said no',
      meta: { spec: ['SU-12'], ending: 'refusal' },
    },
    failed: {
      type: 'final',
      description: 'The mail could not be sent',
      meta: { spec: ['SU-11'], ending: 'fault' },
    },
    faulted: {
      type: 'final',
      description: 'Something that should not happen',
      meta: { spec: ['FI-01', 'DEC-34'], ending: 'fault' },
    },
  },
})
