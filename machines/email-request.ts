import { chart, does } from './chart.ts'
import { faulted } from './endings.ts'
import { failed, sendingLink, withdrawingToken } from './mailed-proof.ts'
import { nobody, recognition, somebody } from './recognition.ts'
import {
  askingToMail,
  findingAddressee,
  notMailed,
  readingIntent,
  endingOlderLinks,
  readingAddress,
} from './mail-request.ts'
import { checkingRateLimit, checkingCsrf, resolvingCallbackUrl } from './opening.ts'

/** First half of an e-mail sign-in: sends a link to the address. */
export const emailRequestChart = chart({
  id: 'email-request',
  description: 'Send a link that signs in once',
  meta: { spec: ['ATN-007', 'SU-11'], starts: 'POST' },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('resolvingCallbackUrl'),
    resolvingCallbackUrl: resolvingCallbackUrl('readingAddress'),
    readingAddress: readingAddress('checkingRateLimit'),
    checkingRateLimit: checkingRateLimit('findingAddressee'),
    findingAddressee: findingAddressee('callingSignIn'),
    callingSignIn: askingToMail('readingIntent'),
    readingIntent: readingIntent('recognising', 'endingOlderLinks'),
    recognising: { ...recognition, on: { ...somebody('endingOlderLinks'), ...nobody('endingOlderLinks') } },
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
    withdrawingToken,
    linkMailed: {
      type: 'final',
      description: 'The link was sent',
      meta: { spec: ['CB-02', 'IL-01'], ending: 'success' },
    },
    ...notMailed,
    failed,
    faulted,
  },
})
