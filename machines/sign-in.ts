import { chart, does } from './chart.ts'
import { nobody, recognition, somebody } from './recognition.ts'
import { checkingCsrf, resolvingCallbackUrl } from './opening.ts'

/** Starts a sign-in at an OAuth or OpenID provider; ends with the redirect to it. */
export const signInChart = chart({
  id: 'sign-in',
  description: 'Send the browser to the provider, with checks that bind the answer to it',
  meta: { spec: ['ATN-004', 'TX-01', 'TX-17'] },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('resolvingCallbackUrl'),
    resolvingCallbackUrl: resolvingCallbackUrl('recognising'),
    recognising: {
      ...recognition,
      on: { ...somebody('discoveringServer'), ...nobody('discoveringServer') },
    },
    discoveringServer: {
      description: "Where are the provider's endpoints, and what can it do?",
      meta: { spec: ['OI-15', 'OI-16', 'LM-06'] },
      invoke: does('discoverServer'),
      on: { 'server.discovered': 'mintingChecks', 'server.unusable': 'failed' },
    },
    mintingChecks: {
      description: 'Seal state, nonce and code verifier into cookies',
      meta: { spec: ['TX-05', 'TX-08', 'TX-09', 'DEC-06c'] },
      invoke: does('mintChecks'),
      on: { 'checks.minted': 'buildingAuthorizationUrl' },
    },
    buildingAuthorizationUrl: {
      description: 'Write the authorization request',
      meta: { spec: ['TX-13', 'DEC-07a'] },
      invoke: does('buildAuthorizationUrl'),
      on: { 'authorization-url.built': 'sentToProvider' },
    },
    sentToProvider: {
      type: 'final',
      description: 'The browser goes to the provider',
      meta: { spec: ['RTE-001'], ending: 'success' },
    },
    refused: {
      type: 'final',
      description: 'The request was not made by a page of ours',
      meta: { spec: ['TX-18'], ending: 'refusal' },
    },
    failed: {
      type: 'final',
      description: 'The provider cannot be used',
      meta: { spec: ['OI-15', 'FI-05'], ending: 'fault' },
    },
    faulted: {
      type: 'final',
      description: 'Something that should not happen',
      meta: { spec: ['FI-01', 'DEC-34'], ending: 'fault' },
    },
  },
})
