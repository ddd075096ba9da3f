import type { Store } from '../config/settings.ts'
import { settle } from '../crypto/maybe-promise.ts'
import { AdapterError, CallbackRouteError } from '../errors.ts'
import { refreshTokens } from '../oauth/refresh-tokens.ts'
import { claimTime, readClaim, writeClaim } from '../session/refresh-claim.ts'
import type { AdapterAccount } from '../types/adapter.ts'
import { demandStore } from './demand-store.ts'
import type { Facts } from './facts.ts'
import { oauthContext } from './oauth-context.ts'
import { step } from './step.ts'
import { withoutUndefined } from '../without-undefined.ts'

/** Seconds before its end at which an access token is refreshed: it has to last for what it is asked for. */
const margin = 60

/** Seconds that an access token counts as good when nobody said how long it is (RFC 6749 5.1). */
const unsaidLifetime = 3600

/** Reads the account, and decides whether its access token still works. */
export const readTokens = step({
  needs: ['accountKey'],
  says: {
    'tokens.fresh': ['linkedAccount'],
    'refresh.due': ['linkedAccount', 'refreshToken'],
    'refresh.running': ['linkedAccount'],
    'tokens.lapsed': [],
  },
  async run({ accountKey }, world) {
    const now = world.platform.now()
    const linkedAccount = await readAccount(accountKey, demandStore(world))
    if (!linkedAccount) return { type: 'tokens.lapsed' }
    const { token, claimedUntil } = readClaim(linkedAccount.refresh_token)
    const expiry = (linkedAccount.expires_at ?? Number.POSITIVE_INFINITY) * 1000
    const isGood = linkedAccount.access_token && now < expiry - (token === undefined ? 0 : margin * 1000)
    if (isGood) return { type: 'tokens.fresh', linkedAccount }
    if (token === undefined) return { type: 'tokens.lapsed' }
    if (now < claimedUntil) return { type: 'refresh.running', linkedAccount }
    return { type: 'refresh.due', linkedAccount, refreshToken: token }
  },
})

/** Puts a claim in place of the refresh token; of many who try, one succeeds, in this process or another. */
export const claimRefresh = step({
  needs: ['accountKey', 'linkedAccount', 'refreshToken'],
  says: { 'refresh.claimed': ['claim'], 'refresh.taken': [] },
  async run({ accountKey, linkedAccount, refreshToken }, world) {
    const claim = writeClaim(refreshToken, world.platform.now() + claimTime)
    const held = { refresh_token: linkedAccount.refresh_token ?? '' }
    const taken = await demandStore(world).updateAccount({ ...accountKey, refresh_token: claim }, held)
    return taken ? { type: 'refresh.claimed', claim } : { type: 'refresh.taken' }
  },
})

/** Milliseconds between two looks, about ten seconds in all. */
const pauses = [50, 100, 200, 400, ...Array.from({ length: 12 }, () => 800)]

/** Waits until nobody holds the refresh token any more. */
export const awaitRefresh = step({
  needs: ['accountKey'],
  says: { 'refresh.settled': [], 'refresh.unfinished': [] },
  async run({ accountKey }, world) {
    const store = demandStore(world)
    for (const pause of pauses) {
      await new Promise<void>((resolve) => void world.platform.timer(pause, resolve))
      const { claimedUntil } = readClaim((await readAccount(accountKey, store))?.refresh_token)
      if (claimedUntil <= world.platform.now()) return { type: 'refresh.settled' }
    }
    return { type: 'refresh.unfinished' }
  },
})

/** Sends the refresh token. */
export const requestTokens = step({
  needs: ['provider', 'server', 'refreshToken', 'linkedAccount'],
  says: { 'tokens.refreshed': ['renewed'], 'refresh.refused': ['failure'], 'refresh.failed': ['failure'] },
  async run({ provider, server, refreshToken, linkedAccount }, world) {
    const held = { refreshToken, idToken: linkedAccount.id_token }
    const answer = await refreshTokens(provider, server, held, oauthContext(world))
    if ('tokens' in answer) return { type: 'tokens.refreshed', renewed: answer.tokens }
    const { failed } = 'refused' in answer ? answer.refused : answer.postponed
    const failure = new CallbackRouteError(failed.error, { provider: provider.id, reason: failed.reason })
    return { type: 'refused' in answer ? 'refresh.refused' : 'refresh.failed', failure }
  },
})

/** Stores the new tokens in place of the claim, unless a sign-in has stored its own meanwhile. */
export const storeTokens = step({
  needs: ['provider', 'accountKey', 'claim', 'refreshToken', 'renewed'],
  says: { 'tokens.stored': ['linkedAccount'], 'tokens.superseded': [] },
  async run({ provider, accountKey, claim, refreshToken, renewed }, world) {
    const kept = (await settle(provider.account(renewed))) ?? {}
    const linkedAccount = await demandStore(world).updateAccount(
      {
        ...withoutUndefined(kept),
        ...accountKey,
        access_token: renewed.access_token,
        expires_at: renewed.expires_at ?? Math.floor(world.platform.now() / 1000) + unsaidLifetime,
        refresh_token: renewed.refresh_token ?? refreshToken,
      },
      { refresh_token: claim },
    )
    return linkedAccount ? { type: 'tokens.stored', linkedAccount } : { type: 'tokens.superseded' }
  },
})

/** Forgets a refresh token that is worth nothing any more, so that it is never sent again. */
export const dropToken = step({
  needs: ['accountKey', 'claim'],
  says: { 'token.dropped': [] },
  async run({ accountKey, claim }, world) {
    await demandStore(world).updateAccount({ ...accountKey, refresh_token: '' }, { refresh_token: claim })
    return { type: 'token.dropped' }
  },
})

/** Puts the refresh token back. */
export const releaseClaim = step({
  needs: ['accountKey', 'claim', 'refreshToken'],
  says: { 'claim.released': [] },
  async run({ accountKey, claim, refreshToken }, world) {
    const patch = { ...accountKey, refresh_token: refreshToken }
    await demandStore(world).updateAccount(patch, { refresh_token: claim })
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
  throw new AdapterError("The adapter's getAccount answered what is no account")
}
