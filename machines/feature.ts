import { does } from './chart.ts'

/** States that the flows of features share. Those of every flow are in `opening.ts` and `recognition.ts`. */

/** Opens the sign-in that the gate of the feature holds in this browser. Without one, the browser signs in first. */
export function openingHeldSignIn<const T extends string>(target: T) {
  return {
    description: 'Open the sign-in that the gate holds',
    meta: { spec: ['FT-03'] },
    invoke: does('openHeldSignIn'),
    on: { 'sign-in.held': target, 'sign-in.absent': 'anonymous' },
  } as const
}

/** Ends a flow for a browser without a session, or without a held sign-in. */
export const anonymous = {
  type: 'final',
  description: 'The user must sign in first',
  meta: { spec: ['FT-03'], ending: 'refusal' },
} as const
