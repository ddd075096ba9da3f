import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2, repairTokens } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Instagram that the preset reads. */
export interface InstagramProfile extends ProviderProfile {
  /** Specific to this app. */
  id: string
  username: string
  name?: string
  account_type?: string
  profile_picture_url?: string
}

/**
 * Signs users in with Instagram.
 *
 * Register an app with "Instagram API with Instagram login" at https://developers.facebook.com/apps, with the OAuth
 * redirect URI `https://<host>/auth/callback/instagram`. Professional accounts only: the interface for personal ones
 * ended in December 2024.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, username, profile_picture_url.
 * Instagram provides no address.
 *
 * @see https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login
 * @example providers: [Instagram({ clientId: '...', clientSecret: '...' })]
 */
export default function Instagram<
  P extends InstagramProfile = InstagramProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'instagram', Id> {
  return oauth2(options, {
    id: 'instagram',
    name: 'Instagram',
    authorization: {
      url: 'https://www.instagram.com/oauth/authorize',
      params: { scope: 'instagram_business_basic' },
    },
    token: { url: 'https://api.instagram.com/oauth/access_token', conform: repairTokens },
    userinfo: {
      url: 'https://graph.instagram.com/me',
      params: { fields: 'id,username,account_type,name,profile_picture_url' },
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, username: name, profile_picture_url: image }) => makeUser({ id, name, image }),
    style: { brandColor: '#fff', mark: marks.instagram },
  })
}
