import { addressAdmission, addressAdmissionEnds, addressAdmitted } from './address-admission.ts'
import { chart, does } from './chart.ts'
import { faulted } from './endings.ts'
import { failed, readingStamp, restored, restoringToken, withdrawingToken } from './mailed-proof.ts'
import { askingToMail, findingAddressee, notMailed, readingIntent, readingAddress } from './mail-request.ts'
import { checkingCsrf, checkingRateLimit, refused, resolvingCallbackUrl } from './opening.ts'
import { nobody, recognition, somebody } from './recognition.ts'

/** First half of a sign-in: sends a code to the address. */
export const mailCodeRequestChart = chart({
  id: 'mail-code-request',
  description: 'Send a code that signs in once',
  meta: { spec: ['ATN-007', 'SU-11', 'CD-01'], starts: 'POST' },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('resolvingCallbackUrl'),
    resolvingCallbackUrl: resolvingCallbackUrl('readingAddress'),
    readingAddress: readingAddress('checkingRateLimit'),
    checkingRateLimit: checkingRateLimit('findingAddressee'),
    findingAddressee: findingAddressee('callingSignIn'),
    callingSignIn: askingToMail('readingIntent'),
    readingIntent: readingIntent('recognising', 'endingOlderCode'),
    recognising: { ...recognition, on: { ...somebody('endingOlderCode'), ...nobody('endingOlderCode') } },
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
    codeMailed: {
      type: 'final',
      description: 'The code was sent, and a page asks for it',
      meta: { spec: ['CD-01', 'IL-01'], ending: 'success' },
    },
    ...notMailed,
    failed,
    faulted,
  },
})

/** The code that a browser requested, as a region of the journey. */
const requestedCode = {
  description: 'A sign-in with a code in an e-mail',
  meta: { spec: ['SU-01', 'CD-03'] },
  initial: 'notRequested',
  on: {
    'mail-code-request.code-mailed': '.enteringCode',
    'mail-code-guess.faulted': '.notRequested',
    'code.remaining': '.enteringCode',
  },
  states: {
    notRequested: {
      description: 'This browser requested no code, so no code can sign in',
      meta: { spec: ['CD-03', 'CD-04'] },
      on: {},
    },
    enteringCode: {
      description: 'This browser requested a code, and no other browser can use it',
      meta: { spec: ['CD-03', 'CD-04'] },
      on: {
        'mail-code-guess.signed-in': 'notRequested',
        'mail-code-guess.address-added': 'notRequested',
        'mail-code-guess.stale': 'enteringCode',
        'mail-code-guess.challenged': 'enteringCode',
        'mail-code-guess.held': 'notRequested',
        'mail-code-guess.denied': 'notRequested',
        'mail-code-guess.sent-elsewhere': 'notRequested',
        'mail-code-guess.code-mismatched': 'enteringCode',
        'mail-code-guess.code-exhausted': 'notRequested',
        'time.passed-code-age': 'notRequested',
      },
    },
  },
} as const

/** Second half of the sign-in: a page asks for the code, and the user enters it. */
export const mailCodeGuessChart = chart({
  id: 'mail-code-guess',
  description: 'Ask for the code, use up an attempt, compare the code, and sign in',
  meta: { spec: ['ATN-009', 'SU-01', 'CD-02'], boundBy: ['requestedCode'], holds: { code: requestedCode } },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('readingCode'),
    readingCode: {
      description: 'Read the code from the form, unless the form was opened',
      meta: { spec: ['SU-13', 'CD-08', 'CD-09'] },
      invoke: does('readCode'),
      on: { 'code.read': 'openingCode', 'code.malformed': 'invalid', 'form.wanted': 'preparingForm' },
    },
    preparingForm: {
      description: 'Read the address from the cookie of this browser, unless the site has its own page',
      meta: { spec: ['CD-09', 'CFG-026'] },
      invoke: does('prepareForm'),
      on: { 'form.prepared': 'awaitingCode', 'page.replaced': 'askedElsewhere' },
    },
    openingCode: {
      description: 'Check that this browser requested a code, of this provider, that has not expired',
      meta: { spec: ['CD-03', 'CD-04', 'CD-05', 'SU-15'] },
      invoke: does('openCode'),
      on: { 'code.opened': 'checkingRateLimit', 'code.unrequested': 'invalid' },
    },
    checkingRateLimit: checkingRateLimit('readingStamp'),
    readingStamp: readingStamp('spendingAttempt'),
    spendingAttempt: {
      description: 'Remove the row of this attempt from the store, which only one request can do',
      meta: { spec: ['CD-02', 'SU-01', 'RO-03'] },
      invoke: does('spendAttempt'),
      on: { 'token.consumed': 'comparingCode', 'token.unknown': 'invalid' },
    },
    comparingCode: {
      description: 'Compare the code with the one that was mailed',
      meta: { spec: ['CD-02', 'CD-08', 'STM-02'] },
      invoke: does('compareCode'),
      on: {
        'code.matched': 'forgettingCode',
        'code.mismatched': 'grantingAttempt',
        'code.outdated': 'invalid',
      },
    },
    grantingAttempt: {
      description: 'Store a row for the next attempt, unless this was the last one',
      meta: { spec: ['CD-02'] },
      invoke: does('grantAttempt'),
      on: { 'attempt.granted': 'codeMismatched', 'attempts.exhausted': 'codeExhausted' },
    },
    forgettingCode: {
      description: 'Remove the cookie of the code',
      meta: { spec: ['CD-02'] },
      invoke: does('forgetCode'),
      on: { 'code.forgotten': 'admitting' },
    },
    admitting: { ...addressAdmission, on: addressAdmissionEnds },
    restoringToken,
    ...addressAdmitted,
    awaitingCode: {
      type: 'final',
      description: 'A page asks for the code',
      meta: { spec: ['CD-09'], ending: 'success' },
    },
    askedElsewhere: {
      type: 'final',
      description: 'The browser goes to the page of the site that asks for the code',
      meta: { spec: ['CFG-026'], ending: 'success' },
    },
    codeMismatched: {
      type: 'final',
      description: 'The code is wrong, and the page asks for it again',
      meta: { spec: ['CD-02', 'CD-09'], ending: 'refusal' },
    },
    codeExhausted: {
      type: 'final',
      description: 'The code is wrong, and this was the last attempt',
      meta: { spec: ['CD-02', 'CD-09'], ending: 'refusal' },
    },
    invalid: {
      type: 'final',
      description: 'The code is missing, expired or already used, or belongs to another browser',
      meta: { spec: ['SU-01', 'SU-03', 'CD-03'], ending: 'refusal' },
    },
    refused,
    restored,
    faulted,
  },
})
