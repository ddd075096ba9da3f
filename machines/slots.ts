import { slotExits } from './expand.ts'

/** The places in charts where features add states, and the end of a sign-in that a gate holds. */

/** Before the first effect of a sign-in: each gate lets it pass, refuses it, or holds it until the user has done something. */
export function passingGates<const T extends string>(target: T) {
  return {
    slot: 'gates',
    passes: 'gate.passed',
    description: 'Check what the features of the site demand before a sign-in',
    meta: { spec: ['FT-01'] },
    exits: slotExits.gates,
    initial: '',
    states: {},
    on: { 'gate.passed': target },
  } as const
}

/** After the user is stored, and before the session: the features store the data that their gates collected. */
export function settlingGates<const T extends string>(target: T) {
  return {
    slot: 'settling',
    passes: 'gate.settled',
    description: 'Store what the gates have learnt about the user',
    meta: { spec: ['FT-04'] },
    exits: slotExits.settling,
    initial: '',
    states: {},
    on: { 'gate.settled': target },
  } as const
}

/** Ends a sign-in that a gate holds. */
export const held = {
  type: 'final',
  description: 'The browser goes to the page of a gate, and the sign-in waits',
  meta: { spec: ['FT-02'], ending: 'success' },
} as const
