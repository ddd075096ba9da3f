import { chart, does } from './chart.ts'
import { faulted } from './endings.ts'
import { nobody, recognition, somebody } from './recognition.ts'
import { checkingCsrf, refused, resolvingCallbackUrl } from './opening.ts'
import { unavailableProvider } from './unavailable-provider.ts'

/** Starts a sign-in with an OAuth or OpenID Connect provider. Ends with the redirect to the provider. */
export const signInChart = chart({
  id: 'sign-in',
  description: 'Redirect to the provider, with checks that bind the response to the browser',
  meta: { spec: ['ATN-004', 'TX-01', 'TX-17'], starts: 'POST' },
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
      description: "Discover the provider's endpoints",
      meta: { spec: ['OI-15', 'OI-16', 'LM-06'] },
      invoke: does('discoverServer'),
      on: {
        'server.discovered': 'mintingChecks',
        'server.unusable': 'failed',
        ...unavailableProvider('failed'),
      },
    },
    mintingChecks: {
      description: 'Seal state, nonce and code verifier into cookies',
      meta: { spec: ['TX-05', 'TX-08', 'TX-09', 'CFG-031'] },
      invoke: does('mintChecks'),
      on: { 'checks.minted': 'buildingAuthorizationUrl' },
    },
    buildingAuthorizationUrl: {
      description: 'Build the authorization request',
      meta: { spec: ['TX-13'] },
      invoke: does('buildAuthorizationUrl'),
      on: {
        'authorization-url.built': 'sentToProvider',
        'push.demanded': 'pushingAuthorizationRequest',
      },
    },
    pushingAuthorizationRequest: {
      description: 'Push the authorization request to a provider that demands it',
      meta: { spec: ['TX-23'] },
      invoke: does('pushAuthorizationRequest'),
      on: {
        'authorization-request.pushed': 'sentToProvider',
        'authorization-request.refused': 'failed',
        ...unavailableProvider('failed'),
      },
    },
    sentToProvider: {
      type: 'final',
      description: 'The browser is redirected to the provider',
      meta: { spec: ['RTE-001'], ending: 'success' },
    },
    refused,
    failed: {
      type: 'final',
      description: 'The provider is unusable, or rejected the pushed request',
      meta: { spec: ['OI-15', 'FI-05'], ending: 'fault' },
    },
    faulted,
  },
})
