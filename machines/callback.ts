import { admission } from './admission.ts'
import { chart, does } from './chart.ts'
import { resolvingCallbackUrl } from './opening.ts'

/** The provider's answer comes back with the browser; ends with a session, or without. */
export const callbackChart = chart({
  id: 'callback',
  description: "Judge the provider's answer, learn who it is, and let the user in",
  meta: { spec: ['ATN-004', 'TX-01'] },
  initial: 'readingResponse',
  on: { fault: '.faulted' },
  states: {
    readingResponse: {
      description: 'Read the authorization response where the provider was asked to put it',
      meta: { spec: ['TX-12', 'TX-15'] },
      invoke: does('readResponse'),
      on: { 'response.read': 'openingProxyState', 'response.ambiguous': 'refused' },
    },
    openingProxyState: {
      description: 'Is this response for another host, which shares our secret and is on our list?',
      meta: { spec: ['DEC-14a', 'DEC-41a', 'TX-20'] },
      invoke: does('openProxyState'),
      on: {
        'hop.none': 'openingChecks',
        'hop.elsewhere': 'forwarded',
        'hop.forbidden': 'refused',
        'state.unreadable': 'refused',
      },
    },
    openingChecks: {
      description: 'Does this browser hold the checks of the transaction?',
      meta: { spec: ['TX-01', 'TX-04', 'TX-05', 'DEC-12a'] },
      invoke: does('openChecks'),
      on: { 'checks.opened': 'discoveringServer', 'check.missing': 'refused', 'check.invalid': 'refused' },
    },
    discoveringServer: {
      description: "Where are the provider's endpoints, and what can it do?",
      meta: { spec: ['OI-15', 'OI-16', 'LM-06'] },
      invoke: does('discoverServer'),
      on: { 'server.discovered': 'judgingResponse', 'server.unusable': 'failed' },
    },
    judgingResponse: {
      description: 'Do state and issuer match, and is there a code?',
      meta: { spec: ['TX-02', 'TX-06', 'TX-11'] },
      invoke: does('judgeResponse'),
      on: {
        'code.received': 'exchangingCode',
        'state.mismatched': 'refused',
        'issuer.mismatched': 'refused',
        'response.malformed': 'refused',
        'authorization.declined': 'declined',
      },
    },
    exchangingCode: {
      description: 'Exchange the code, with the code verifier, for tokens',
      meta: { spec: ['TX-07', 'TX-08', 'TX-14', 'OI-13', 'OI-14'] },
      invoke: does('exchangeCode'),
      on: {
        'code.exchanged': 'verifyingIdToken',
        'code.refused': 'failed',
        'tokens.malformed': 'failed',
        'claims.invalid': 'failed',
      },
    },
    verifyingIdToken: {
      description: 'Did the issuer sign the id_token?',
      meta: { spec: ['OI-06', 'OI-07', 'OI-09', 'OI-11'] },
      invoke: does('verifyIdToken'),
      on: {
        'id-token.verified': 'readingProfile',
        'id-token.absent': 'readingProfile',
        'id-token.invalid': 'failed',
      },
    },
    readingProfile: {
      description: 'Learn who it is, from the id_token or from the userinfo endpoint',
      meta: { spec: ['OI-12', 'OI-13', 'DEC-11e'] },
      invoke: does('readProfile'),
      on: { 'profile.read': 'mappingProfile', 'profile.unusable': 'failed' },
    },
    mappingProfile: {
      description: 'Map the profile to a user, whose id must be usable',
      meta: { spec: ['OI-18', 'DEC-13a'] },
      invoke: does('mapProfile'),
      on: { 'profile.mapped': 'resolvingCallbackUrl', 'profile.unusable': 'failed' },
    },
    resolvingCallbackUrl: {
      ...resolvingCallbackUrl('admitting'),
      description: 'Where did the browser want to go?',
    },
    admitting: {
      ...admission,
      on: {
        'user.admitted': 'signedIn',
        'user.denied': 'denied',
        'sent.elsewhere': 'sentElsewhere',
        'account.taken': 'notLinked',
        'conflict.unexplained': 'faulted',
      },
    },
    signedIn: {
      type: 'final',
      description: 'The browser has a new session',
      meta: { spec: ['SE-01', 'CK-05'], ending: 'success' },
    },
    sentElsewhere: {
      type: 'final',
      description: 'The signIn callback sends the browser to a URL of its own',
      meta: { spec: ['CB-01'], ending: 'refusal' },
    },
    forwarded: {
      type: 'final',
      description: 'The answer goes on to the host that asked for it',
      meta: { spec: ['TX-20', 'DEC-14b'], ending: 'success' },
    },
    refused: {
      type: 'final',
      description: 'The answer does not belong to a transaction of this browser',
      meta: { spec: ['TX-01', 'TX-02'], ending: 'refusal' },
    },
    declined: {
      type: 'final',
      description: 'The provider, or the user there, said no',
      meta: { spec: ['TX-11'], ending: 'refusal' },
    },
    denied: {
      type: 'final',
      description: 'The application said no',
      meta: { spec: ['CB-01', 'DEC-21a'], ending: 'refusal' },
    },
    notLinked: {
      type: 'final',
      description: 'The account, or its address, is another user’s',
      meta: { spec: ['AL-01', 'AL-05'], ending: 'refusal' },
    },
    failed: {
      type: 'final',
      description: 'The provider answered what cannot be trusted',
      meta: { spec: ['OI-13', 'FI-06'], ending: 'fault' },
    },
    faulted: {
      type: 'final',
      description: 'Something that should not happen',
      meta: { spec: ['FI-01', 'DEC-34'], ending: 'fault' },
    },
  },
})
