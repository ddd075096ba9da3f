import type { OAuth2Config, OAuthUserConfig, UserinfoEndpointHandler } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { encodePath, makeUser, oauth2, requestUser } from './base.ts'
import type { Preset } from './preset.ts'

/** What HubSpot tells of the signed-in user, as far as it is used here. */
export interface HubSpotProfile extends ProviderProfile {
  user_id: number
  /** The address. */
  user: string
  hub_id?: number
  hub_domain?: string
}

const tokenInfo = 'https://api.hubapi.com/oauth/v1/access-tokens'

/**
 * Sign in with HubSpot.
 *
 * Register an app at https://developers.hubspot.com, with the redirect URL `https://<host>/auth/callback/hubspot`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: user_id, user (the address, which is
 * the name too). HubSpot gives no picture.
 *
 * @see https://developers.hubspot.com/docs/api/oauth/tokens
 * @example providers: [HubSpot({ clientId: '...', clientSecret: '...' })]
 */
export default function HubSpot<P extends HubSpotProfile = HubSpotProfile>(
  options: OAuthUserConfig<P> = {},
): Preset<OAuth2Config<P>> {
  return oauth2(options, {
    id: 'hubspot',
    name: 'HubSpot',
    authorization: { url: 'https://app.hubspot.com/oauth/authorize', params: { scope: 'oauth' } },
    token: 'https://api.hubapi.com/oauth/v1/token',
    userinfo: {
      url: tokenInfo,
      // HubSpot tells of the user what it tells of the token.
      request: ({ tokens, provider }) =>
        requestUser(provider, `${tokenInfo}/${encodePath(tokens.access_token ?? '')}`, {}),
    } satisfies UserinfoEndpointHandler,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ user_id: id, user }) => makeUser({ id, name: user, email: user }),
    style: { brandColor: '#ff7a59' },
  })
}
