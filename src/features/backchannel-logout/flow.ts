import { backchannelLogoutChart } from '../../../machines/backchannel-logout.ts'
import { isSessionId } from '../../config/store.ts'
import { SignOutError } from '../../errors/classes.ts'
import { hasFailed } from '../../oauth/failure.ts'
import { findIssuer, checkLogoutToken } from './logout-token.ts'
import { keysOfLogout, wasOpenedBy } from '../../session/provider-session.ts'
import { requireLiveSession, isSameId, readUser } from '../../session/stored.ts'
import { flow, outcome } from '../../flows/engine/flow.ts'
import { json } from '../../flows/engine/result.ts'
import { step } from '../../flows/engine/step.ts'
import type { AdapterSession, AdapterUser } from '../../types/adapter.ts'
import { requireStore, type World } from '../../flows/engine/world.ts'
import { mayHold } from '../../flows/shared/hold-sign-in.ts'
import { endHeld } from '../../policy/end-held.ts'
import { discoverKeyServer, oauthContext } from '../../flows/shared/discover-server.ts'
import { reportFailure, unavailability } from '../../flows/shared/provider-failure.ts'
import { loadRevocations } from '../../session/load-revocations.ts'
import type { ProviderLogout } from './logout-token.ts'

/** The facts that only the steps below provide. */
declare module '../../flows/engine/facts.ts' {
  interface Facts {
    readonly logoutToken: string
    readonly logout: ProviderLogout
    /** The sessions that a provider ended. */
    readonly endedSessions: readonly AdapterSession[]
  }
}

/** Reads the logout token, and finds the provider that it names. */
const readLogoutToken = step({
  needs: ['visit'],
  says: {
    'logout-token.read': ['provider', 'logoutToken'],
    'logout-token.invalid': ['failure'],
  },
  run({ visit }, { settings }) {
    const providers = [...settings.providers.values()].flatMap((provider) =>
      provider.kind === 'oauth' && provider.endsSessions ? [provider] : [],
    )
    const { logout_token: logoutToken } = visit.body
    if (typeof logoutToken !== 'string' || visit.duplicates.includes('logout_token')) {
      const failure = new SignOutError('The request has no single `logout_token`')
      return { type: 'logout-token.invalid', failure }
    }
    const found = findIssuer(providers, logoutToken)
    if (hasFailed(found))
      return { type: 'logout-token.invalid', failure: new SignOutError(found.failed.error) }
    return { type: 'logout-token.read', provider: found.provider, logoutToken }
  },
})

const verifyLogoutToken = step({
  needs: ['provider', 'server', 'logoutToken'],
  says: {
    'logout-token.verified': ['logout'],
    'logout-token.invalid': ['failure'],
    'keys.unusable': ['failure'],
    ...unavailability,
  },
  async run({ provider, server, logoutToken }, world) {
    const judged = await checkLogoutToken(provider, server, logoutToken, oauthContext(world))
    if (!hasFailed(judged)) return { type: 'logout-token.verified', logout: judged.logout }
    const { reason } = judged.failed
    const isInvalid = reason === 'claims.invalid' || reason === 'signature-invalid'
    const own = isInvalid ? 'logout-token.invalid' : 'keys.unusable'
    return reportFailure(own, SignOutError, judged, provider.id)
  },
})

/** Finds the user whose account at the provider is `sub`. */
async function findOwner(provider: string, sub: string, world: World): Promise<AdapterUser | undefined> {
  const key = { provider, providerAccountId: sub }
  return readUser(await requireStore(world).getUserByAccount(key), 'getUserByAccount') ?? undefined
}

/** Finds the database sessions that were opened through the session at the provider. */
const findSessions = step({
  needs: ['provider', 'logout'],
  says: {
    'tokens.meant': ['endedSessions'],
    'sessions.found': ['endedSessions', 'owner'],
    'sessions.unfindable': ['failure'],
  },
  async run({ provider, logout }, world) {
    const { sub, issuedAt } = logout
    if (world.settings.session.strategy === 'jwt') return { type: 'tokens.meant', endedSessions: [] }
    if (sub === undefined) {
      const failure = new SignOutError('Logout token: expected sub, which finds database sessions')
      return { type: 'sessions.unfindable', failure }
    }
    const user = await findOwner(provider.id, sub, world)
    const rows = user ? await requireStore(world).listSessionsByUserId(user.id) : []
    const keys = await keysOfLogout(provider.id, logout)
    const endedSessions = rows
      .map((row) => requireLiveSession(row, 'listSessionsByUserId'))
      .filter(({ userId, sessionToken }) => isSameId(userId, user?.id) && isSessionId(sessionToken))
      .filter(({ sessionToken }) => wasOpenedBy(sessionToken, keys, issuedAt))
    return { type: 'sessions.found', endedSessions, owner: user }
  },
})

const revokeTokens = step({
  needs: ['provider', 'logout'],
  says: { 'tokens.revoked': [] },
  async run({ provider, logout }, { settings }) {
    const { revokeKeys } = await loadRevocations()
    await revokeKeys(await keysOfLogout(provider.id, logout), logout.issuedAt, settings)
    return { type: 'tokens.revoked' }
  },
})

/**
 * Ends sign-ins of the user that wait for the second factor or that a gate holds. If the token has no `sub`, it names no user, and they
 * expire.
 */
const endHeldSignIns = step({
  needs: ['provider', 'logout'],
  may: ['owner'],
  says: { 'held-sign-ins.ended': [] },
  async run({ provider, logout, owner }, world) {
    // Without a store, nothing names the user of a waiting sign-in.
    if (world.store && mayHold(world) && logout.sub !== undefined) {
      const user = owner ?? (await findOwner(provider.id, logout.sub, world))
      if (user) await endHeld(user.id, world)
    }
    return { type: 'held-sign-ins.ended' }
  },
})

/** Removes the sessions, and reports the end of each live one as a sign-out does. */
const removeSessions = step({
  needs: ['endedSessions'],
  says: { 'sessions.removed': [] },
  async run({ endedSessions }, world) {
    const now = world.platform.now()
    const removals = endedSessions.map(async (session) => {
      await requireStore(world).deleteSession(session.sessionToken)
      if (session.expires.getTime() > now) world.out.announce({ event: 'signOut', message: { session } })
    })
    const failed = (await Promise.allSettled(removals)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    return { type: 'sessions.removed' }
  },
})

/** Refuses the token. The response gives no reason, because the log contains it (section 2.8). */
const refusal = outcome({
  needs: ['failure'],
  answer: ({ failure }) => ({
    ...json({ error: 'invalid_request', error_description: 'The logout token is invalid' }, 400),
    logs: failure,
  }),
})

export const backchannelLogoutFlow = flow({
  chart: backchannelLogoutChart,
  begins: ['visit'],
  steps: {
    readLogoutToken,
    discoverServer: discoverKeyServer,
    verifyLogoutToken,
    findSessions,
    revokeTokens,
    endHeldSignIns,
    removeSessions,
  },
  outcomes: {
    loggedOut: outcome({ answer: () => json({}) }),
    refused: refusal,
    unavailable: outcome({
      needs: ['failure'],
      answer: ({ failure }) => ({ ...json({ error: 'temporarily_unavailable' }, 503), logs: failure }),
    }),
    faulted: outcome({
      needs: ['fault'],
      answer: ({ fault }) => ({
        ...json({ error: 'temporarily_unavailable' }, 503),
        logs: new SignOutError(fault),
      }),
    }),
  },
})
