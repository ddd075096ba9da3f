import { does } from './chart.ts'
import type { Chart, Edges } from './states.ts'

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
  return { ...config, meta, on: { fault: '.faulted' } }
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
