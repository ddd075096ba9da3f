import type { OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, mendTokens, oauth2 } from './base.ts'
import type { Preset } from './preset.ts'

/** What Medium tells of the signed-in user, as far as it is used here. */
export interface MediumProfile extends ProviderProfile {
  data?: { id: string; username: string; name: string; url?: string; imageUrl: string }
}

/**
 * Sign in with Medium.
 *
 * Register an application at https://medium.com/me/applications, with the callback URL
 * `https://<host>/auth/callback/medium`. Medium registers no new ones.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, name and imageUrl of `data`. Medium
 * gives no address.
 *
 * @see https://github.com/Medium/medium-api-docs
 * @example providers: [Medium({ clientId: '...', clientSecret: '...' })]
 */
export default function Medium<P extends MediumProfile = MediumProfile>(
  options: OAuthUserConfig<P> = {},
): Preset<OAuth2Config<P>> {
  return oauth2(options, {
    id: 'medium',
    name: 'Medium',
    authorization: { url: 'https://medium.com/m/oauth/authorize', params: { scope: 'basicProfile' } },
    token: { url: 'https://api.medium.com/v1/tokens', conform: mendTokens },
    userinfo: 'https://api.medium.com/v1/me',
    profile: ({ data }) => makeUser({ id: data?.id, name: data?.name, image: data?.imageUrl }),
    style: { brandColor: '#000' },
  })
}
