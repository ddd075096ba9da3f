import * as oauth from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import { describeClient, selectClientAuth } from './client.ts'
import type { OAuthContext } from './context.ts'
import { checkEndpoint } from './discover-server.ts'
import { fail, type Failed, hasFailed } from './failure.ts'
import { outboundFetch } from './outbound-fetch.ts'
import { failFrom, readProviderError, tellProviderError } from './provider-error.ts'

/** Returns whether the authorization request must be pushed (RFC 9126 5 and 6). */
export function demandsPush({ client }: OAuthSettings, server: oauth.AuthorizationServer): boolean {
  return (
    server.require_pushed_authorization_requests === true ||
    client.require_pushed_authorization_requests === true
  )
}

/**
 * Pushes an authorization request to the provider (RFC 9126 2), which authenticates the client as at the token endpoint.
 *
 * @param url the authorization request as a URL
 * @returns the URL that refers to the pushed request
 */
export async function pushRequest(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  url: string,
  context: OAuthContext,
): Promise<{ readonly url: string } | Failed> {
  const failed = checkEndpoint(provider, server, 'push')
  if (failed) return failed
  const selected = selectClientAuth(provider, server)
  if (hasFailed(selected)) return selected
  const client = describeClient(provider, context)
  const what = `Provider "${provider.id}": the pushed authorization request`
  const built = new URL(url)
  const { searchParams: parameters } = built
  try {
    const response = await oauth.pushedAuthorizationRequest(server, client, selected.auth, parameters, {
      [oauth.customFetch]: outboundFetch(provider, context),
      [oauth.allowInsecureRequests]: true,
    })
    const problem = response.ok ? undefined : await readProviderError(response)
    if (problem) {
      const secrets = [parameters.get('state'), parameters.get('nonce'), provider.clientSecret]
      const told = tellProviderError(problem, secrets)
      return fail('push-refused', `${what} returned ${response.status} with ${told}`)
    }
    const pushed = await oauth.processPushedAuthorizationResponse(server, client, response)
    built.search = new URLSearchParams([
      ...ownParameters(provider, server),
      ['client_id', provider.clientId],
      ['request_uri', pushed.request_uri],
    ]).toString()
    return { url: built.href }
  } catch (error) {
    return failFrom(error, 'push-refused', `${what} failed`)
  }
}

/** The query of the endpoint as discovered, which must be kept (RFC 6749 3.1). */
function ownParameters({ authorization }: OAuthSettings, server: oauth.AuthorizationServer) {
  const query = new URL(server.authorization_endpoint ?? '').searchParams
  return [...query].filter(([name]) => !Object.hasOwn(authorization.params, name))
}
