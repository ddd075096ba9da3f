import { does, piece } from './chart.ts'
import { issuance } from './issuance.ts'
import { nobody, recognition, somebody } from './recognition.ts'

/** Calls the signIn callback. The host handles `user.denied` and `sent.elsewhere`. */
export const askingSignIn = {
  description: 'Ask the signIn callback',
  meta: { spec: ['CB-01'] },
  invoke: does('askSignIn'),
} as const

/** Runs before the user who verified the address is stored, because many stores allow an address only once. */
export const releasingAddress = {
  description: 'Remove the address from the user who never verified it',
  meta: { spec: ['AL-04', 'WA-10', 'DEC-39b'] },
  invoke: does('releaseAddress'),
  on: { 'address.released': 'creatingUser' },
} as const

/** Until an address is first verified, its user may be anyone. */
export function revokingAccess<const T extends string>(target: T) {
  return {
    description: 'Remove sessions and passkeys from before the first verification of the address',
    meta: { spec: ['AL-04', 'DEC-39c'] },
    invoke: does('revokeAccess'),
    on: { 'earlier-access.ended': target },
  } as const
}

/** A store that has failed may have stored the user all the same. */
export function confirmingUser<const T extends string>(conflict: T) {
  return {
    description: 'Check whether the user was stored although the store failed',
    meta: { spec: ['FI-02', 'AL-11'] },
    invoke: does('confirmUser'),
    on: { 'user.created': 'linkingAccount', 'user.conflicting': conflict },
  } as const
}

/** Decides whether this identity may sign in, as which user, and with which session. */
export const admission = piece({
  description: 'Ask the application, find or create the user, link the account, and issue the session',
  meta: { spec: ['CB-01', 'AL-02', 'SE-01'] },
  exits: [
    'user.admitted',
    'user.denied',
    'sent.elsewhere',
    'account.taken',
    'conflict.unexplained',
    'factor.demanded',
  ],
  initial: 'findingOwner',
  states: {
    findingOwner: {
      description: 'Look up the user of the account',
      meta: { spec: ['ADP-006', 'OI-17'] },
      invoke: does('findOwner'),
      on: { 'owner.sought': 'askingSignIn' },
    },
    askingSignIn: { ...askingSignIn, on: { 'signin.allowed': 'recognising' } },
    recognising: {
      ...recognition,
      on: { ...somebody('decidingLink'), ...nobody('decidingLink') },
    },
    decidingLink: {
      description: 'Decide which user gets the account',
      meta: { spec: ['DEC-19a', 'DEC-19c', 'AL-01', 'AL-05'] },
      invoke: does('decideLink'),
      on: {
        'user.unstored': 'issuingSession',
        'owner.returning': 'updatingAccount',
        'link.allowed': 'linkingAccount',
        'address.vouched': 'revokingAccess',
        'user.new': 'creatingUser',
        'address.contested': 'releasingAddress',
        'address.withheld': 'creatingUser',
        'address.taken': 'awaitingTurn',
      },
    },
    awaitingTurn: {
      description: 'Wait until no other request of this process stores the account',
      meta: { spec: ['DEC-47a', 'CC-01'] },
      invoke: does('awaitTurn'),
      on: { 'turn.reached': 'seekingOwner' },
    },
    seekingOwner: {
      description: 'Look up the user of the account again, which another process may have stored',
      meta: { spec: ['DEC-20a', 'CC-01'] },
      invoke: does('seekOwner'),
      on: { 'owner.returning': 'updatingAccount', 'owner.missing': 'pausing' },
    },
    pausing: {
      description: 'Wait a moment for the other process',
      meta: { spec: ['CC-01'] },
      invoke: does('pause'),
      on: { 'pause.over': 'seekingOwner', 'pauses.exhausted': 'recheckingAddress' },
    },
    recheckingAddress: {
      description: 'Check whether another user still has the address',
      meta: { spec: ['AL-01', 'DEC-20b'] },
      invoke: does('recheckAddress'),
      on: { 'user.new': 'creatingUser' },
    },
    releasingAddress,
    creatingUser: {
      description: 'Store a new user',
      meta: { spec: ['AL-07', 'AL-13', 'CC-01'] },
      invoke: does('createUser'),
      on: { 'user.created': 'linkingAccount', 'user.unconfirmed': 'confirmingUser' },
    },
    confirmingUser: confirmingUser('rereading'),
    revokingAccess: revokingAccess('linkingAccount'),
    linkingAccount: {
      description: 'Store the account',
      meta: { spec: ['AL-02', 'AL-07'] },
      invoke: does('linkAccount'),
      on: { 'account.linked': 'issuingSession', 'account.unconfirmed': 'confirmingAccount' },
    },
    confirmingAccount: {
      description: 'Check whether the account was stored although the store failed',
      meta: { spec: ['FI-02', 'CC-01'] },
      invoke: does('confirmAccount'),
      on: {
        'account.linked': 'issuingSession',
        'account.conflicting': 'rereading',
        'user.orphaned': 'removingUser',
      },
    },
    removingUser: {
      description: 'Remove the user that is no longer needed',
      meta: { spec: ['DEC-20b', 'FI-02'] },
      invoke: does('removeUser'),
      on: { 'user.removed': 'rereading' },
    },
    rereading: {
      description: 'Check whether another request has stored it',
      meta: { spec: ['CC-01'] },
      invoke: does('rereadOwner'),
      on: { 'owner.returning': 'updatingAccount', 'address.owned': 'decidingLink' },
    },
    updatingAccount: {
      description: 'Store the tokens of this sign-in, if the adapter can',
      meta: { spec: ['OPT-001'] },
      invoke: does('updateAccount'),
      on: { 'tokens.kept': 'issuingSession' },
    },
    issuingSession: issuance,
  },
})
