import { does } from './chart.ts'

/**
 * Sends a link whose row is stored. If the mail cannot be sent, the enclosing chart removes the row in
 * `withdrawingToken`.
 */
export function sendingLink<const T extends string>(target: T) {
  return {
    description: 'Send the link',
    meta: { spec: ['SU-11'] },
    invoke: does('sendLink'),
    on: { 'mail.sent': target, 'mail.unsent': 'withdrawingToken' },
  } as const
}

/** Undoes the request for a mail that was not sent. Ends in the state `failed` of the enclosing chart. */
export const withdrawingToken = {
  description: 'Remove the row of a mail that was not sent',
  meta: { spec: ['SU-11'] },
  invoke: does('withdrawToken'),
  on: { 'token.withdrawn': 'failed' },
} as const

/** Ends a request for a mail. */
export const failed = {
  type: 'final',
  description: 'The mail could not be sent',
  meta: { spec: ['SU-11'], ending: 'fault' },
} as const

/** Runs before a link or a code is checked, so that a change in the meantime is noticed before there is a session. */
export function readingStamp<const T extends string>(target: T) {
  return {
    description: 'Look up who has the address, and read the stamp of that account',
    meta: { spec: ['STM-01', 'STM-02', 'EM-05'] },
    invoke: does('readStamp'),
    on: { 'stamp.read': target },
  } as const
}

/** Uses up a link. If the link does not work, ends in the state `invalid` of the enclosing chart. */
export function consumingToken<const T extends string>(target: T) {
  return {
    description: 'Remove the token from the store, which only one request can do',
    meta: { spec: ['SU-01'] },
    invoke: does('consumeToken'),
    on: { 'token.consumed': target, 'token.unknown': 'invalid', 'token.expired': 'invalid' },
  } as const
}

/** Stores a used token again because its sign-in failed on the server. Until then, no request can use the token. */
export const restoringToken = {
  description: 'Store the token again, so that the user can try once more',
  meta: { spec: ['FI-09'] },
  invoke: does('restoreToken'),
  on: { 'token.restored': 'restored' },
} as const

/** Ends a flow whose step threw after it used up a token. */
export const restored = {
  type: 'final',
  description: 'An unexpected error occurred, but the link or code still works',
  meta: { spec: ['FI-01', 'FI-09'], ending: 'fault' },
} as const
