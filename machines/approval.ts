import { does, piece } from './chart.ts'
import { nobody, recognition, somebody, withoutUser } from './recognition.ts'

const approval = piece({
  description: 'Let the session of this browser approve a sign-in elsewhere',
  meta: { spec: ['FT-18'] },
  exits: ['sign-in.approved', 'step-up.demanded', ...withoutUser],
  initial: 'notingStamp',
  states: {
    notingStamp: {
      description: 'Read the stamp of the account, before the session is looked up again',
      meta: { spec: ['FT-18'] },
      invoke: does('noteStamp'),
      on: { 'stamp.noted': 'recognising' },
    },
    recognising: { ...recognition, on: { ...somebody('approvingSignIn') } },
    approvingSignIn: {
      description: 'Check the second factor of the session, and seal the approval',
      meta: { spec: ['FT-18', 'POL-02'] },
      invoke: does('approveSignIn'),
      on: {},
    },
  },
})

/**
 * Declares the state in which the signed-in user, whom `recognition` has found, approves a sign-in of another browser or of a
 * program, as the fact `approval`. It needs a POST. The chart also has the final states `anonymous`, for a session that has
 * ended, and `challenged`, for one that lacks the second factor.
 *
 * @param target the next state
 * @returns the state
 * @example approving: approving('keepingApproval')
 */
export function approving<const T extends string>(target: T) {
  return {
    ...approval,
    on: {
      'sign-in.approved': target,
      'step-up.demanded': 'challenged',
      ...nobody('anonymous'),
    },
  } as const
}
