import { chart, does } from './chart.ts'
import { nobody, recognition, somebody } from './recognition.ts'

/** First half of a WebAuthn ceremony: the page's script asks what the authenticator shall do. */
export const webauthnOptionsChart = chart({
  id: 'webauthn-options',
  description: 'Find out who asks, choose the ceremony, and bind its challenge to it',
  meta: { spec: ['WIR-048', 'DEC-30c'] },
  initial: 'readingAction',
  on: { fault: '.faulted' },
  states: {
    readingAction: {
      description: 'Is a ceremony asked for by name?',
      meta: { spec: ['WIR-048'] },
      invoke: does('readAction'),
      on: { 'action.read': 'recognising', 'action.invalid': 'refused' },
    },
    recognising: {
      ...recognition,
      on: { ...somebody('choosingCeremony'), ...nobody('identifyingAsker') },
    },
    identifyingAsker: {
      description: 'Who asks, by the fields of the form?',
      meta: { spec: ['WIR-048', 'WA-08', 'EM-05'] },
      invoke: does('identifyAsker'),
      on: {
        'asker.known': 'choosingCeremony',
        'asker.new': 'choosingCeremony',
        'asker.untold': 'choosingCeremony',
      },
    },
    choosingCeremony: {
      description: 'Authenticate, or register; a user who exists registers only while signed in',
      meta: { spec: ['WA-11', 'DEC-30f', 'WIR-048'] },
      invoke: does('chooseCeremony'),
      on: {
        'authentication.chosen': 'offeringCredentials',
        'registration.chosen': 'excludingCredentials',
        'ceremony.impossible': 'refused',
      },
    },
    offeringCredentials: {
      description: 'Which credentials may answer?',
      meta: { spec: ['WA-07', 'WA-08', 'DEC-30d'] },
      invoke: does('listCredentials'),
      on: { 'credentials.listed': 'buildingAuthenticationOptions' },
    },
    excludingCredentials: {
      description: 'Which credentials does the user have already?',
      meta: { spec: ['WA-06'] },
      invoke: does('listCredentials'),
      on: { 'credentials.listed': 'buildingRegistrationOptions' },
    },
    buildingAuthenticationOptions: {
      description: 'Write the options of an authentication',
      meta: { spec: ['DEC-30a'] },
      invoke: does('buildAuthenticationOptions'),
      on: { 'options.built': 'sealingChallenge' },
    },
    buildingRegistrationOptions: {
      description: 'Write the options of a registration',
      meta: { spec: ['DEC-30a'] },
      invoke: does('buildRegistrationOptions'),
      on: { 'options.built': 'sealingChallenge' },
    },
    sealingChallenge: {
      description: 'Seal the challenge, with all that it was minted for, into a cookie',
      meta: { spec: ['WA-02', 'DEC-30c'] },
      invoke: does('sealChallenge'),
      on: { 'challenge.sealed': 'answered' },
    },
    answered: {
      type: 'final',
      description: 'The script has its options',
      meta: { spec: ['WIR-048'], ending: 'success' },
    },
    refused: {
      type: 'final',
      description: 'There is no such ceremony, or not for whoever asks',
      meta: { spec: ['WIR-048', 'WA-11'], ending: 'refusal' },
    },
    faulted: {
      type: 'final',
      description: 'Something that should not happen',
      meta: { spec: ['FI-01', 'DEC-34'], ending: 'fault' },
    },
  },
})
