import type { OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from './base.ts'
import type { Preset } from './preset.ts'

/** What Pinterest tells of the signed-in user, as far as it is used here. */
export interface PinterestProfile extends ProviderProfile {
  username: string
  profile_image?: string
  account_type?: string
  website_url?: string
}

/**
 * Sign in with Pinterest.
 *
 * Register an app at https://developers.pinterest.com/apps, with the redirect URI
 * `https://<host>/auth/callback/pinterest`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: username (which is the id, and changes
 * when it is changed there), profile_image. Pinterest gives no address.
 *
 * @see https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
 * @example providers: [PinterestProvider({ clientId: '...', clientSecret: '...' })]
 */
export default function PinterestProvider<P extends PinterestProfile = PinterestProfile>(
  options: OAuthUserConfig<P> = {},
): Preset<OAuth2Config<P>> {
  return oauth2(options, {
    id: 'pinterest',
    name: 'Pinterest',
    authorization: { url: 'https://www.pinterest.com/oauth', params: { scope: 'user_accounts:read' } },
    token: 'https://api.pinterest.com/v5/oauth/token',
    userinfo: 'https://api.pinterest.com/v5/user_account',
    profile: ({ username, profile_image: image }) => makeUser({ id: username, name: username, image }),
    style: { brandColor: '#bd081c' },
  })
}
