import { refreshChart } from '../../machines/refresh.ts'
import { AuthError, CallbackRouteError } from '../errors.ts'
import {
  awaitRefresh,
  claimRefresh,
  dropToken,
  readTokens,
  releaseClaim,
  requestTokens,
  storeTokens,
} from '../steps/refresh.ts'
import { discoverTokenServer } from '../steps/sign-in.ts'
import type { AdapterAccount } from '../types/adapter.ts'
import type { AccessTokenAnswer } from '../types/access-token.ts'
import { flow, outcome } from './flow.ts'

export const refreshFlow = flow({
  chart: refreshChart,
  begins: ['accountKey', 'provider'],
  steps: {
    readTokens,
    claimRefresh,
    awaitRefresh,
    discoverServer: discoverTokenServer,
    requestTokens,
    storeTokens,
    dropToken,
    releaseClaim,
  },
  outcomes: {
    current: outcome({
      needs: ['linkedAccount'],
      answer: ({ linkedAccount }) => answer({ state: 'current', ...tokenOf(linkedAccount) }),
    }),
    stale: outcome({
      needs: ['linkedAccount'],
      may: ['failure'],
      answer: ({ linkedAccount, failure }) => ({
        ...answer({ state: 'stale', ...tokenOf(linkedAccount) }),
        logs: failure,
      }),
    }),
    lapsed: outcome({
      may: ['failure'],
      answer: ({ failure }) => ({ ...answer({ state: 'lapsed' }), logs: failure }),
    }),
    faulted: outcome({
      needs: ['fault'],
      answer: ({ fault }) => ({
        kind: 'error',
        error: fault instanceof AuthError ? fault : new CallbackRouteError(fault),
      }),
    }),
  },
})

function answer(body: AccessTokenAnswer) {
  return { kind: 'json', status: 200, body } as const
}

function tokenOf({ access_token: accessToken = '', expires_at: expiresAt }: AdapterAccount) {
  return { accessToken, ...(typeof expiresAt === 'number' && { expiresAt }) }
}
