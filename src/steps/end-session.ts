import { asError } from '../as-error.ts'
import { InvalidProvider, SignOutError } from '../errors.ts'
import { hasFailed } from '../oauth/failure.ts'
import { discoverServer } from '../oauth/discover-server.ts'
import { oauthContext } from './oauth-context.ts'
import type { CallbacksOptions } from '../types/config.ts'
import { step } from './step.ts'
import type { World } from './world.ts'

/** Asks the application whether the session at the provider shall end, too. What it throws keeps the sign-out local. */
export const askEndSession = step({
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
      throw new InvalidProvider('endSession answered a provider that is none of OAuth or OpenID Connect')
    const { idToken } = answer
    return { type: 'logout.wanted', provider, logoutHint: idToken ? { idToken } : {} } as const
  } catch (error) {
    logger.error(new SignOutError(asError(error)))
    return local
  }
}

/** Builds the logout request (OpenID Connect RP-Initiated Logout 1.0, section 2). */
export const locateLogout = step({
  needs: ['provider', 'logoutHint', 'callbackUrl'],
  says: { 'logout.located': ['elsewhere'], 'logout.unavailable': [] },
  async run({ provider, logoutHint, callbackUrl }, world) {
    const found = await discoverServer(provider, 'logout', oauthContext(world))
    const endpoint = hasFailed(found) ? undefined : found.server.end_session_endpoint
    if (endpoint === undefined) {
      const why = hasFailed(found) ? found.failed.error : undefined
      world.logger.error(new SignOutError('The provider has no end_session_endpoint', why))
      return { type: 'logout.unavailable' }
    }
    const url = new URL(endpoint)
    if (logoutHint.idToken) url.searchParams.set('id_token_hint', logoutHint.idToken)
    url.searchParams.set('client_id', provider.clientId)
    url.searchParams.set('post_logout_redirect_uri', callbackUrl)
    return { type: 'logout.located', elsewhere: url.href }
  },
})
