import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of X that the preset reads. */
export interface TwitterProfile extends ProviderProfile {
  data?: { id: string; name: string; username: string; email?: string | null; profile_image_url?: string }
}

/**
 * Signs users in with X, formerly Twitter.
 *
 * Register an app with OAuth 2.0 at https://developer.x.com, with the callback URI
 * `https://<host>/auth/callback/twitter`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, name and profile_image_url of
 * `data`; email when it is there.
 *
 * @see https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code
 * @example providers: [Twitter({ clientId: '...', clientSecret: '...' })]
 */
export default function Twitter<
  P extends TwitterProfile = TwitterProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'twitter', Id> {
  return oauth2(options, {
    id: 'twitter',
    name: 'Twitter',
    authorization: {
      url: 'https://x.com/i/oauth2/authorize',
      params: { scope: 'users.read tweet.read offline.access' },
    },
    token: 'https://api.x.com/2/oauth2/token',
    userinfo: { url: 'https://api.x.com/2/users/me', params: { 'user.fields': 'profile_image_url' } },
    checks: ['pkce', 'state'],
    profile: ({ data }) =>
      makeUser({ id: data?.id, name: data?.name, email: data?.email, image: data?.profile_image_url }),
    style: { brandColor: '#1da1f2', mark: marks.twitter },
  })
}
