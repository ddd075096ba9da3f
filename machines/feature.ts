import { admission, admissionEnds } from './admission.ts'
import { does, withoutSlots } from './chart.ts'
import { stale } from './endings.ts'
import { held } from './slots.ts'
import type { Chart, Edges } from './states.ts'

export { challenged } from './endings.ts'

/** The helpers with which the charts of features are written. Requirements of a feature are in its own documents. */
const meta = { spec: [] } as const

/**
 * Declares the chart of a feature. A step that throws leads to its state `faulted`.
 *
 * @param config the id, the description, the initial state and the states
 * @returns the chart, with its literal type, from which `flow` checks the steps and outcomes
 * @example
 * const asking = featureChart({
 *   id: 'terms',
 *   description: 'Ask whether the user accepts the terms',
 *   initial: 'checkingCsrf',
 *   states: { checkingCsrf: checkingCsrf('asking'), asking: final('A page asks', 'success'), refused, faulted },
 * })
 */
export function featureChart<
  const C extends Pick<Chart, 'id' | 'description' | 'initial' | 'states'> & {
    readonly states: { readonly faulted: object }
  },
>(config: C): C & { readonly meta: typeof meta; readonly on: { readonly fault: '.faulted' } } {
  return withoutSlots({ ...config, meta, on: { fault: '.faulted' } })
}

/**
 * Declares a state that runs a step. Its name is a gerund, such as `readingAnswer`.
 *
 * @param description what it does, for the diagrams
 * @param step the name of the step
 * @param on the next state of each event of the step
 * @returns the state
 * @example working('Read the answer', 'readAnswer', { 'terms.accepted': 'accepted', 'terms.unanswered': 'asking' })
 */
export function working<const S extends string, const On extends Edges>(
  description: string,
  step: S,
  on: On,
) {
  return { description, meta, invoke: does(step), on } as const
}

/**
 * Declares a final state. Its name is a participle or an adjective, such as `accepted`.
 *
 * @param description what has happened, for the diagrams
 * @param ending whether the flow succeeded, refused the request, or failed by its own fault
 * @returns the state
 * @example final('The sign-in continues', 'success')
 */
export function final<const E extends 'success' | 'refusal' | 'fault'>(description: string, ending: E) {
  return { type: 'final', description, meta: { ...meta, ending } } as const
}

/**
 * Declares the state that opens the sign-in that the gate of the feature holds, as the fact `subject`. Without one, the
 * flow ends in its state `lapsed`.
 *
 * @param target the next state
 * @returns the state
 * @example openingHeldSignIn: openingHeldSignIn('readingAnswer')
 */
export function openingHeldSignIn<const T extends string>(target: T) {
  return {
    description: 'Open the sign-in that the gate holds',
    meta: { spec: ['FT-03'] },
    invoke: does('openHeldSignIn'),
    on: { 'sign-in.held': target, 'sign-in.absent': 'lapsed' },
  } as const
}

/**
 * Ends a flow for a browser in which no sign-in waits, such as after the back button or ten minutes. With a session, it is
 * redirected to the site, and otherwise to the sign-in page.
 */
export const lapsed = {
  type: 'final',
  description: 'No sign-in waits in this browser',
  meta: { spec: ['FT-03'], ending: 'refusal' },
} as const

/** Ends a flow that needs a session, for a browser without one. It returns to this page after a sign-in. */
export const anonymous = {
  type: 'final',
  description: 'The user must sign in first',
  meta: { spec: ['FT-05'], ending: 'refusal' },
} as const

/**
 * Declares the state that checks that the signed-in user may make a change: the sign-in is at most 15 minutes old, and passed
 * the second factor, if the user has one. It follows `recognition`, and needs `needsRecentSignIn` of the feature. Otherwise
 * the flow ends in its states `anonymous` or `challenged`, from which the user returns to this page.
 *
 * @param target the next state
 * @returns the state
 * @example checkingSession: checkingSession('issuingKey')
 */
export function checkingSession<const T extends string>(target: T) {
  return {
    description: 'Check that the user signed in recently, with the second factor if there is one',
    meta: { spec: ['FT-25', 'ACP-13'] },
    invoke: does('checkSession'),
    on: { 'session.sufficient': target, 'session.stale': 'anonymous', 'step-up.demanded': 'challenged' },
  } as const
}

/**
 * Signs a user in, whom the feature has proven: the fact `identity` says who it is. The application is asked, the user is
 * found or created, the second factor and the gates of the other features are passed, and the session is issued. Only this
 * state issues sessions. It is the state `admitting` of the chart, which also contains the states `admitted`.
 *
 * @example states: { …, spendingCode: working('…', 'spendCode', { 'code.right': 'admitting' }), admitting, ...admitted, refused, faulted }
 */
export const admitting = {
  ...admission,
  initial: 'claimingIdentity',
  states: {
    claimingIdentity: {
      description: 'Name the account of the proven identity, or use up the approval',
      meta: { spec: ['FT-08', 'FT-11', 'FT-18', 'FT-19', 'FT-32'] },
      invoke: does('claimIdentity'),
      on: { 'identity.claimed': 'findingOwner', 'identity.approved': 'callingSignIn' },
    },
    ...admission.states,
  },
  on: admissionEnds,
} as const

/** Ends a flow that the application, a gate or the `rateLimit` callback refuses. */
export const denied = {
  type: 'final',
  description: 'The application or a feature refused the sign-in',
  meta: { spec: ['CB-01', 'FT-01', 'FT-12'], ending: 'refusal' },
} as const

/** The final states to which `admitting` leads. */
export const admitted = {
  signedIn: {
    type: 'final',
    description: 'The browser has a new session',
    meta: { spec: ['SE-01'], ending: 'success' },
  },
  held,
  stale,
  denied,
  sentElsewhere: {
    type: 'final',
    description: 'The signIn callback redirects the browser',
    meta: { spec: ['CB-01'], ending: 'refusal' },
  },
  notLinked: {
    type: 'final',
    description: 'The account or its address belongs to another user',
    meta: { spec: ['AL-01'], ending: 'refusal' },
  },
} as const

/**
 * Declares the state that asks the `rateLimit` callback of the site about the fact `attempt`, before an expensive step or a
 * guess. A refused attempt leads to the state `denied` of the chart.
 *
 * @param target the next state
 * @returns the state
 * @example checkingRateLimit: checkingRateLimit('sendingCode')
 */
export function checkingRateLimit<const T extends string>(target: T) {
  return {
    description: 'Ask the rateLimit callback',
    meta: { spec: ['FT-12'] },
    invoke: does('checkRateLimit'),
    on: { 'attempt.allowed': target, 'attempt.excessive': 'denied' },
  } as const
}
