import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2, repairTokens } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** The user data of Medium that the preset reads. */
export interface MediumProfile extends ProviderProfile {
  data?: { id: string; username: string; name: string; url?: string; imageUrl: string }
}

/**
 * Signs users in with Medium.
 *
 * Register an application at https://medium.com/me/applications, with the callback URL
 * `https://<host>/auth/callback/medium`. Medium registers no new ones.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, name and imageUrl of `data`. Medium
 * provides no address.
 *
 * @see https://github.com/Medium/medium-api-docs
 * @example providers: [Medium({ clientId: '...', clientSecret: '...' })]
 */
export default function Medium<P extends MediumProfile = MediumProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'medium', Id> {
  return oauth2(options, {
    id: 'medium',
    name: 'Medium',
    authorization: { url: 'https://medium.com/m/oauth/authorize', params: { scope: 'basicProfile' } },
    token: { url: 'https://api.medium.com/v1/tokens', conform: repairTokens },
    userinfo: 'https://api.medium.com/v1/me',
    profile: ({ data }) => makeUser({ id: data?.id, name: data?.name, image: data?.imageUrl }),
    style: { brandColor: '#000' },
  })
}
