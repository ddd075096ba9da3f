import { admission, admissionEnds } from './admission.ts'
import { chart, does } from './chart.ts'
import { faulted, stale } from './endings.ts'
import { resolvingCallbackUrl } from './opening.ts'
import { held } from './slots.ts'
import { unavailableProvider } from './unavailable-provider.ts'

/** The browser returns with the provider's response. Ends with or without a session. */
export const callbackChart = chart({
  id: 'callback',
  description: "Validate the provider's response, identify the user, and sign in",
  meta: { spec: ['ATN-004', 'TX-01'], boundBy: ['state', 'pkceCodeVerifier', 'nonce'] },
  initial: 'readingResponse',
  on: { fault: '.faulted' },
  states: {
    readingResponse: {
      description: 'Read the authorization response from query or form',
      meta: { spec: ['TX-12', 'TX-15'] },
      invoke: does('readResponse'),
      on: { 'response.read': 'openingProxyState', 'response.ambiguous': 'refused' },
    },
    openingProxyState: {
      description: 'Check whether the response is for another host that shares the secret and is allowed',
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
      description: 'Open the check cookies of the transaction',
      meta: { spec: ['TX-01', 'TX-03', 'TX-04', 'TX-05', 'CK-14'] },
      invoke: does('openChecks'),
      on: {
        'checks.opened': 'resolvingCallbackUrl',
        'session.withheld': 'repeatingResponse',
        'check.missing': 'refused',
        'check.invalid': 'refused',
      },
    },
    repeatingResponse: {
      description: 'Keep the posted response for a GET, with which browsers send the session cookie',
      meta: { spec: ['AL-14'] },
      invoke: does('repeatResponse'),
      on: { 'response.held': 'repeated' },
    },
    resolvingCallbackUrl: {
      ...resolvingCallbackUrl('discoveringServer'),
      description: 'Read where the browser wanted to go',
    },
    discoveringServer: {
      description: "Discover the provider's endpoints",
      meta: { spec: ['OI-15', 'OI-16', 'LM-06'] },
      invoke: does('discoverServer'),
      on: {
        'server.discovered': 'checkingResponse',
        'server.unusable': 'failed',
        ...unavailableProvider('failed'),
      },
    },
    checkingResponse: {
      description: 'Check state and issuer, and read the code',
      meta: { spec: ['TX-02', 'TX-06', 'TX-11'] },
      invoke: does('checkResponse'),
      on: {
        'code.received': 'exchangingCode',
        'state.mismatched': 'refused',
        'issuer.mismatched': 'refused',
        'response.malformed': 'refused',
        'authorization.declined': 'declined',
      },
    },
    exchangingCode: {
      description: 'Exchange the code and code verifier for tokens, and check the claims of the id_token',
      // prettier-ignore
      meta: {
        spec: [
          'TX-07', 'TX-08', 'TX-10', 'TX-14',
          'OI-01', 'OI-02', 'OI-03', 'OI-04', 'OI-05', 'OI-08', 'OI-13', 'OI-14', 'OI-25',
        ],
      },
      invoke: does('exchangeCode'),
      on: {
        'id-token.received': 'verifyingIdToken',
        'code.exchanged': 'readingProfile',
        'code.refused': 'failed',
        'tokens.malformed': 'failed',
        'claims.invalid': 'failed',
        ...unavailableProvider('failed'),
      },
    },
    verifyingIdToken: {
      description: 'Verify the signature of the id_token',
      meta: { spec: ['OI-06', 'OI-07', 'OI-09', 'OI-10', 'OI-11', 'OI-26'] },
      invoke: does('verifyIdToken'),
      on: {
        'id-token.verified': 'readingProfile',
        'id-token.invalid': 'failed',
        'keys.unusable': 'failed',
        ...unavailableProvider('failed'),
      },
    },
    readingProfile: {
      description: 'Read the profile from the id_token or the userinfo endpoint',
      meta: { spec: ['OI-12', 'OI-13'] },
      invoke: does('readProfile'),
      on: {
        'profile.read': 'mappingProfile',
        'profile.unusable': 'failed',
        ...unavailableProvider('failed'),
      },
    },
    mappingProfile: {
      description: 'Map the profile to a user with a usable id',
      meta: { spec: ['OI-18'] },
      invoke: does('mapProfile'),
      on: {
        'profile.mapped': 'admitting',
        'profile.unusable': 'failed',
        'hook.failed': 'failed',
      },
    },
    admitting: { ...admission, on: admissionEnds },
    signedIn: {
      type: 'final',
      description: 'The browser has a new session',
      meta: { spec: ['SE-01', 'CK-05'], ending: 'success' },
    },
    held,
    stale,
    sentElsewhere: {
      type: 'final',
      description: 'The signIn callback redirects the browser',
      meta: { spec: ['CB-01'], ending: 'refusal' },
    },
    forwarded: {
      type: 'final',
      description: 'The response is forwarded to the host that started the sign-in',
      meta: { spec: ['TX-20', 'RD-07'], ending: 'success' },
    },
    repeated: {
      type: 'final',
      description: 'The browser repeats the response as a GET, with all cookies',
      meta: { spec: ['AL-14'], ending: 'success' },
    },
    refused: {
      type: 'final',
      description: 'The response does not belong to a transaction of this browser',
      meta: { spec: ['TX-01', 'TX-02'], ending: 'refusal' },
    },
    declined: {
      type: 'final',
      description: 'The provider or the user declined',
      meta: { spec: ['TX-11'], ending: 'refusal' },
    },
    denied: {
      type: 'final',
      description: 'The application refused the sign-in',
      meta: { spec: ['CB-01', 'DEC-21a'], ending: 'refusal' },
    },
    notLinked: {
      type: 'final',
      description: 'The account or its address belongs to another user',
      meta: { spec: ['AL-01', 'AL-05'], ending: 'refusal' },
    },
    failed: {
      type: 'final',
      description: 'The response of the provider is invalid',
      meta: { spec: ['OI-13', 'FI-06'], ending: 'fault' },
    },
    faulted,
  },
})
