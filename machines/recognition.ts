import { does, piece } from './chart.ts'

/** The exits of `recognition` without a signed-in user. */
export const withoutUser = [
  'cookie.absent',
  'token.expired',
  'token.invalid',
  'user.unknown',
  'session.expired',
  'session.unknown',
] as const

/** Finds the signed-in user. Only a valid session counts, and the check never extends it. */
export const recognition = piece({
  description: 'Find the user who is signed in',
  meta: { spec: ['SE-04'] },
  exits: ['session.found', 'user.found', ...withoutUser],
  initial: 'readingCookie',
  states: {
    readingCookie: {
      description: 'Read the session cookie',
      meta: { spec: ['SES-010'] },
      invoke: does('readSessionCookie'),
      on: { 'token.held': 'openingToken', 'id.held': 'findingSession' },
    },
    openingToken: {
      description: 'Decrypt and validate the session token',
      meta: { spec: ['DEC-24b', 'JW-05', 'JW-06', 'SE-08'] },
      invoke: does('openToken'),
      on: { 'token.opened': 'findingUser' },
    },
    findingUser: {
      description: 'Look up the user of the token',
      meta: { spec: ['SE-04', 'SE-14'] },
      invoke: does('findUser'),
      on: {},
    },
    findingSession: {
      description: 'Look up the session',
      meta: { spec: ['SE-04', 'SE-08', 'SE-14', 'SES-014'] },
      invoke: does('findSession'),
      on: {},
    },
  },
})

/**
 * Leads all events that mean "nobody" to one state.
 *
 * @param target the state for a browser without a valid session
 * @returns the edges
 * @example recognising: { ...recognition, on: { ...somebody('showing'), ...nobody('anonymous') } }
 */
export function nobody<const T extends string>(target: T) {
  return {
    'cookie.absent': target,
    'token.expired': target,
    'token.invalid': target,
    'user.unknown': target,
    'session.expired': target,
    'session.unknown': target,
  } as const
}

/**
 * Leads the two events that mean "somebody" to one state.
 *
 * @param target the state for a signed-in user
 * @returns the edges
 * @example recognising: { ...recognition, on: { ...somebody('showing'), ...nobody('anonymous') } }
 */
export function somebody<const T extends string>(target: T) {
  return { 'session.found': target, 'user.found': target } as const
}
