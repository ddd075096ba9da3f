import { does } from './chart.ts'

/** Ends a flow whose form has no valid CSRF token. */
export const refused = {
  type: 'final',
  description: 'The CSRF token is missing or invalid',
  meta: { spec: ['TX-18'], ending: 'refusal' },
} as const

/**
 * Declares the first check of every POST. A missing or wrong CSRF token leads to the state `refused` of the chart.
 *
 * @param target the next state
 * @returns the state
 * @example checkingCsrf: checkingCsrf('readingAnswer')
 */
export function checkingCsrf<const T extends string>(target: T) {
  return {
    description: 'Check the CSRF token',
    meta: { spec: ['TX-17', 'TX-18'] },
    invoke: does('checkCsrf'),
    on: { 'csrf.accepted': target, 'csrf.mismatched': 'refused' },
  } as const
}

/** Limits expensive attempts. A refused attempt leads to the state `denied` of the enclosing chart. */
export function checkingRateLimit<const T extends string>(target: T) {
  return {
    description: 'Ask the rateLimit callback',
    meta: { spec: ['OPT-003', 'RL-02', 'LM-02', 'SU-06'] },
    invoke: does('checkRateLimit'),
    on: { 'attempt.allowed': target, 'attempt.excessive': 'denied' },
  } as const
}

/**
 * Declares the state that determines where the browser goes afterwards: the callback URL of the request, if the site
 * approves it.
 *
 * @param target the next state
 * @returns the state
 * @example resolvingCallbackUrl: resolvingCallbackUrl('recognising')
 */
export function resolvingCallbackUrl<const T extends string>(target: T) {
  return {
    description: 'Decide where to send the browser afterwards',
    meta: { spec: ['RD-01', 'RD-06'] },
    invoke: does('resolveCallbackUrl'),
    on: { 'callback-url.resolved': target },
  } as const
}
