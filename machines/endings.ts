/** How a final state counts: as success, as a refusal, or as an unexpected fault. */
export type Ending = 'success' | 'refusal' | 'fault'

/** Ends a flow in which a step threw. */
export const faulted = {
  type: 'final',
  description: 'An unexpected error occurred',
  meta: { spec: ['FI-01', 'DEC-34'], ending: 'fault' },
} as const
