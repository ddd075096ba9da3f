import { does } from './chart.ts'

/** Looks up the user of an address, typed or proven. */
export function findingAddressee<const T extends string>(target: T) {
  return {
    description: 'Look up the user of the address',
    meta: { spec: ['ADP-005', 'EM-05'] },
    invoke: does('findAddressee'),
    on: { 'addressee.found': target, 'addressee.unknown': target, 'address.unproven': target },
  } as const
}

/** Asks before a mail of a sign-in. Refusals lead to the states `denied` and `sentElsewhere` of the enclosing chart. */
export function askingToMail<const T extends string>(target: T) {
  return {
    description: 'Ask the signIn callback whether to send a mail',
    meta: { spec: ['CB-02', 'SU-12'] },
    invoke: does('callSignIn'),
    on: { 'signin.allowed': target, 'user.denied': 'denied', 'sent.elsewhere': 'sentElsewhere' },
  } as const
}

/** Only a user who registered with a passkey can get an address by a sign-in. */
export function readingIntent<const P extends string, const U extends string>(possible: P, unwanted: U) {
  return {
    description:
      'Check whether the address may be added to the signed-in user, who registered with a passkey',
    meta: { spec: ['DEC-38', 'DEC-39e'] },
    invoke: does('readIntent'),
    on: { 'linking.possible': possible, 'linking.unwanted': unwanted },
  } as const
}

/** The refusals of a request for a mail that signs in. */
export const notMailed = {
  sentElsewhere: {
    type: 'final',
    description: 'The signIn callback redirects the browser',
    meta: { spec: ['CB-01'], ending: 'refusal' },
  },
  refused: {
    type: 'final',
    description: 'The CSRF token or the address is invalid',
    meta: { spec: ['TX-18', 'EM-06'], ending: 'refusal' },
  },
  denied: {
    type: 'final',
    description: 'The application refused the sign-in',
    meta: { spec: ['SU-12'], ending: 'refusal' },
  },
} as const

/** With `supersedeLinks`, a new link invalidates older ones of the same browser and address. */
export function endingOlderLinks<const T extends string>(target: T) {
  return {
    description: 'Invalidate older links that this browser requested for the address',
    meta: { spec: ['OPT-011', 'SU-07'] },
    invoke: does('endOlderLinks'),
    on: { 'older-links.ended': target },
  } as const
}

/**
 * Reads the address of a request for a mail. An invalid address leads to the state `refused` of the enclosing chart.
 */
export function readingAddress<const T extends string>(target: T) {
  return {
    description: 'Validate the e-mail address',
    meta: { spec: ['EM-02', 'EM-04', 'EM-06'] },
    invoke: does('readAddress'),
    on: { 'address.read': target, 'address.malformed': 'refused' },
  } as const
}
