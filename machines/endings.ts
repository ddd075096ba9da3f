/** Ends a flow whose form has no valid CSRF token. */
export const refused = {
  type: 'final',
  description: 'The CSRF token is missing or invalid',
  meta: { spec: ['TX-18'], ending: 'refusal' },
} as const

/** Ends a flow in which a step threw. */
export const faulted = {
  type: 'final',
  description: 'An unexpected error occurred',
  meta: { spec: ['FI-01', 'DEC-34'], ending: 'fault' },
} as const
