import { chart, does } from './chart.ts'

/** An application asks for an access token that still works; no route leads here. */
export const refreshChart = chart({
  id: 'refresh',
  description: "Give an account's access token, refreshed by one caller when it is due",
  meta: { spec: ['RO-06', 'RO-08'] },
  initial: 'readingTokens',
  on: { fault: '.faulted' },
  states: {
    readingTokens: {
      description: 'Does the access token still work?',
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
      description: 'Take the refresh token, in the store, so that nobody else sends it',
      meta: { spec: ['RO-06'] },
      invoke: does('claimRefresh'),
      on: { 'refresh.claimed': 'discoveringServer', 'refresh.taken': 'awaitingRefresh' },
    },
    awaitingRefresh: {
      description: 'Somebody else is at it: wait for what comes of it',
      meta: { spec: ['RO-06'] },
      invoke: does('awaitRefresh'),
      on: { 'refresh.settled': 'readingTokens', 'refresh.unfinished': 'stale' },
    },
    discoveringServer: {
      description: "Where is the provider's token endpoint?",
      meta: { spec: ['OI-15'] },
      invoke: does('discoverServer'),
      on: { 'server.discovered': 'requestingTokens', 'server.unusable': 'releasingClaim' },
    },
    requestingTokens: {
      description: 'Send the refresh token, and judge what comes for it',
      meta: { spec: ['RO-07', 'OI-24'] },
      invoke: does('requestTokens'),
      on: {
        'tokens.refreshed': 'storingTokens',
        'refresh.refused': 'droppingToken',
        'refresh.failed': 'releasingClaim',
      },
    },
    storingTokens: {
      description: 'Store what came, before anybody sees it',
      meta: { spec: ['RO-08'] },
      invoke: does('storeTokens'),
      on: { 'tokens.stored': 'current', 'tokens.superseded': 'readingTokens' },
    },
    droppingToken: {
      description: 'The provider does not take the refresh token any more: forget it',
      meta: { spec: ['RO-07'] },
      invoke: does('dropToken'),
      on: { 'token.dropped': 'lapsed' },
    },
    releasingClaim: {
      description: 'Put the refresh token back, for another time',
      meta: { spec: ['RO-07'] },
      invoke: does('releaseClaim'),
      on: { 'claim.released': 'stale' },
    },
    current: {
      type: 'final',
      description: 'The access token works',
      meta: { spec: ['OPT-008'], ending: 'success' },
    },
    stale: {
      type: 'final',
      description: 'The old access token is all there is for now',
      meta: { spec: ['RO-07'], ending: 'refusal' },
    },
    lapsed: {
      type: 'final',
      description: 'Only a new sign-in brings tokens again',
      meta: { spec: ['RO-07'], ending: 'refusal' },
    },
    faulted: {
      type: 'final',
      description: 'Something that should not happen',
      meta: { spec: ['FI-01', 'DEC-34'], ending: 'fault' },
    },
  },
})
