import type { OAuthSettings } from '../../config/settings.ts'
import { InvalidConfig, OAuthSignInError } from '../../errors/classes.ts'
import type { Visit } from '../../http/visit.ts'
import { asksToLink } from '../shared/linking.ts'
import { writeAuthorizationUrl } from '../../oauth/authorization-url.ts'
import { chooseChecks, mintCheckValues, chooseMaxAge } from '../../oauth/choose-checks.ts'
import { hasFailed } from '../../oauth/failure.ts'
import { demandsPush, pushRequest } from '../../oauth/push-request.ts'
import { checkCookie, clearChecks, findSurplus, nameTransaction, stateParameter } from './check-cookies.ts'
import { oauthContext } from '../shared/discover-server.ts'
import { reportFailure, unavailability } from '../shared/provider-failure.ts'
import { step } from '../engine/step.ts'
import type { World } from '../engine/world.ts'

/** Returns the URL that the provider redirects to: here, or at the redirect proxy. */
export function redirectUriOf(visit: Visit, provider: OAuthSettings): string {
  const own = `${visit.base}/callback/${provider.id}`
  return goesByProxy(visit, provider) ? (provider.redirectProxy?.callbackUrl ?? own) : own
}

/** Returns whether the response arrives through the redirect proxy. */
export function goesByProxy(visit: Visit, provider: OAuthSettings): boolean {
  return provider.redirectProxy !== undefined && provider.redirectProxy.origin !== visit.origin
}

/** Creates state, code verifier and nonce, and seals each into a cookie that only this provider's callback opens. */
export const mintChecks = step({
  needs: ['visit', 'provider', 'server'],
  may: ['currentUser'],
  says: { 'checks.minted': ['checks'] },
  async run({ visit, provider, server, currentUser }, world) {
    const { settings, platform, out } = world
    const viaProxy = goesByProxy(visit, provider)
    const { parallelSignIns } = settings
    const wanted = chooseChecks(provider, server, viaProxy || parallelSignIns)
    if (viaProxy && !wanted.includes('state'))
      throw new InvalidConfig('A redirect proxy needs the `state` check. Remove "none" from `checks`')
    const values = mintCheckValues(wanted, platform)
    const state = values.state && (await sealState(values.state, visit, provider, world))
    const transaction = parallelSignIns && state ? await nameTransaction(state) : ''
    const startedBy = currentUser && mayLink(visit, world) ? String(currentUser.id) : undefined
    const maxAge = chooseMaxAge(provider, visit.query)
    const sealed = {
      provider: provider.id,
      checks: wanted,
      user: startedBy,
      isLink: startedBy !== undefined && asksToLink(visit) ? true : undefined,
      maxAge,
      scope: readScope(visit.query),
    }
    const byCheck = { state, pkce: values.codeVerifier, nonce: values.nonce }
    if (parallelSignIns) out.setCookies(findSurplus(visit).flatMap((each) => clearChecks(visit, each)))
    for (const check of wanted) {
      const content = { value: byCheck[check] ?? '', ...sealed }
      out.setCookies(await checkCookie(check, transaction, provider).write(content, visit, world))
    }
    return { type: 'checks.minted', checks: { ...values, state, startedBy, maxAge } }
  },
})

/** Maximum characters of a scope to remember. A longer one would exceed the size of a cookie. */
const longestScope = 500

/** Returns the scope that the sign-in request asks for instead of the configured one. */
function readScope(query: URLSearchParams): string | undefined {
  const scope = query.get('scope')
  return scope !== null && scope.length <= longestScope ? scope : undefined
}

/**
 * Returns whether the sign-in may link an identity to the signed-in user. With `accountLinking: 'explicit'`, the form
 * must request it.
 */
function mayLink(visit: Visit, { settings }: World): boolean {
  return settings.accountLinking === 'session' || asksToLink(visit)
}

async function sealState(
  random: string,
  visit: Visit,
  provider: OAuthSettings,
  world: World,
): Promise<string> {
  const origin = goesByProxy(visit, provider) ? `${visit.base}/callback/${provider.id}` : undefined
  return stateParameter.seal({ origin, random }, world)
}

/** Builds the authorization request. Parameters that a sign-in request must not set are ignored and logged. */
export const buildAuthorizationUrl = step({
  needs: ['visit', 'provider', 'server', 'checks'],
  says: { 'authorization-url.built': ['authorizationUrl'], 'push.demanded': ['authorizationUrl'] },
  async run({ visit, provider, server, checks }, { logger }) {
    const parameters = withoutCallbackUrl(visit.query)
    const redirectUri = redirectUriOf(visit, provider)
    const built = await writeAuthorizationUrl(provider, server, { redirectUri, checks, parameters })
    if (hasFailed(built)) throw built.failed.error
    if (built.ignored.length > 0) logger.warn('ignored-parameter')
    const type = demandsPush(provider, server) ? 'push.demanded' : 'authorization-url.built'
    return { type, authorizationUrl: built.url }
  },
})

function withoutCallbackUrl(query: URLSearchParams): URLSearchParams {
  if (!query.has('callbackUrl')) return query
  const others = new URLSearchParams(query)
  others.delete('callbackUrl')
  return others
}

/**
 * Sends the authorization request directly to the provider, so that the URL in the browser contains only a reference to
 * it.
 */
export const pushAuthorizationRequest = step({
  needs: ['provider', 'server', 'authorizationUrl'],
  says: {
    'authorization-request.pushed': ['authorizationUrl'],
    'authorization-request.refused': ['failure'],
    ...unavailability,
  },
  async run({ provider, server, authorizationUrl }, world) {
    const pushed = await pushRequest(provider, server, authorizationUrl, oauthContext(world))
    return hasFailed(pushed)
      ? reportFailure('authorization-request.refused', OAuthSignInError, pushed, provider.id)
      : { type: 'authorization-request.pushed', authorizationUrl: pushed.url }
  },
})
