import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2, repairTokens } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Threads that the preset reads; at times within `data`. */
export interface ThreadsProfile extends ProviderProfile {
  id?: string
  username?: string
  threads_profile_picture_url?: string
  data?: { id?: string; username?: string; threads_profile_picture_url?: string }
}

/**
 * Signs users in with Threads.
 *
 * Register an app with the Threads use case at https://developers.facebook.com/apps, with the redirect callback URL
 * `https://<host>/auth/callback/threads`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, username,
 * threads_profile_picture_url. Threads provides no address.
 *
 * @see https://developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions
 * @example providers: [Threads({ clientId: '...', clientSecret: '...' })]
 */
export default function Threads<
  P extends ThreadsProfile = ThreadsProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'threads', Id> {
  return oauth2(options, {
    id: 'threads',
    name: 'Threads',
    authorization: { url: 'https://threads.net/oauth/authorize', params: { scope: 'threads_basic' } },
    token: { url: 'https://graph.threads.net/oauth/access_token', conform: repairTokens },
    userinfo: {
      url: 'https://graph.threads.net/v1.0/me',
      params: { fields: 'id,username,threads_profile_picture_url' },
    },
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => {
      const { id, username: name, threads_profile_picture_url: image } = profile.data ?? profile
      return makeUser({ id, name, image })
    },
    style: { brandColor: '#000', mark: marks.threads },
  })
}
