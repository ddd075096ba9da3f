import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Reddit that the preset reads. */
export interface RedditProfile extends ProviderProfile {
  id: string
  name: string
  icon_img?: string
}

/**
 * Signs users in with Reddit.
 *
 * Register a web app at https://www.reddit.com/prefs/apps, with the redirect URI
 * `https://<host>/auth/callback/reddit`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, name. Reddit provides no address.
 *
 * @see https://github.com/reddit-archive/reddit/wiki/OAuth2
 * @example providers: [Reddit({ clientId: '...', clientSecret: '...' })]
 */
export default function Reddit<P extends RedditProfile = RedditProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'reddit', Id> {
  return oauth2(options, {
    id: 'reddit',
    name: 'Reddit',
    authorization: { url: 'https://www.reddit.com/api/v1/authorize', params: { scope: 'identity' } },
    token: 'https://www.reddit.com/api/v1/access_token',
    userinfo: 'https://oauth.reddit.com/api/v1/me',
    checks: ['state'],
    profile: ({ id, name }) => makeUser({ id, name }),
    style: { brandColor: '#FF4500', mark: marks.reddit },
  })
}
