import { releasingAddress } from './admission.ts'
import { chart, does } from './chart.ts'
import { challenged, faulted } from './endings.ts'
import { endingAgain, endingFirst } from './ends.ts'
import { checkingRateLimit, checkingCsrf, refused } from './opening.ts'
import { failed, restored, restoringToken, sendingLink, withdrawingToken } from './mailed-proof.ts'
import { nobody, recognition, somebody } from './recognition.ts'

const anonymous = {
  type: 'final',
  description: 'Nobody is signed in, or the sign-in is not recent enough',
  meta: { spec: ['EC-02', 'EC-05'], ending: 'refusal' },
} as const

const denied = {
  type: 'final',
  description: 'The application refused the attempt',
  meta: { spec: ['OPT-003', 'EC-10'], ending: 'refusal' },
} as const

/** First half: a signed-in user asks for a link to another address. */
export const emailChangeChart = chart({
  id: 'email-change',
  description: 'Send a link that changes the e-mail address of the signed-in user',
  meta: { spec: ['EC-02', 'EC-03'], title: 'Change of the e-mail address' },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('recognising'),
    recognising: { ...recognition, on: { ...somebody('checkingSession'), ...nobody('anonymous') } },
    checkingSession: {
      description: 'Check that the user signed in recently, with the second factor if there is one',
      meta: { spec: ['EC-02', 'ACP-13'] },
      invoke: does('checkSession'),
      on: {
        'session.sufficient': 'readingAddress',
        'session.stale': 'anonymous',
        'step-up.demanded': 'challenged',
      },
    },
    readingAddress: {
      description: 'Validate the new address, if the form was sent',
      meta: { spec: ['EC-02', 'EM-02', 'EM-04'] },
      invoke: does('readAddress'),
      on: {
        'address.read': 'checkingRateLimit',
        'address.refused': 'awaitingAddress',
        'form.wanted': 'awaitingAddress',
      },
    },
    checkingRateLimit: checkingRateLimit('storingToken'),
    storingToken: {
      description: 'Replace the row of the user, so that only this link works, and seal the link',
      meta: { spec: ['EC-03', 'EC-05', 'CC-10'] },
      invoke: does('storeToken'),
      on: { 'token.stored': 'findingHolder' },
    },
    findingHolder: {
      description: 'Check whether the new address has a user, which no response reveals',
      meta: { spec: ['EC-04', 'AL-04'] },
      invoke: does('findHolder'),
      on: {
        'address.free': 'sendingLink',
        'address.contested': 'sendingLink',
        'address.taken': 'warningOwner',
      },
    },
    sendingLink: {
      ...sendingLink('linkMailed'),
      description: 'Send the link to the new address',
      meta: { spec: ['EC-03', 'CC-10'] },
    },
    warningOwner: {
      description: 'Notify the owner of the address that it already has an account',
      meta: { spec: ['EC-04'] },
      invoke: does('warnOwner'),
      on: { 'mail.sent': 'linkMailed', 'mail.unsent': 'withdrawingToken' },
    },
    withdrawingToken: { ...withdrawingToken, meta: { spec: ['SU-11', 'EC-09'] } },
    linkMailed: {
      type: 'final',
      description: 'A mail was sent to the new address',
      meta: { spec: ['EC-03', 'EC-04'], ending: 'success' },
    },
    awaitingAddress: {
      type: 'final',
      description: 'A page asks for the new address',
      meta: { spec: ['EC-02'], ending: 'success' },
    },
    challenged,
    anonymous,
    refused,
    denied,
    failed: { ...failed, meta: { spec: ['SU-11', 'EC-09'], ending: 'fault' } },
    faulted,
  },
})

/** Second half: the user opens the link, and presses its button. */
export const emailChangeConfirmChart = chart({
  id: 'email-change-confirm',
  description: 'Use up the link, and change the e-mail address of the signed-in user',
  meta: { spec: ['EC-05', 'EC-06'], title: 'Change of the e-mail address' },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('recognising'),
    recognising: { ...recognition, on: { ...somebody('checkingSession'), ...nobody('anonymous') } },
    checkingSession: {
      description: 'Check that the session has the second factor of the user, if there is one',
      meta: { spec: ['EC-05', 'POL-01'] },
      invoke: does('checkSession'),
      on: {
        'session.sufficient': 'openingLink',
        'session.stale': 'anonymous',
        'step-up.demanded': 'challenged',
      },
    },
    openingLink: {
      description: 'Open the sealed link, which must belong to this user and the current address',
      meta: { spec: ['EC-05', 'CC-10', 'SU-13'] },
      invoke: does('openLink'),
      on: {
        'link.followed': 'awaitingConfirmation',
        'link.confirmed': 'checkingRateLimit',
        'link.invalid': 'invalid',
      },
    },
    checkingRateLimit: checkingRateLimit('consumingToken'),
    consumingToken: {
      description: 'Remove the row from the store, which only one request can do',
      meta: { spec: ['EC-05', 'SU-01'] },
      invoke: does('consumeToken'),
      on: { 'token.consumed': 'findingHolder', 'token.unknown': 'invalid' },
    },
    findingHolder: {
      description: 'Check whether another user has taken the address',
      meta: { spec: ['EC-06', 'AL-04'] },
      invoke: does('findHolder'),
      on: {
        'address.free': 'endingSessions',
        'address.contested': 'releasingAddress',
        'address.taken': 'invalid',
        fault: 'restoringToken',
      },
    },
    releasingAddress: {
      ...releasingAddress,
      on: { 'address.released': 'endingSessions', fault: 'restoringToken' },
    },
    endingSessions: {
      ...endingFirst('endSessions', 'changingAddress'),
      on: { 'sessions.ended': 'changingAddress', fault: 'restoringToken' },
    },
    changingAddress: {
      description: 'Store the address as verified, unless another request was faster',
      meta: { spec: ['EC-06', 'CC-10'] },
      invoke: does('changeAddress'),
      on: {
        'address.changed': 'sendingNotice',
        'user.conflicting': 'rereading',
        fault: 'restoringToken',
      },
    },
    rereading: {
      description: 'Look the address up again after a failed write',
      meta: { spec: ['EC-06'] },
      invoke: does('rereadHolder'),
      on: {
        'address.changed': 'sendingNotice',
        'address.taken': 'invalid',
        'conflict.unexplained': 'restoringToken',
        fault: 'restoringToken',
      },
    },
    restoringToken,
    sendingNotice: {
      description: 'Notify the previous address of the change',
      meta: { spec: ['EC-08'] },
      invoke: does('sendNotice'),
      on: { 'notice.settled': 'endingSessionsAgain' },
    },
    endingSessionsAgain: endingAgain('endSessions', 'refreshingSession'),
    refreshingSession: {
      description: 'Put the new address into the session of this browser',
      meta: { spec: ['EC-07'] },
      invoke: does('refreshSession'),
      on: { 'session.refreshed': 'changed' },
    },
    changed: {
      type: 'final',
      description: 'The address has changed, and this session continues',
      meta: { spec: ['EC-06', 'EC-07'], ending: 'success' },
    },
    awaitingConfirmation: {
      type: 'final',
      description: 'A page shows both addresses and asks for confirmation, and nothing has changed',
      meta: { spec: ['EC-05', 'SU-10'], ending: 'success' },
    },
    invalid: {
      type: 'final',
      description: 'The link does not work, or the address belongs to another user',
      meta: { spec: ['EC-05', 'EC-06'], ending: 'refusal' },
    },
    anonymous,
    challenged,
    refused,
    denied,
    restored,
    faulted,
  },
})
