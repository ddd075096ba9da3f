import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** The user data of WordPress.com that the preset reads. */
export interface WordPressProfile extends ProviderProfile {
  ID: number
  display_name: string
  username?: string
  email: string
  email_verified?: boolean
  avatar_URL: string
}

/**
 * Signs users in with WordPress.com.
 *
 * Register an application at https://developer.wordpress.com/apps, with the redirect URL
 * `https://<host>/auth/callback/wordpress`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: ID, display_name, email, avatar_URL.
 *
 * @see https://developer.wordpress.com/docs/oauth2/
 * @example providers: [WordPress({ clientId: '...', clientSecret: '...' })]
 */
export default function WordPress<
  P extends WordPressProfile = WordPressProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'wordpress', Id> {
  return oauth2(options, {
    id: 'wordpress',
    name: 'WordPress.com',
    authorization: { url: 'https://public-api.wordpress.com/oauth2/authorize', params: { scope: 'auth' } },
    token: 'https://public-api.wordpress.com/oauth2/token',
    userinfo: 'https://public-api.wordpress.com/rest/v1/me',
    profile: ({ ID: id, display_name: name, email, avatar_URL: image }) =>
      makeUser({ id, name, email, image }),
    style: { brandColor: '#21759b' },
  })
}
