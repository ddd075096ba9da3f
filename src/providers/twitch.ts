import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { mendTokens, openId } from './base.ts'
import type { Preset } from './preset.ts'

/** Claims of Twitch's id_token, beside the standard ones. */
export interface TwitchProfile extends ProviderProfile {
  sub: string
  preferred_username: string
  email?: string
  picture?: string
}

/**
 * Sign in with Twitch.
 *
 * Register an application at https://dev.twitch.tv/console/apps, with the OAuth redirect URL
 * `https://<host>/auth/callback/twitch`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, preferred_username, email, picture.
 *
 * @see https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
 * @example providers: [Twitch({ clientId: '...', clientSecret: '...' })]
 */
export default function Twitch<P extends TwitchProfile = TwitchProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
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
    // Twitch lists the scopes.
    token: { conform: mendTokens },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    style: { brandColor: '#65459B' },
  })
}
