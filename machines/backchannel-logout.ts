import { chart, does } from './chart.ts'
import { unavailableProvider } from './unavailable-provider.ts'

/** An OpenID provider tells the site that a user signed out (OpenID Connect Back-Channel Logout 1.0), without a browser. */
export const backchannelLogoutChart = chart({
  id: 'backchannel-logout',
  description: 'End the sessions that a provider names',
  meta: { spec: ['BCL-01', 'BCL-03'], title: 'Sign-out at the provider', withoutBrowser: true },
  initial: 'readingToken',
  on: { fault: '.faulted' },
  states: {
    readingToken: {
      description: 'Read the logout token, and find the provider that it names',
      meta: { spec: ['BCL-01', 'BCL-02'] },
      invoke: does('readLogoutToken'),
      on: {
        'logout-token.read': 'discoveringServer',
        'logout-token.invalid': 'refused',
      },
    },
    discoveringServer: {
      description: "Discover the provider's keys",
      meta: { spec: ['BCL-02'] },
      invoke: does('discoverServer'),
      on: {
        'server.discovered': 'verifyingToken',
        'server.unusable': 'unavailable',
        ...unavailableProvider('unavailable'),
      },
    },
    verifyingToken: {
      description: 'Verify the signature and the claims of the logout token',
      meta: { spec: ['BCL-02'] },
      invoke: does('verifyLogoutToken'),
      on: {
        'logout-token.verified': 'findingSessions',
        'logout-token.invalid': 'refused',
        'keys.unusable': 'unavailable',
        ...unavailableProvider('unavailable'),
      },
    },
    findingSessions: {
      description: 'Find the database sessions that were opened through this session at the provider',
      meta: { spec: ['BCL-03', 'BCL-04'] },
      invoke: does('findSessions'),
      on: {
        'tokens.meant': 'revokingTokens',
        'sessions.found': 'endingHeldSignIns',
        'sessions.unfindable': 'refused',
      },
    },
    revokingTokens: {
      description: 'Add the session at the provider to the revocation list',
      meta: { spec: ['BCL-03', 'BCL-05'] },
      invoke: does('revokeTokens'),
      on: { 'tokens.revoked': 'endingHeldSignIns' },
    },
    endingHeldSignIns: {
      description: 'End the sign-ins of the user that wait for the second factor',
      meta: { spec: ['POL-06', 'BCL-03'] },
      invoke: does('endHeldSignIns'),
      on: { 'held-sign-ins.ended': 'removingSessions' },
    },
    removingSessions: {
      description: 'Remove the sessions from the store',
      meta: { spec: ['BCL-03'] },
      invoke: does('removeSessions'),
      on: { 'sessions.removed': 'loggedOut' },
    },
    loggedOut: {
      type: 'final',
      description: 'The sessions have ended',
      meta: { spec: ['BCL-03'], ending: 'success' },
    },
    refused: {
      type: 'final',
      description: 'The logout token is invalid, or lacks the claim that finds the sessions',
      meta: { spec: ['BCL-01', 'BCL-02'], ending: 'refusal' },
    },
    unavailable: {
      type: 'final',
      description: "The provider's keys cannot be fetched",
      meta: { spec: ['BCL-01'], ending: 'refusal' },
    },
    faulted: {
      type: 'final',
      description: 'The sessions could not be ended',
      meta: { spec: ['BCL-01'], ending: 'fault' },
    },
  },
})
