import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Pinterest that the preset reads. */
export interface PinterestProfile extends ProviderProfile {
  username: string
  profile_image?: string
  account_type?: string
  website_url?: string
}

/**
 * Signs users in with Pinterest.
 *
 * Register an app at https://developers.pinterest.com/apps, with the redirect URI
 * `https://<host>/auth/callback/pinterest`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: username (also the id, so the id changes if the user name does), profile_image. Pinterest provides no address.
 *
 * @see https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
 * @example providers: [PinterestProvider({ clientId: '...', clientSecret: '...' })]
 */
export default function PinterestProvider<
  P extends PinterestProfile = PinterestProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'pinterest', Id> {
  return oauth2(options, {
    id: 'pinterest',
    name: 'Pinterest',
    authorization: { url: 'https://www.pinterest.com/oauth', params: { scope: 'user_accounts:read' } },
    token: 'https://api.pinterest.com/v5/oauth/token',
    userinfo: 'https://api.pinterest.com/v5/user_account',
    profile: ({ username, profile_image: image }) => makeUser({ id: username, name: username, image }),
    style: { brandColor: '#bd081c', mark: marks.pinterest },
  })
}
