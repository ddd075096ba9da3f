/** The kind of a final state: a success, a refusal, or an unexpected fault. */
export type Ending = 'success' | 'refusal' | 'fault'

/** Ends a flow in which a step threw. */
export const faulted = {
  type: 'final',
  description: 'An unexpected error occurred',
  meta: { spec: ['FI-01', 'DEC-34'], ending: 'fault' },
} as const

/** Ends a flow that changes an account, for a session that is not fresh. Nothing has changed. */
export const stale = {
  type: 'final',
  description: 'The user must sign in again first',
  meta: { spec: ['POL-02'], ending: 'refusal' },
} as const

/** Ends a flow that changes an account, for a session without the second factor of its user. Nothing has changed. */
export const challenged = {
  type: 'final',
  description: 'The user must enter the second factor first',
  meta: { spec: ['POL-02'], ending: 'refusal' },
} as const
