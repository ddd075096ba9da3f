import * as oauth from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import type { Profile, TokenSet } from '../types/records.ts'
import { describeClient } from './client.ts'
import { callHook } from './call-hook.ts'
import { hookProvider, type OAuthContext } from './context.ts'
import { discoverServer } from './discover-server.ts'
import { failFrom, readProviderError, tellProviderError } from './provider-error.ts'
import { type Failed, fail, hasFailed } from './failure.ts'
import { limitJwt, verifySignature } from './id-token.ts'
import { mediaType, outboundFetch, readJson, UnusableResponse } from './outbound-fetch.ts'

/**
 * Returns the user's data from the userinfo endpoint, or from the provider's `userinfo.request`.
 *
 * @param subject `sub` of the id_token, which the userinfo of an OpenID Connect provider must contain (OpenID Connect
 * Core 5.3.2)
 */
export async function fetchUserinfo(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  tokens: TokenSet,
  subject: string | undefined,
  context: OAuthContext,
): Promise<{ readonly userinfo: Profile } | Failed> {
  if (provider.userinfo.request) return askHook(provider, tokens, subject, context)
  const answer = await requestUserinfo(provider, server, tokens, context)
  return hasFailed(answer)
    ? answer
    : checkUserinfo(provider, answer.server, answer.response, subject, context)
}

/** Sends the userinfo request (RFC 6750 2.1), to the endpoint in the metadata. */
export async function requestUserinfo(
  provider: OAuthSettings,
  known: oauth.AuthorizationServer,
  tokens: TokenSet,
  context: OAuthContext,
): Promise<{ readonly response: Response; readonly server: oauth.AuthorizationServer } | Failed> {
  const discovered = known.userinfo_endpoint
    ? { server: known }
    : await discoverServer(provider, 'userinfo', context)
  if (hasFailed(discovered)) return discovered
  const { server } = discovered
  try {
    const response = await oauth.userInfoRequest(
      server,
      describeClient(provider, context),
      tokens.access_token ?? '',
      { [oauth.customFetch]: outboundFetch(provider, context), [oauth.allowInsecureRequests]: true },
    )
    const problem = response.ok ? undefined : await readProviderError(response)
    if (!problem) return { response, server }
    const told = tellProviderError(problem, [tokens.access_token, tokens.id_token, provider.clientSecret])
    return fail(
      'userinfo-refused',
      `Provider "${provider.id}": the userinfo endpoint returned ${response.status} with ${told}`,
    )
  } catch (error) {
    return failFrom(error, 'userinfo-refused', `Provider "${provider.id}": the userinfo request failed`)
  }
}

/**
 * Validates a userinfo response: 2xx and a JSON object, or a JWT signed by the issuer. For an OpenID Connect provider,
 * it must be about the subject of the id_token.
 */
export async function checkUserinfo(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  response: Response,
  subject: string | undefined,
  context: OAuthContext,
): Promise<{ readonly userinfo: Profile } | Failed> {
  const what = `Provider "${provider.id}": the userinfo response is invalid`
  try {
    const declared = provider.client.userinfo_signed_response_alg
    if (!response.ok) throw new UnusableResponse(`expected status 200, got ${response.status}`)
    if (declared === undefined && mediaType(response) !== 'application/jwt')
      return checkSubject(provider, await readJson(response), subject)
    const jwt = await response.clone().text()
    limitJwt(jwt)
    const client = describeClient(provider, context)
    const userinfo = await oauth.processUserInfoResponse(server, client, oauth.skipSubjectCheck, response)
    const forged = await verifySignature(jwt, declared, provider, server, context)
    return forged ?? checkSubject(provider, userinfo, subject)
  } catch (error) {
    return failFrom(error, 'userinfo-refused', what, adviseUserinfo)
  }
}

const adviseUserinfo =
  'For a provider that deviates from the standard, read the userinfo in `userinfo.request`'

async function askHook(
  provider: OAuthSettings,
  tokens: TokenSet,
  subject: string | undefined,
  context: OAuthContext,
): Promise<{ readonly userinfo: Profile } | Failed> {
  try {
    const given = hookProvider(provider, outboundFetch(provider, context))
    const { request } = provider.userinfo
    const userinfo: unknown = await callHook('userinfo.request', () => request?.({ tokens, provider: given }))
    if (typeof userinfo === 'object' && userinfo !== null && !Array.isArray(userinfo))
      return checkSubject(provider, userinfo as Profile, subject)
    return fail(
      'userinfo-refused',
      `Provider "${provider.id}": expected userinfo.request to return an object, such as { users: [...] } for a list`,
    )
  } catch (error) {
    return failFrom(error, 'userinfo-refused', `Provider "${provider.id}": the userinfo request failed`)
  }
}

function checkSubject(
  { type, id }: OAuthSettings,
  userinfo: Profile,
  subject: string | undefined,
): { readonly userinfo: Profile } | Failed {
  if (type === 'oidc' && (subject === undefined || userinfo.sub !== subject))
    return fail('subject-mismatched', `Provider "${id}": expected the userinfo of the id_token's subject`)
  return { userinfo }
}
