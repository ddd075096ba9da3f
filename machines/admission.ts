import { does, piece } from './chart.ts'
import { nobody, recognition, somebody } from './recognition.ts'

/** Asks the application; by `user.denied` and `sent.elsewhere` the host goes on. */
export const askingSignIn = {
  description: 'Does the signIn callback let it in?',
  meta: { spec: ['CB-01'] },
  invoke: does('askSignIn'),
} as const

/** Before the user who proved the address is stored: many stores let one user have it. */
export const releasingAddress = {
  description: 'Take the address from the user who never proved it',
  meta: { spec: ['AL-04', 'WA-10', 'DEC-39b'] },
  invoke: does('releaseAddress'),
  on: { 'address.released': 'creatingUser' },
} as const

/** The last thing that every sign-in does; leaves by `user.admitted` or `user.denied`. */
export const issuingSession = {
  description: 'Issue a new session, and revoke the one that the browser held',
  meta: { spec: ['DEC-15a', 'SE-01', 'SE-02', 'DEC-21a'] },
  invoke: does('issueSession'),
  on: {},
} as const

/**
 * May this identity come in, as whom, and with which session?
 * Leaves by `user.admitted`, `user.denied`, `sent.elsewhere`, `account.taken` or `conflict.unexplained`.
 */
export const admission = piece({
  description: 'Ask the application, find or make the user, link, and issue the session',
  meta: { spec: ['CB-01', 'AL-02', 'SE-01'] },
  initial: 'findingOwner',
  states: {
    findingOwner: {
      description: 'Does the account belong to a user already?',
      meta: { spec: ['ADP-006', 'OI-17'] },
      invoke: does('findOwner'),
      on: {
        'owner.found': 'askingSignIn',
        'owner.unknown': 'askingSignIn',
        'owner.unsought': 'askingSignIn',
      },
    },
    askingSignIn: { ...askingSignIn, on: { 'signin.allowed': 'recognising' } },
    recognising: {
      ...recognition,
      on: { ...somebody('decidingLink'), ...nobody('decidingLink') },
    },
    decidingLink: {
      description: 'Which user does the account go to?',
      meta: { spec: ['DEC-19a', 'DEC-19c', 'AL-01', 'AL-05'] },
      invoke: does('decideLink'),
      on: {
        'user.unstored': 'issuingSession',
        'owner.returning': 'updatingAccount',
        'link.allowed': 'linkingAccount',
        'user.new': 'creatingUser',
        'address.contested': 'releasingAddress',
        'address.withheld': 'creatingUser',
      },
    },
    releasingAddress,
    creatingUser: {
      description: 'Store a new user',
      meta: { spec: ['AL-07', 'CC-01'] },
      invoke: does('createUser'),
      on: { 'user.created': 'linkingAccount', 'user.conflicting': 'rereading' },
    },
    linkingAccount: {
      description: 'Store the account with its user',
      meta: { spec: ['AL-02', 'AL-07'] },
      invoke: does('linkAccount'),
      on: {
        'account.linked': 'issuingSession',
        'account.conflicting': 'rereading',
        'user.orphaned': 'removingUser',
      },
    },
    removingUser: {
      description: 'Take back the user that was made for nothing',
      meta: { spec: ['DEC-20b', 'FI-02'] },
      invoke: does('removeUser'),
      on: { 'user.removed': 'rereading' },
    },
    rereading: {
      description: 'Has another request done it meanwhile?',
      meta: { spec: ['DEC-20a', 'CC-01'] },
      invoke: does('rereadOwner'),
      on: { 'owner.returning': 'updatingAccount', 'address.owned': 'decidingLink' },
    },
    updatingAccount: {
      description: 'Keep the tokens of this sign-in, where the store can',
      meta: { spec: ['OPT-001'] },
      invoke: does('updateAccount'),
      on: { 'account.updated': 'issuingSession', 'account.unchanged': 'issuingSession' },
    },
    issuingSession,
  },
})
