import { chart, does } from './chart.ts'
import { faulted } from './endings.ts'
import { checkingRateLimit } from './opening.ts'
import { nobody, recognition, somebody } from './recognition.ts'

/** First half of a WebAuthn ceremony: the page's script requests options. */
export const webauthnOptionsChart = chart({
  id: 'webauthn-options',
  description: 'Identify the user, choose the ceremony, and seal its challenge',
  meta: { spec: ['WIR-048', 'WA-02'], title: 'Passkey options' },
  initial: 'readingAction',
  on: { fault: '.faulted' },
  states: {
    readingAction: {
      description: 'Read the requested ceremony',
      meta: { spec: ['WIR-048'] },
      invoke: does('readAction'),
      on: { 'action.read': 'checkingRateLimit', 'action.invalid': 'refused' },
    },
    checkingRateLimit: {
      ...checkingRateLimit('recognising'),
      meta: { spec: ['RL-01'] },
    },
    recognising: {
      ...recognition,
      on: { ...somebody('choosingCeremony'), ...nobody('identifyingAsker') },
    },
    identifyingAsker: {
      description: 'Identify the user by the form',
      meta: { spec: ['WIR-048', 'WA-08', 'EM-05'] },
      invoke: does('identifyAsker'),
      on: {
        'asker.known': 'choosingCeremony',
        'asker.new': 'choosingCeremony',
        'asker.untold': 'choosingCeremony',
      },
    },
    choosingCeremony: {
      description: 'Choose between authentication and registration',
      meta: { spec: ['WA-11', 'WIR-048'] },
      invoke: does('chooseCeremony'),
      on: {
        'authentication.chosen': 'offeringCredentials',
        'registration.chosen': 'excludingCredentials',
        'ceremony.impossible': 'refused',
      },
    },
    offeringCredentials: {
      description: 'List the credentials that may respond',
      meta: { spec: ['WA-07', 'WA-08'] },
      invoke: does('listCredentials'),
      on: { 'credentials.listed': 'buildingAuthenticationOptions' },
    },
    excludingCredentials: {
      description: 'List the credentials that the user already has',
      meta: { spec: ['WA-06'] },
      invoke: does('listCredentials'),
      on: { 'credentials.listed': 'buildingRegistrationOptions' },
    },
    buildingAuthenticationOptions: {
      description: 'Build the options of an authentication',
      meta: { spec: ['DEC-30a'] },
      invoke: does('buildAuthenticationOptions'),
      on: { 'options.built': 'sealingChallenge' },
    },
    buildingRegistrationOptions: {
      description: 'Build the options of a registration',
      meta: { spec: ['DEC-30a'] },
      invoke: does('buildRegistrationOptions'),
      on: { 'options.built': 'sealingChallenge' },
    },
    sealingChallenge: {
      description: 'Seal the challenge and its context into a cookie',
      meta: { spec: ['WA-02'] },
      invoke: does('sealChallenge'),
      on: { 'challenge.sealed': 'answered' },
    },
    answered: {
      type: 'final',
      description: 'The script gets its options',
      meta: { spec: ['WIR-048'], ending: 'success' },
    },
    refused: {
      type: 'final',
      description: 'The ceremony does not exist, or not for this user',
      meta: { spec: ['WIR-048', 'WA-11'], ending: 'refusal' },
    },
    denied: {
      type: 'final',
      description: 'There were too many attempts',
      meta: { spec: ['RL-01', 'RL-02'], ending: 'refusal' },
    },
    faulted,
  },
})
