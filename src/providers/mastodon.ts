import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { belowIssuer, makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Mastodon that the preset reads. */
export interface MastodonProfile extends ProviderProfile {
  id: string
  username: string
  acct?: string
  display_name?: string
  avatar_static: string
}

/**
 * Signs users in with Mastodon.
 *
 * Register an application in the server's preferences, under Development, with the scope `read` and the redirect URI
 * `https://<host>/auth/callback/mastodon`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the URL of the server), and any of `OAuthUserConfig`.
 * Claims: id, username, avatar_static. Mastodon provides no address.
 *
 * @see https://docs.joinmastodon.org/client/authorized/
 * @example providers: [Mastodon({ clientId: '...', clientSecret: '...', issuer: 'https://mastodon.social' })]
 */
export default function Mastodon<
  P extends MastodonProfile = MastodonProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'mastodon', Id> {
  return oauth2(options, {
    id: 'mastodon',
    name: 'Mastodon',
    authorization: { params: { scope: 'read' } },
    [preset]: {
      derive: belowIssuer((root) => ({
        authorization: { url: `${root}/oauth/authorize` },
        token: `${root}/oauth/token`,
        userinfo: `${root}/api/v1/accounts/verify_credentials`,
      })),
    },
    profile: ({ id, username: name, avatar_static: image }) => makeUser({ id, name, image }),
    style: { brandColor: '#6364ff', mark: marks.mastodon },
  })
}
