import { callingSignIn } from './admission.ts'
import { chart, does } from './chart.ts'
import { faulted } from './endings.ts'
import { checkingFactor, issuance } from './issuance.ts'
import { checkingRateLimit, checkingCsrf, refused, resolvingCallbackUrl } from './opening.ts'
import { held, passingGates } from './slots.ts'

/** A sign-in with credentials that the application checks. */
export const credentialsChart = chart({
  id: 'credentials',
  description: 'Let the application check the credentials, and sign in',
  meta: { spec: ['ATN-006', 'CB-06'], starts: 'POST' },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: {
      ...checkingCsrf('resolvingCallbackUrl'),
      meta: { spec: ['TX-17', 'TX-18', 'TX-21'] },
    },
    resolvingCallbackUrl: resolvingCallbackUrl('checkingRateLimit'),
    checkingRateLimit: checkingRateLimit('authorizing'),
    authorizing: {
      description: 'Call authorize',
      meta: { spec: ['ATN-006', 'AL-08', 'CB-06', 'DEC-13c'] },
      invoke: does('authorize'),
      on: { 'credentials.accepted': 'callingSignIn', 'credentials.refused': 'declined' },
    },
    callingSignIn: {
      ...callingSignIn,
      on: { 'signin.allowed': 'findingMember', 'user.denied': 'denied', 'sent.elsewhere': 'sentElsewhere' },
    },
    findingMember: {
      description: 'Find the stored user, which a database session needs',
      meta: { spec: ['DEC-18a', 'DEC-18b', 'SE-21'] },
      invoke: does('findMember'),
      on: {
        'member.found': 'checkingFactor',
        'member.unneeded': 'checkingFactor',
        'member.unknown': 'faulted',
      },
    },
    checkingFactor: {
      ...checkingFactor('passingGates'),
      on: { 'factor.unneeded': 'passingGates', 'factor.demanded': 'held', 'user.denied': 'denied' },
    },
    passingGates: {
      ...passingGates('issuingSession'),
      on: { 'gate.passed': 'issuingSession', 'gate.held': 'held', 'gate.refused': 'denied' },
    },
    issuingSession: { ...issuance, on: { 'user.admitted': 'signedIn', 'user.denied': 'denied' } },
    signedIn: {
      type: 'final',
      description: 'The browser has a new session',
      meta: { spec: ['SE-01'], ending: 'success' },
    },
    held,
    sentElsewhere: {
      type: 'final',
      description: 'The signIn callback redirects the browser',
      meta: { spec: ['CB-01'], ending: 'refusal' },
    },
    refused,
    declined: {
      type: 'final',
      description: 'The credentials are wrong',
      meta: { spec: ['CB-06'], ending: 'refusal' },
    },
    denied: {
      type: 'final',
      description: 'The application refused the sign-in',
      meta: { spec: ['CB-01', 'DEC-21a'], ending: 'refusal' },
    },
    faulted,
  },
})
