import { does, piece } from './chart.ts'
import { checkingFactor, describingNewcomer, issuance, keepingAuthentication } from './issuance.ts'
import { nobody, recognition, somebody } from './recognition.ts'
import { passingGates } from './slots.ts'

/** Calls the signIn callback. The enclosing chart handles `user.denied` and `sent.elsewhere`. */
export const callingSignIn = {
  description: 'Ask the signIn callback',
  meta: { spec: ['CB-01'] },
  invoke: does('callSignIn'),
} as const

/** Runs before the user who verified the address is stored, because many stores allow an address only once. */
export const releasingAddress = {
  description: 'Remove the address from the user who never verified it',
  meta: { spec: ['AL-04', 'WA-10', 'DEC-39b'] },
  invoke: does('releaseAddress'),
  on: { 'address.released': 'creatingUser' },
} as const

/** A change that the session of this browser makes. It ends by `session.stale` or `step-up.demanded`. */
export function checkingSession<const T extends string>(target: T) {
  return {
    description: 'Check that the user signed in recently, with the second factor if there is one',
    meta: { spec: ['POL-02', 'ACP-13'] },
    invoke: does('checkSession'),
    on: { 'session.sufficient': target },
  } as const
}

/** Until an address is first verified, its user may belong to anyone. */
export function revokingAccess<const T extends string>(target: T) {
  return {
    description: 'End sessions, passkeys and the password from before the first verification of the address',
    meta: { spec: ['AL-04', 'DEC-39c', 'POL-03'] },
    invoke: does('revokeAccess'),
    on: { 'earlier-access.ended': target },
  } as const
}

/** If the store has failed, the user may nevertheless be stored. */
export function confirmingUser<const C extends string, const T extends string>(created: C, conflict: T) {
  return {
    description: 'Check whether the user was stored although the store failed',
    meta: { spec: ['FI-02', 'AL-11'] },
    invoke: does('confirmUser'),
    on: { 'user.created': created, 'user.conflicting': conflict },
  } as const
}

/** Leads the exits of `admission` to the final states of a chart. */
export const admissionEnds = {
  'user.admitted': 'signedIn',
  'user.denied': 'denied',
  'sent.elsewhere': 'sentElsewhere',
  'account.taken': 'notLinked',
  'conflict.unexplained': 'faulted',
  'factor.demanded': 'held',
  'session.stale': 'stale',
  'gate.held': 'held',
  'gate.refused': 'denied',
} as const

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
    'session.stale',
    'gate.held',
    'gate.refused',
  ],
  initial: 'findingOwner',
  states: {
    findingOwner: {
      description: 'Look up the user of the account',
      meta: { spec: ['ADP-006', 'OI-17'] },
      invoke: does('findOwner'),
      on: { 'owner.sought': 'callingSignIn' },
    },
    callingSignIn: { ...callingSignIn, on: { 'signin.allowed': 'recognising' } },
    recognising: {
      ...recognition,
      on: { ...somebody('decidingLink'), ...nobody('decidingLink') },
    },
    decidingLink: {
      description: 'Decide which user gets the account',
      meta: { spec: ['DEC-19a', 'DEC-19c', 'AL-01', 'AL-05'] },
      invoke: does('decideLink'),
      on: {
        'user.unstored': 'passingGates',
        'owner.returning': 'checkingFactorOfOwner',
        'link.requested': 'checkingSession',
        'link.allowed': 'checkingFactorOfAddressee',
        'address.vouched': 'checkingFactorOfVouched',
        'user.new': 'passingGatesOfNewcomer',
        'address.contested': 'passingGatesOfClaimant',
        'address.withheld': 'passingGatesOfNewcomer',
        'address.taken': 'awaitingTurn',
      },
    },
    checkingSession: {
      ...checkingSession('keepingAuthentication'),
      on: { 'session.sufficient': 'keepingAuthentication', 'step-up.demanded': 'holdingLink' },
    },
    holdingLink: {
      description: 'Seal the account into a sign-in that waits for the second factor',
      meta: { spec: ['POL-01', 'POL-02'] },
      invoke: does('holdLink'),
      on: {},
    },
    keepingAuthentication: keepingAuthentication('linkingAccount'),
    checkingFactorOfAddressee: checkingFactor('passingGatesOfAddressee'),
    passingGatesOfAddressee: passingGates('linkingAccount'),
    checkingFactorOfVouched: checkingFactor('passingGatesOfVouched'),
    passingGatesOfVouched: passingGates('revokingAccess'),
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
      on: { 'owner.returning': 'checkingFactorOfOwner', 'owner.missing': 'pausing' },
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
      on: { 'user.new': 'passingGatesOfNewcomer' },
    },
    passingGatesOfClaimant: passingGates('releasingAddress'),
    releasingAddress,
    passingGatesOfNewcomer: passingGates('creatingUser'),
    creatingUser: {
      description: 'Store a new user',
      meta: { spec: ['AL-07', 'AL-13', 'CC-01'] },
      invoke: does('createUser'),
      on: { 'user.created': 'describingNewcomer', 'user.unconfirmed': 'confirmingUser' },
    },
    confirmingUser: confirmingUser('describingNewcomer', 'rereading'),
    describingNewcomer: describingNewcomer('linkingAccount'),
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
      on: { 'owner.returning': 'checkingFactorOfOwner', 'address.owned': 'decidingLink' },
    },
    checkingFactorOfOwner: checkingFactor('passingGatesOfOwner'),
    passingGatesOfOwner: passingGates('updatingAccount'),
    updatingAccount: {
      description: 'Store the tokens of this sign-in, if the adapter can',
      meta: { spec: ['OPT-001'] },
      invoke: does('updateAccount'),
      on: { 'tokens.kept': 'issuingSession' },
    },
    passingGates: passingGates('issuingSession'),
    issuingSession: issuance,
  },
})
