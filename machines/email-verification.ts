import { does, chart, piece } from './chart.ts'
import { askingSignIn, issuingSession, releasingAddress } from './admission.ts'
import { askingRateLimit, checkingCsrf, endingOlderLinks, resolvingCallbackUrl } from './opening.ts'

/** As `admission`, for an address that was just proven: it has a user or gets one, and nothing is linked. */
export const addressAdmission = piece({
  description: 'Ask the application, find or make the user of the address, and issue the session',
  meta: { spec: ['CB-02', 'EM-10', 'SE-01'] },
  initial: 'findingAddressee',
  states: {
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
    askingSignIn: { ...askingSignIn, on: { 'signin.allowed': 'decidingUser' } },
    decidingUser: {
      description: 'Is there a user already?',
      meta: { spec: ['AL-07'] },
      invoke: does('decideUser'),
      on: {
        'user.known': 'revokingAccess',
        'user.new': 'creatingUser',
        'address.contested': 'releasingAddress',
      },
    },
    releasingAddress,
    creatingUser: {
      description: 'Store a new user, whose address is proven',
      meta: { spec: ['EM-10', 'CC-02'] },
      invoke: does('createUser'),
      on: { 'user.created': 'issuingSession', 'user.conflicting': 'rereading' },
    },
    rereading: {
      description: 'Has another request done it meanwhile?',
      meta: { spec: ['DEC-20a', 'CC-02'] },
      invoke: does('rereadAddressee'),
      on: { 'user.known': 'revokingAccess' },
    },
    revokingAccess: {
      description: 'Remove sessions and passkeys from before the first proof of the address',
      meta: { spec: ['AL-04', 'DEC-39c'] },
      invoke: does('revokeAccess'),
      on: { 'access.revoked': 'provingAddress', 'access.kept': 'provingAddress' },
    },
    provingAddress: {
      description: 'Note when the address was proven first',
      meta: { spec: ['EM-10'] },
      invoke: does('proveAddress'),
      on: { 'address.proven': 'issuingSession' },
    },
    issuingSession,
  },
})

/** Second half of a sign-in by e-mail: the link is followed. */
export const emailVerificationChart = chart({
  id: 'email-verification',
  description: 'Take the link once, and let the user in',
  meta: { spec: ['ATN-009', 'SU-01'] },
  initial: 'readingLink',
  on: { fault: '.faulted' },
  states: {
    readingLink: {
      description: 'Who follows the link, and how?',
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
      description: 'Did this browser request the link?',
      meta: { spec: ['SE-03', 'TX-21', 'DEC-28d', 'DEC-37'] },
      invoke: does('checkRequester'),
      on: {
        'requester.recognised': 'resolvingCallbackUrl',
        'confirmation.waived': 'resolvingCallbackUrl',
        'requester.unknown': 'preparingConfirmation',
        'confirmation.required': 'preparingConfirmation',
      },
    },
    preparingConfirmation: {
      description: 'Fill in the page that names the address and has the button',
      meta: { spec: ['TX-21', 'DEC-28d'] },
      invoke: does('prepareConfirmation'),
      on: { 'confirmation.prepared': 'awaitingConfirmation' },
    },
    checkingCsrf: {
      ...checkingCsrf('resolvingCallbackUrl'),
      description: 'Was the button of our page pressed?',
      meta: { spec: ['TX-18', 'TX-21'] },
    },
    resolvingCallbackUrl: {
      ...resolvingCallbackUrl('askingRateLimit'),
      description: 'Where shall the browser go then?',
    },
    askingRateLimit: askingRateLimit('consumingToken'),
    consumingToken: {
      description: 'Take the token out of the store; only one request gets it',
      meta: { spec: ['SU-01', 'SU-02', 'SU-03', 'SU-14', 'SU-15'] },
      invoke: does('consumeToken'),
      on: { 'token.consumed': 'endingOlderLinks', 'token.unknown': 'invalid', 'token.expired': 'invalid' },
    },
    endingOlderLinks: endingOlderLinks('forgettingLink'),
    forgettingLink: {
      description: 'Remove the link from the cookie of the browser that requested it',
      meta: { spec: ['DEC-37'] },
      invoke: does('forgetLink'),
      on: { 'link.forgotten': 'admitting' },
    },
    admitting: {
      ...addressAdmission,
      on: {
        'user.admitted': 'signedIn',
        'user.denied': 'denied',
        'sent.elsewhere': 'sentElsewhere',
        'conflict.unexplained': 'faulted',
      },
    },
    signedIn: {
      type: 'final',
      description: 'The browser has a new session',
      meta: { spec: ['SE-01', 'ATN-009'], ending: 'success' },
    },
    awaitingConfirmation: {
      type: 'final',
      description:
        'A page names the address and asks to press a button: a scanner or a stranger may have opened the link',
      meta: { spec: ['DEC-28d', 'SU-10'], ending: 'success' },
    },
    previewed: {
      type: 'final',
      description: 'Only a preview: the link still works',
      meta: { spec: ['SU-10', 'DEC-28c'], ending: 'refusal' },
    },
    sentElsewhere: {
      type: 'final',
      description: 'The signIn callback sends the browser to a URL of its own',
      meta: { spec: ['CB-01'], ending: 'refusal' },
    },
    invalid: {
      type: 'final',
      description: 'The link is invalid, expired, or was used before',
      meta: { spec: ['SU-01', 'SU-03'], ending: 'refusal' },
    },
    refused: {
      type: 'final',
      description: 'The button pressed was none of ours',
      meta: { spec: ['TX-18'], ending: 'refusal' },
    },
    denied: {
      type: 'final',
      description: 'The application said no',
      meta: { spec: ['CB-01', 'SU-12'], ending: 'refusal' },
    },
    faulted: {
      type: 'final',
      description: 'Something that should not happen',
      meta: { spec: ['FI-01', 'DEC-34'], ending: 'fault' },
    },
  },
})
