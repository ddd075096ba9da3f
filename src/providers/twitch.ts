import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId, repairTokens } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** Claims of Twitch's id_token, in addition to the standard ones. */
export interface TwitchProfile extends ProviderProfile {
  sub: string
  preferred_username: string
  email?: string
  picture?: string
}

/**
 * Signs users in with Twitch.
 *
 * Register an application at https://dev.twitch.tv/console/apps, with the OAuth redirect URL
 * `https://<host>/auth/callback/twitch`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, preferred_username, email, picture.
 *
 * @see https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
 * @example providers: [Twitch({ clientId: '...', clientSecret: '...' })]
 */
export default function Twitch<P extends TwitchProfile = TwitchProfile, const Id extends GivenId = GivenId>(
  options: OIDCUserConfig<P> & { id?: Id } = {},
): Preset<OIDCConfig<P>, 'twitch', Id> {
  return openId(options, {
    id: 'twitch',
    name: 'Twitch',
    issuer: 'https://id.twitch.tv/oauth2',
    authorization: {
      params: {
        scope: 'openid user:read:email',
        claims: { id_token: { email: null, picture: null, preferred_username: null } },
      },
    },
    // Twitch sends the scopes as a list.
    token: { conform: repairTokens },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    style: { brandColor: '#65459B', mark: marks.twitch },
  })
}
