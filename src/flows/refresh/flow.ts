import { refreshChart } from '../../../machines/refresh.ts'
import type { Store } from '../../config/settings.ts'
import { AdapterError, AuthError, CallbackRouteError } from '../../errors/classes.ts'
import { refreshTokens } from '../../oauth/refresh-tokens.ts'
import type { AdapterAccount } from '../../types/adapter.ts'
import type { AccessTokenAnswer, TokenSet } from '../../types/records.ts'
import type { Facts } from '../engine/facts.ts'
import { flow, outcome } from '../engine/flow.ts'
import { wait } from '../engine/deadline.ts'
import { step } from '../engine/step.ts'
import { requireStore } from '../engine/world.ts'
import { discoverTokenServer, oauthContext } from '../shared/discover-server.ts'
import { reportFailure, toAuthError, unavailability } from '../shared/provider-failure.ts'
import { keepTokens, readClaim, writeClaim, writeUnclaimed } from '../shared/keep-tokens.ts'
import { json, redirectFor, type Result } from '../engine/result.ts'

/** The facts that only the steps below provide. */
declare module '../engine/facts.ts' {
  interface Facts {
    /** The account whose access token was requested. */
    readonly accountKey: { readonly provider: string; readonly providerAccountId: string }
    /** That account, as it is stored. */
    readonly linkedAccount: AdapterAccount
    /** The provider's refresh token, without a claim around it. */
    readonly refreshToken: string
    /** The claim that this run stored instead of it. */
    readonly claim: string
    /** The tokens that the provider returned for it. */
    readonly renewed: TokenSet
  }
}

/** Milliseconds after which a claim is considered abandoned. It is longer than all steps of a refresh may take. */
const claimTime = 120_000

/** Seconds before its expiry at which an access token is refreshed, so that it is still valid when used. */
const margin = 60

/** Lifetime in seconds of an access token if the provider sent none (RFC 6749 5.1). */
const unsaidLifetime = 3600

/** Milliseconds between two reads while another request refreshes the account: about ten seconds in total per run. */
const patience = [50, 100, 200, 400, ...Array.from({ length: 12 }, () => 800)]

/** Reads the account, and decides whether its access token is still valid. */
const readTokens = step({
  needs: ['accountKey'],
  may: ['pauses'],
  says: {
    'tokens.fresh': ['linkedAccount'],
    'refresh.due': ['linkedAccount', 'refreshToken', 'pauses'],
    'refresh.running': ['linkedAccount', 'pauses'],
    'tokens.lapsed': [],
  },
  async run({ accountKey, pauses = patience }, world) {
    const now = world.platform.now()
    const linkedAccount = await readAccount(accountKey, requireStore(world))
    if (!linkedAccount) return { type: 'tokens.lapsed' }
    const { token, claimedUntil } = readClaim(linkedAccount.refresh_token)
    const expiry = (linkedAccount.expires_at ?? Number.POSITIVE_INFINITY) * 1000
    const isGood = linkedAccount.access_token && now < expiry - (token === undefined ? 0 : margin * 1000)
    if (isGood) return { type: 'tokens.fresh', linkedAccount }
    if (token === undefined) return { type: 'tokens.lapsed' }
    // Clocks may differ by the duration of a claim. A claim that ends even later comes from a wrong clock.
    const isClaimed = now < claimedUntil && claimedUntil < now + 2 * claimTime
    if (isClaimed) return { type: 'refresh.running', linkedAccount, pauses }
    return { type: 'refresh.due', linkedAccount, refreshToken: token, pauses }
  },
})

/** Replaces the refresh token with a claim. Of several requests, in this process or others, only one succeeds. */
const claimRefresh = step({
  needs: ['accountKey', 'linkedAccount', 'refreshToken'],
  says: { 'refresh.claimed': ['claim'], 'refresh.taken': [] },
  async run({ accountKey, linkedAccount, refreshToken }, world) {
    const claim = writeClaim(refreshToken, world.platform.now() + claimTime)
    const held = { refresh_token: linkedAccount.refresh_token ?? '' }
    const taken = await requireStore(world).updateAccount({ ...accountKey, refresh_token: claim }, held)
    return taken ? { type: 'refresh.claimed', claim } : { type: 'refresh.taken' }
  },
})

/** Waits once, unless it has waited long enough. */
const awaitRefresh = step({
  needs: ['pauses'],
  says: { 'pause.over': ['pauses'], 'refresh.unfinished': [] },
  async run({ pauses: [pause, ...pauses] }, { platform }) {
    if (pause === undefined) return { type: 'refresh.unfinished' }
    await wait(pause, platform)
    return { type: 'pause.over', pauses }
  },
})

/** Sends the refresh token. */
const requestTokens = step({
  needs: ['provider', 'server', 'refreshToken', 'linkedAccount'],
  says: {
    'tokens.refreshed': ['renewed'],
    'refresh.refused': ['failure'],
    'refresh.failed': ['failure'],
    ...unavailability,
  },
  async run({ provider, server, refreshToken, linkedAccount }, world) {
    const held = { refreshToken, idToken: linkedAccount.id_token }
    const answer = await refreshTokens(provider, server, held, oauthContext(world))
    if ('tokens' in answer) {
      const { tokens, ignored } = answer
      if (ignored) world.logger.error(toAuthError(CallbackRouteError, ignored, provider.id))
      return { type: 'tokens.refreshed', renewed: tokens }
    }
    if ('postponed' in answer)
      return reportFailure('refresh.failed', CallbackRouteError, answer.postponed, provider.id)
    return { type: 'refresh.refused', failure: toAuthError(CallbackRouteError, answer.refused, provider.id) }
  },
})

/** Replaces the claim with the new tokens, unless a sign-in has stored its own in the meantime. */
const storeTokens = step({
  needs: ['provider', 'accountKey', 'claim', 'refreshToken', 'renewed'],
  says: { 'tokens.stored': ['linkedAccount'], 'tokens.superseded': [] },
  async run({ provider, accountKey, claim, refreshToken, renewed }, world) {
    const kept = await keepTokens(provider, renewed)
    const linkedAccount = await requireStore(world).updateAccount(
      {
        ...kept,
        ...accountKey,
        access_token: renewed.access_token,
        expires_at: renewed.expires_at ?? Math.floor(world.platform.now() / 1000) + unsaidLifetime,
        refresh_token: writeUnclaimed(renewed.refresh_token ?? refreshToken),
      },
      { refresh_token: claim },
    )
    return linkedAccount ? { type: 'tokens.stored', linkedAccount } : { type: 'tokens.superseded' }
  },
})

/** Removes a refresh token that is no longer valid, so that it is never sent again. */
const dropToken = step({
  needs: ['accountKey', 'claim'],
  says: { 'token.dropped': [] },
  async run({ accountKey, claim }, world) {
    await requireStore(world).updateAccount({ ...accountKey, refresh_token: '' }, { refresh_token: claim })
    return { type: 'token.dropped' }
  },
})

/** Restores the refresh token. */
const releaseClaim = step({
  needs: ['accountKey', 'claim', 'refreshToken'],
  says: { 'claim.released': [] },
  async run({ accountKey, claim, refreshToken }, world) {
    const patch = { ...accountKey, refresh_token: writeUnclaimed(refreshToken) }
    await requireStore(world).updateAccount(patch, { refresh_token: claim })
    return { type: 'claim.released' }
  },
})

async function readAccount(
  { provider, providerAccountId }: Facts['accountKey'],
  store: Store,
): Promise<AdapterAccount | null> {
  const account: unknown = await store.getAccount(providerAccountId, provider)
  if (account === null || account === undefined) return null
  if (typeof account === 'object') return account as AdapterAccount
  throw new AdapterError("The adapter's getAccount returned an invalid account")
}

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
      answer: ({ linkedAccount }) => respondWith({ state: 'current', ...tokenOf(linkedAccount) }),
    }),
    stale: outcome({
      needs: ['linkedAccount'],
      may: ['failure'],
      answer: ({ linkedAccount, failure }) => ({
        ...respondWith({ state: 'stale', ...tokenOf(linkedAccount) }),
        logs: failure,
      }),
    }),
    lapsed: outcome({
      may: ['failure'],
      answer: ({ failure }) => ({ ...respondWith({ state: 'lapsed' }), logs: failure }),
    }),
    faulted: outcome({
      needs: ['fault'],
      answer: ({ fault }) => redirectFor(fault instanceof AuthError ? fault : new CallbackRouteError(fault)),
    }),
  },
})

function respondWith(body: AccessTokenAnswer): Result {
  return json(body)
}

function tokenOf({ access_token: accessToken = '', expires_at: expiresAt }: AdapterAccount) {
  return { accessToken, ...(typeof expiresAt === 'number' && { expiresAt }) }
}
