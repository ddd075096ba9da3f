import { does, piece } from './chart.ts'
import { checkingRateLimit } from './opening.ts'

/** Gives the page's script the options with which it asks for a passkey of the user. */
export const passkeyOffer = piece({
  description: 'Offer the passkeys of the user as the second factor',
  meta: { spec: ['SF-17', 'SF-18'] },
  exits: ['passkeys.absent', 'attempt.excessive', 'challenge.sealed'],
  initial: 'findingPasskeys',
  states: {
    findingPasskeys: {
      description: 'List the passkeys of the user, unless the first factor was a passkey, too',
      meta: { spec: ['SF-17', 'SF-18'] },
      invoke: does('findPasskeys'),
      on: { 'passkeys.found': 'checkingRateLimit' },
    },
    checkingRateLimit: {
      description: 'Ask the rateLimit callback',
      meta: { spec: ['RL-01'] },
      invoke: does('checkOptionsRateLimit'),
      on: { 'attempt.allowed': 'buildingOptions' },
    },
    buildingOptions: {
      description: 'Build the options of an authentication',
      meta: { spec: ['SF-17', 'DEC-30a'] },
      invoke: does('buildAuthenticationOptions'),
      on: { 'options.built': 'sealingChallenge' },
    },
    sealingChallenge: {
      description: 'Seal the challenge into a cookie, for this sign-in or session only',
      meta: { spec: ['SF-19', 'WA-02'] },
      invoke: does('sealFactorChallenge'),
      on: {},
    },
  },
})

/** Verifies a passkey as at a sign-in, and limits attempts as for codes. */
export const passkeyCheck = piece({
  description: 'Verify a passkey of the user',
  meta: { spec: ['SF-17', 'SF-19'] },
  exits: [
    'attempt.excessive',
    'guess.premature',
    'challenge.invalid',
    'authenticator.unknown',
    'credential.unoffered',
    'authentication.unverified',
    'counter.stale',
    'owner.mismatched',
    'account.taken',
    'owner.found',
  ],
  initial: 'checkingRateLimit',
  states: {
    checkingRateLimit: {
      ...checkingRateLimit('limitingGuesses'),
      on: { 'attempt.allowed': 'limitingGuesses' },
    },
    limitingGuesses: {
      description: 'Check that not too many attempts of the user failed',
      meta: { spec: ['SF-11'] },
      invoke: does('limitGuesses'),
      on: { 'guess.allowed': 'openingChallenge' },
    },
    openingChallenge: {
      description: 'Open the challenge, which must be of this sign-in or session, and not used',
      meta: { spec: ['SF-18', 'SF-19'] },
      invoke: does('openFactorChallenge'),
      on: { 'challenge.opened': 'findingAuthenticator' },
    },
    findingAuthenticator: {
      description: 'Look up the passkey, which must be one of those offered',
      meta: { spec: ['SF-17', 'WA-07'] },
      invoke: does('findAuthenticator'),
      on: { 'authenticator.found': 'verifyingAuthentication' },
    },
    verifyingAuthentication: {
      description: 'Verify the authentication: signature, challenge, site and user',
      meta: { spec: ['SF-17', 'WA-02', 'WA-03', 'WA-04', 'WA-12'] },
      invoke: does('verifyAuthentication'),
      on: { 'authentication.verified': 'advancingCounter' },
    },
    advancingCounter: {
      description:
        'Check that the signature counter has increased; if not, the credential may have been copied',
      meta: { spec: ['SF-17', 'WA-05'] },
      invoke: does('advanceCounter'),
      on: { 'counter.advanced': 'findingOwner' },
    },
    findingOwner: {
      description: 'Find the owner of the passkey, who must be the user',
      meta: { spec: ['SF-17', 'WA-07'] },
      invoke: does('findCredentialOwner'),
      on: {},
    },
  },
})

/** Maps every event of a response that fails to prove a passkey of the user to one state. */
export function unproven<const T extends string>(target: T) {
  return {
    'authenticator.unknown': target,
    'credential.unoffered': target,
    'authentication.unverified': target,
    'counter.stale': target,
    'owner.mismatched': target,
    'account.taken': target,
  } as const
}
