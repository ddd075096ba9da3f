import { endingOlderLinks } from './mail-request.ts'
import { addressAdmission, addressAdmissionEnds, addressAdmitted } from './address-admission.ts'
import { chart, does } from './chart.ts'
import { faulted } from './endings.ts'
import { consumingToken, readingStamp, restored, restoringToken } from './mailed-proof.ts'
import { checkingRateLimit, checkingCsrf, refused, resolvingCallbackUrl } from './opening.ts'

/** Second half of an e-mail sign-in: the link is opened. */
export const emailVerificationChart = chart({
  id: 'email-verification',
  description: 'Use up the link, and sign in',
  meta: { spec: ['ATN-009', 'SU-01'], boundBy: ['requestedLinks'] },
  initial: 'readingLink',
  on: { fault: '.faulted' },
  states: {
    readingLink: {
      description: 'Determine who opens the link',
      meta: { spec: ['SU-10', 'SU-13', 'DEC-28c'] },
      invoke: does('readLink'),
      on: {
        'link.followed': 'checkingRequester',
        'link.confirmed': 'checkingCsrf',
        'link.previewed': 'previewed',
        'link.malformed': 'invalid',
      },
    },
    checkingRequester: {
      description: 'Check whether this browser requested the link',
      meta: { spec: ['SE-03', 'TX-21', 'DEC-28d', 'DEC-37'] },
      invoke: does('checkRequester'),
      on: {
        'confirmation.waived': 'resolvingCallbackUrl',
        'confirmation.required': 'preparingConfirmation',
      },
    },
    preparingConfirmation: {
      description: 'Build the confirmation page',
      meta: { spec: ['TX-21', 'DEC-28d'] },
      invoke: does('prepareConfirmation'),
      on: { 'confirmation.prepared': 'awaitingConfirmation' },
    },
    checkingCsrf: {
      ...checkingCsrf('resolvingCallbackUrl'),
      description: 'Check the CSRF token of the confirmation page',
      meta: { spec: ['TX-18', 'TX-21'] },
    },
    resolvingCallbackUrl: {
      ...resolvingCallbackUrl('checkingRateLimit'),
      description: 'Determine where the browser goes next',
    },
    checkingRateLimit: checkingRateLimit('readingStamp'),
    readingStamp: readingStamp('consumingToken'),
    consumingToken: {
      ...consumingToken('endingOlderLinks'),
      meta: { spec: ['SU-01', 'SU-02', 'SU-03', 'RO-03', 'SU-15', 'STM-02'] },
    },
    endingOlderLinks: {
      ...endingOlderLinks('forgettingLink'),
      on: { 'older-links.ended': 'forgettingLink', fault: 'restoringToken' },
    },
    forgettingLink: {
      description: 'Remove the link from the cookie of the browser that requested it',
      meta: { spec: ['DEC-37'] },
      invoke: does('forgetLink'),
      on: { 'link.forgotten': 'admitting' },
    },
    admitting: { ...addressAdmission, on: addressAdmissionEnds },
    restoringToken,
    ...addressAdmitted,
    awaitingConfirmation: {
      type: 'final',
      description:
        'A page shows the address and asks for a click: a scanner or a stranger may have opened the link',
      meta: { spec: ['DEC-28d', 'SU-10'], ending: 'success' },
    },
    previewed: {
      type: 'final',
      description: 'The link was only previewed and still works',
      meta: { spec: ['SU-10', 'DEC-28c'], ending: 'refusal' },
    },
    invalid: {
      type: 'final',
      description: 'The link is invalid, expired or already used',
      meta: { spec: ['SU-01', 'SU-03'], ending: 'refusal' },
    },
    refused,
    restored,
    faulted,
  },
})
