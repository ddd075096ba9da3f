import { signOutChart } from '../../../machines/sign-out.ts'
import { asError } from '../../errors/as-error.ts'
import { readCandidates } from '../../cookies/chunks.ts'
import { InvalidProvider, SignOutError } from '../../errors/classes.ts'
import { discoverServer } from '../../oauth/discover-server.ts'
import { hasFailed } from '../../oauth/failure.ts'
import { endHeldOf } from '../../policy/end-held.ts'
import { heldSignInCookie } from '../../session/held-sign-in.ts'
import type { CallbacksOptions } from '../../types/callbacks.ts'
import { flow, outcome } from '../engine/flow.ts'
import { step } from '../engine/step.ts'
import { type Announcement, requireStore, type World } from '../engine/world.ts'
import { checkCsrf } from '../shared/check-csrf.ts'
import { clearSessionCookies } from '../shared/clear-session-cookies.ts'
import { failed } from '../shared/endings.ts'
import { oauthContext } from '../shared/discover-server.ts'
import { toAuthError } from '../shared/provider-failure.ts'
import { openLeavingToken, readSessionCookie } from '../shared/recognition.ts'
import { revokeHeldTokens } from '../shared/revoke-held-tokens.ts'
import { resolveTarget } from '../shared/resolve-callback-url.ts'
import { redirect, throwOrRedirectFor } from '../engine/result.ts'
import type { AdapterSession } from '../../types/adapter.ts'

/** The facts that only the steps below provide. */
declare module '../engine/facts.ts' {
  interface Facts {
    /** The session that the store deleted, if it returned it. */
    readonly revoked: { readonly session: AdapterSession | null }
    /** The id_token that names the session to end at the provider; empty if none was stored. */
    readonly logoutHint: { readonly idToken?: string }
  }
}

/** Decides whether the claims are needed, by the revocation list, the application's callback, or its event hook. */
const checkNeed = step({
  says: { 'token.needed': [], 'token.unneeded': [] },
  run(_facts, { settings: { jwt, callbacks, events } }) {
    const isNeeded = jwt.revocations || callbacks.endSession || events.signOut
    return { type: isNeeded ? 'token.needed' : 'token.unneeded' }
  },
})

/** Revokes the token, and those of further session cookies, which the next request would use. */
const revokeToken = step({
  needs: ['visit'],
  says: { 'token.revoked': [] },
  async run({ visit }, world) {
    if (world.settings.jwt.revocations) await revokeHeldTokens(visit, world)
    return { type: 'token.revoked' }
  },
})

/** Ends the sign-in of this browser that a gate holds, if there is one. */
const endHeldSignIn = step({
  needs: ['visit'],
  says: { 'held-sign-in.ended': [] },
  async run({ visit }, world) {
    if (heldSignInCookie.isSent(visit)) await endHeldOf(visit, world)
    return { type: 'held-sign-in.ended' }
  },
})

/** Removes the session from the store, and those of further session cookies, which the next request would use. */
const revokeSession = step({
  needs: ['visit', 'heldCookie'],
  says: { 'session.revoked': ['revoked'] },
  async run({ visit, heldCookie }, world) {
    const session = (await requireStore(world).deleteSession(heldCookie)) ?? null
    for (const other of readCandidates(visit.cookies, visit.cookieTable.sessionToken.name))
      if (other !== heldCookie) await requireStore(world).deleteSession(other)
    return { type: 'session.revoked', revoked: { session } }
  },
})

/**
 * Asks the application whether to end the session at the provider as well. If the callback throws, only the local
 * session ends.
 */
const askEndSession = step({
  needs: [],
  may: ['token', 'revoked'],
  says: { 'logout.local': [], 'logout.wanted': ['provider', 'logoutHint'] },
  run({ token, revoked }, world) {
    const { endSession } = world.settings.callbacks
    const ended = token ? { token } : revoked?.session && { session: revoked.session }
    return endSession && ended ? ask(endSession, ended, world) : { type: 'logout.local' }
  },
})

type EndSession = NonNullable<CallbacksOptions['endSession']>

async function ask(endSession: EndSession, ended: Parameters<EndSession>[0], { settings, logger }: World) {
  const local = { type: 'logout.local' } as const
  try {
    const answer = await endSession(ended)
    if (!answer) return local
    const provider = settings.providers.get(answer.provider)
    if (provider?.kind !== 'oauth')
      throw new InvalidProvider('`endSession` must return the id of an OAuth or OpenID Connect provider')
    const { idToken } = answer
    return { type: 'logout.wanted', provider, logoutHint: idToken ? { idToken } : {} } as const
  } catch (error) {
    logger.error(new SignOutError(asError(error)))
    return local
  }
}

/** Builds the logout request (OpenID Connect RP-Initiated Logout 1.0, section 2). */
const locateLogout = step({
  needs: ['provider', 'logoutHint', 'callbackUrl'],
  says: { 'logout.located': ['elsewhere'], 'logout.unavailable': [] },
  async run({ provider, logoutHint, callbackUrl }, world) {
    const found = await discoverServer(provider, 'logout', oauthContext(world))
    const endpoint = hasFailed(found) ? undefined : found.server.end_session_endpoint
    if (endpoint === undefined) {
      const failure = hasFailed(found)
        ? toAuthError(SignOutError, found, provider.id)
        : new SignOutError('The provider has no end_session_endpoint', { provider: provider.id })
      world.logger.error(failure)
      return { type: 'logout.unavailable' }
    }
    const url = new URL(endpoint)
    if (logoutHint.idToken) url.searchParams.set('id_token_hint', logoutHint.idToken)
    url.searchParams.set('client_id', provider.clientId)
    url.searchParams.set('post_logout_redirect_uri', callbackUrl)
    return { type: 'logout.located', elsewhere: url.href }
  },
})

export const signOutFlow = flow({
  chart: signOutChart,
  begins: ['visit'],
  steps: {
    checkCsrf,
    resolveCallbackUrl: resolveTarget,
    clearSessionCookies,
    endHeldSignIn,
    readSessionCookie,
    checkNeed,
    openToken: openLeavingToken,
    revokeToken,
    revokeSession,
    askEndSession,
    locateLogout,
  },
  outcomes: {
    signedOut: outcome({
      needs: ['callbackUrl'],
      may: ['token', 'revoked', 'elsewhere'],
      answer({ callbackUrl, token, revoked, elsewhere }) {
        const message = revoked ?? (token && { token })
        const announces: Announcement[] = message ? [{ event: 'signOut', message }] : []
        return { ...redirect(elsewhere ?? callbackUrl), announces }
      },
    }),
    refused: failed,
    faulted: outcome({
      needs: ['fault'],
      answer: ({ fault }) => throwOrRedirectFor(new SignOutError(fault)),
    }),
  },
})
