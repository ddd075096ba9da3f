import type { AuthorizationServer } from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import type { Profile } from '../types/records.ts'
import type { OAuthContext } from './context.ts'
import type { TokenGrant } from './exchange-code.ts'
import { type Failed, fail, hasFailed } from './failure.ts'
import { fetchUserinfo } from './fetch-userinfo.ts'
import { outboundFetch } from './outbound-fetch.ts'

/**
 * What the provider says of the user: for oidc the claims of the id_token, and over them the userinfo with
 * `idToken: false`; for oauth the userinfo. Then the preset adds what it reads elsewhere.
 *
 * @param response the authorization response, judged
 */
export async function readProfile(
  provider: OAuthSettings,
  server: AuthorizationServer,
  grant: TokenGrant,
  response: URLSearchParams,
  context: OAuthContext,
): Promise<{ readonly profile: Profile } | Failed> {
  const source = await readSource(provider, server, grant, context)
  if (hasFailed(source)) return source
  const { readResponse, complete } = provider.preset
  try {
    const profile = readResponse?.(response, source.profile) ?? source.profile
    const send = outboundFetch(provider, context)
    return { profile: (await complete?.(profile, grant.tokens, send)) ?? profile }
  } catch (cause) {
    return fail('profile-unusable', `Provider "${provider.id}": its preset failed on the profile`, cause)
  }
}

async function readSource(
  provider: OAuthSettings,
  server: AuthorizationServer,
  { tokens, claims }: TokenGrant,
  context: OAuthContext,
): Promise<{ readonly profile: Profile } | Failed> {
  if (provider.type === 'oidc' && provider.idToken)
    return claims
      ? { profile: claims }
      : fail('profile-unusable', `Provider "${provider.id}": expected the claims of an id_token`)
  const subject = provider.type === 'oidc' ? (claims?.sub ?? undefined) : undefined
  const answer = await fetchUserinfo(provider, server, tokens, subject, context)
  if (hasFailed(answer)) return answer
  return { profile: provider.type === 'oidc' ? { ...claims, ...answer.userinfo } : answer.userinfo }
}
