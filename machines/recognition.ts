import { does, piece } from './chart.ts'

/**
 * Who is signed in here? Only a live session counts, and asking never extends it.
 * Leaves by `session.found` or `user.found`, or by one of the events of `nobody`.
 */
export const recognition = piece({
  description: 'Who is signed in in this browser?',
  meta: { spec: ['DEC-16a', 'SE-04'] },
  initial: 'readingCookie',
  states: {
    readingCookie: {
      description: 'Does the request carry a session cookie?',
      meta: { spec: ['ATN-010'] },
      invoke: does('readSessionCookie'),
      on: { 'token.held': 'openingToken', 'id.held': 'findingSession' },
    },
    openingToken: {
      description: 'Does the session token open, and is it still valid?',
      meta: { spec: ['DEC-24b', 'JW-05'] },
      invoke: does('openToken'),
      on: { 'token.opened': 'findingUser' },
    },
    findingUser: {
      description: 'Does the store know the user that the token names?',
      meta: { spec: ['DEC-16a'] },
      invoke: does('findUser'),
      on: {},
    },
    findingSession: {
      description: 'Does the store hold the session, and is it live?',
      meta: { spec: ['SE-04', 'SES-014'] },
      invoke: does('findSession'),
      on: {},
    },
  },
})

/** Every way in which `recognition` finds nobody, led to one state. */
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

/** The two ways in which `recognition` finds somebody, led to one state. */
export function somebody<const T extends string>(target: T) {
  return { 'session.found': target, 'user.found': target } as const
}
