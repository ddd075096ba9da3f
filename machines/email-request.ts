import { chart, does } from './chart.ts'
import { faulted } from './endings.ts'
import { failed, sendingLink, withdrawingToken } from './mailed-proof.ts'
import { nobody, recognition, somebody } from './recognition.ts'
import {
  checkingRateLimit,
  checkingCsrf,
  choosingMethod,
  endingOlderLinks,
  readingAddress,
  resolvingCallbackUrl,
} from './opening.ts'

/** First half of an e-mail sign-in: sends a link or a code to the address. */
export const emailRequestChart = chart({
  id: 'email-request',
  description: 'Send a link or a code that signs in once',
  meta: { spec: ['ATN-007', 'SU-11', 'CD-01'] },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('resolvingCallbackUrl'),
    resolvingCallbackUrl: resolvingCallbackUrl('readingAddress'),
    readingAddress: readingAddress('checkingRateLimit'),
    checkingRateLimit: checkingRateLimit('findingAddressee'),
    findingAddressee: {
      description: 'Look up the user of the address',
      meta: { spec: ['ADP-005', 'EM-05'] },
      invoke: does('findAddressee'),
      on: {
        'addressee.found': 'callingSignIn',
        'addressee.unknown': 'callingSignIn',
        'address.unproven': 'callingSignIn',
      },
    },
    callingSignIn: {
      description: 'Ask the signIn callback whether to send a mail',
      meta: { spec: ['CB-02', 'SU-12'] },
      invoke: does('callSignIn'),
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
        'linking.unwanted': 'choosingMethod',
      },
    },
    recognising: {
      ...recognition,
      on: { ...somebody('choosingMethod'), ...nobody('choosingMethod') },
    },
    choosingMethod: choosingMethod('endingOlderLinks', 'endingOlderCode'),
    endingOlderLinks: endingOlderLinks('storingToken'),
    storingToken: {
      description: 'Store the hash of the token',
      meta: { spec: ['SU-04', 'SU-05', 'SU-11'] },
      invoke: does('storeToken'),
      on: { 'token.stored': 'sendingLink' },
    },
    sendingLink: { ...sendingLink('rememberingLink'), meta: { spec: ['SU-11', 'EM-08'] } },
    rememberingLink: {
      description: 'Mark this browser as the one that requested the link',
      meta: { spec: ['SE-03', 'DEC-37'] },
      invoke: does('rememberLink'),
      on: { 'link.remembered': 'linkMailed' },
    },
    endingOlderCode: {
      description: 'Invalidate the code that this browser requested before',
      meta: { spec: ['CD-06'] },
      invoke: does('endOlderCode'),
      on: { 'older-code.ended': 'storingAttempt' },
    },
    storingAttempt: {
      description: 'Create the code, and store a row for the first attempt to enter it',
      meta: { spec: ['CD-01', 'CD-02', 'SU-11'] },
      invoke: does('storeAttempt'),
      on: { 'attempt.stored': 'sendingCode' },
    },
    sendingCode: {
      description: 'Send the code',
      meta: { spec: ['SU-11', 'CD-07'] },
      invoke: does('sendCode'),
      on: { 'mail.sent': 'rememberingCode', 'mail.unsent': 'withdrawingToken' },
    },
    rememberingCode: {
      description: 'Bind the code to this browser',
      meta: { spec: ['CD-03', 'CD-04'] },
      invoke: does('rememberCode'),
      on: { 'code.remembered': 'codeMailed' },
    },
    withdrawingToken,
    linkMailed: {
      type: 'final',
      description: 'The link was sent',
      meta: { spec: ['CB-02', 'IL-01'], ending: 'success' },
    },
    codeMailed: {
      type: 'final',
      description: 'The code was sent, and a page asks for it',
      meta: { spec: ['CD-01', 'IL-01'], ending: 'success' },
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
    failed,
    faulted,
  },
})
