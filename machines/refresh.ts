import { chart, does } from './chart.ts'
import { faulted } from './endings.ts'
import { unavailableProvider } from './unavailable-provider.ts'

/** The application requests a valid access token. Has no route. */
export const refreshChart = chart({
  id: 'refresh',
  description: "Return an account's access token, refreshed if needed",
  meta: { spec: ['RO-06', 'RO-08'], title: 'Access token', withoutBrowser: true },
  initial: 'readingTokens',
  on: { fault: '.faulted' },
  states: {
    readingTokens: {
      description: 'Check whether the access token is still valid',
      meta: { spec: ['OPT-008'] },
      invoke: does('readTokens'),
      on: {
        'tokens.fresh': 'current',
        'refresh.due': 'claimingRefresh',
        'refresh.running': 'awaitingRefresh',
        'tokens.lapsed': 'lapsed',
      },
    },
    claimingRefresh: {
      description: 'Claim the refresh token in the store, so that nobody else sends it',
      meta: { spec: ['RO-06'] },
      invoke: does('claimRefresh'),
      on: { 'refresh.claimed': 'discoveringServer', 'refresh.taken': 'awaitingRefresh' },
    },
    awaitingRefresh: {
      description: 'Wait a moment for the refresh of another request',
      meta: { spec: ['RO-06'] },
      invoke: does('awaitRefresh'),
      on: { 'pause.over': 'readingTokens', 'refresh.unfinished': 'stale' },
    },
    discoveringServer: {
      description: "Discover the provider's token endpoint",
      meta: { spec: ['OI-15'] },
      invoke: does('discoverServer'),
      on: {
        'server.discovered': 'requestingTokens',
        'server.unusable': 'releasingClaim',
        ...unavailableProvider('releasingClaim'),
      },
    },
    requestingTokens: {
      description: 'Send the refresh token, and validate the response',
      meta: { spec: ['RO-07', 'OI-24'] },
      invoke: does('requestTokens'),
      on: {
        'tokens.refreshed': 'storingTokens',
        'refresh.refused': 'droppingToken',
        'refresh.failed': 'releasingClaim',
        ...unavailableProvider('releasingClaim'),
      },
    },
    storingTokens: {
      description: 'Store the new tokens before returning them',
      meta: { spec: ['RO-08'] },
      invoke: does('storeTokens'),
      on: { 'tokens.stored': 'current', 'tokens.superseded': 'readingTokens' },
    },
    droppingToken: {
      description: 'Remove the refresh token, which the provider rejected',
      meta: { spec: ['RO-07'] },
      invoke: does('dropToken'),
      on: { 'token.dropped': 'lapsed' },
    },
    releasingClaim: {
      description: 'Restore the refresh token for a later attempt',
      meta: { spec: ['RO-07'] },
      invoke: does('releaseClaim'),
      on: { 'claim.released': 'stale' },
    },
    current: {
      type: 'final',
      description: 'The access token is valid',
      meta: { spec: ['OPT-008'], ending: 'success' },
    },
    stale: {
      type: 'final',
      description: 'The token could not be refreshed now, so the old one is returned',
      meta: { spec: ['RO-07'], ending: 'refusal' },
    },
    lapsed: {
      type: 'final',
      description: 'Only a new sign-in can get new tokens',
      meta: { spec: ['RO-07'], ending: 'refusal' },
    },
    faulted,
  },
})
