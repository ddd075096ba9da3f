import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Facebook that the preset reads. */
export interface FacebookProfile extends ProviderProfile {
  /** Specific to this app. */
  id: string
  name: string
  email?: string
  picture?: { data?: { url?: string } }
}

/**
 * Signs users in with Facebook.
 *
 * Register an app with Facebook Login at https://developers.facebook.com/apps, with the valid OAuth redirect URI
 * `https://<host>/auth/callback/facebook`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, name, email (absent for accounts
 * with a telephone number only), picture.data.url.
 *
 * @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 * @example providers: [Facebook({ clientId: '...', clientSecret: '...' })]
 */
export default function Facebook<
  P extends FacebookProfile = FacebookProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'facebook', Id> {
  return oauth2(options, {
    id: 'facebook',
    name: 'Facebook',
    authorization: { url: 'https://www.facebook.com/v19.0/dialog/oauth', params: { scope: 'email' } },
    token: 'https://graph.facebook.com/oauth/access_token',
    userinfo: { url: 'https://graph.facebook.com/me', params: { fields: 'id,name,email,picture' } },
    profile: ({ id, name, email, picture }) => makeUser({ id, name, email, image: picture?.data?.url }),
    style: { brandColor: '#006aff', mark: marks.facebook },
  })
}
