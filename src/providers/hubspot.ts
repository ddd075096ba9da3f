import type { GivenId, OAuth2Config, OAuthUserConfig, UserinfoEndpointHandler } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { encodePath, makeUser, oauth2, requestUser } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of HubSpot that the preset reads. */
export interface HubSpotProfile extends ProviderProfile {
  user_id: number
  /** The e-mail address. */
  user: string
  hub_id?: number
  hub_domain?: string
}

const tokenInfo = 'https://api.hubapi.com/oauth/v1/access-tokens'

/**
 * Signs users in with HubSpot.
 *
 * Register an app at https://developers.hubspot.com, with the redirect URL `https://<host>/auth/callback/hubspot`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: user_id, user (the address, also used as the name). HubSpot provides no picture.
 *
 * @see https://developers.hubspot.com/docs/api/oauth/tokens
 * @example providers: [HubSpot({ clientId: '...', clientSecret: '...' })]
 */
export default function HubSpot<
  P extends HubSpotProfile = HubSpotProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'hubspot', Id> {
  return oauth2(options, {
    id: 'hubspot',
    name: 'HubSpot',
    authorization: { url: 'https://app.hubspot.com/oauth/authorize', params: { scope: 'oauth' } },
    token: 'https://api.hubapi.com/oauth/v1/token',
    userinfo: {
      url: tokenInfo,
      // HubSpot has no userinfo endpoint: the user's data is part of the token's.
      request: ({ tokens, provider }) =>
        requestUser(provider, `${tokenInfo}/${encodePath(tokens.access_token ?? '')}`, {}),
    } satisfies UserinfoEndpointHandler,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ user_id: id, user }) => makeUser({ id, name: user, email: user }),
    style: { brandColor: '#ff7a59', mark: marks.hubspot },
  })
}
